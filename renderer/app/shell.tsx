import { useCallback, useMemo, useState, useEffect, useRef, type ReactNode, useEffectEvent } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { useLocation } from 'wouter';
import { isCommandId, placeOpenedBy } from '../../shared/domain/commands/command-list.ts';
import { batchProgress } from '../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { interfaceLanguages } from '../../shared/domain/languages.ts';
import { modeOf } from '../../shared/domain/modes.ts';
import { useSettings, useJobs, useConnection, useApp, useJobsFact, useSettingsNow } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import { useSettingsChange } from '../bridge/use-settings-change.ts';
import { JobSounds, hasWork } from '../features/jobs/index.ts';
import { ShortcutSheet } from '../features/shortcuts/index.ts';
import { cx } from '../lib/class-names.ts';
import { useAvailability, useRunFromMenu, useCommands, type CommandNames } from '../lib/commands.tsx';
import { useFailureText } from '../lib/failure-text.ts';
import { Scope } from '../lib/scope.ts';
import { useText, useFormats } from '../lib/text.ts';
import { useTranscriptImport } from '../parts/transcripts/transcript-import.tsx';
import { AboutDialog } from './about-dialog.tsx';
import { CrashGuard } from './crash-guard.tsx';
import { newsBetween, type JobNews } from './job-announcements.ts';
import { PaletteHost } from './palette-host.tsx';
import { Rail } from './rail.tsx';
import { sections, SectionLocationContext, useFollowedLocation } from './sections.ts';
import {
  OpenSettings,
  ShellLayerContext,
  type OpenSettingsPage,
  type ShellLayer,
  type ShellLayers,
} from './shell-layer.ts';
import css from './shell.module.css';
import { TitleBar } from './title-bar.tsx';

const zooms = [80, 90, 100, 110, 125, 150, 175, 200] as const;
const hasJobsWork = (jobs: readonly JobView[]): boolean => hasWork(batchProgress(jobs));
const focusable = 'button:not([disabled]), [href], input:not([disabled]), [tabindex="0"], textarea, select';

const lastFocused = new WeakMap<Element, HTMLElement>();
const firstControl = (pane: HTMLElement): HTMLElement | undefined =>
  [...pane.querySelectorAll<HTMLElement>(focusable)].find((control) => control.checkVisibility());

const atMostEveryMs = 5000;

export function Shell({ children }: { readonly children: ReactNode }) {
  const [location, navigate] = useLocation();
  const [layer, show] = useState<ShellLayer>('none');
  const [layerLocation, setLayerLocation] = useState(location);
  if (layerLocation !== location) {
    setLayerLocation(location);
    show('none');
  }
  const openSettings = useCallback<OpenSettingsPage>(
    (page) => {
      show('none');
      navigate(page === undefined ? '/settings' : `/settings/${page}`);
    },
    [navigate],
  );
  const layers = useMemo(() => {
    const hide = (which: ShellLayer) => show((now) => (now === which ? 'none' : now));
    return { layer, show, hide };
  }, [layer]);
  const openShortcuts = useCallback(() => openSettings('shortcuts'), [openSettings]);
  const report = useCallback(() => {
    show('none');
    navigate('/settings/privacy/report');
  }, [navigate]);
  useShellCommands({ layer, show, report });
  const sectionLocation = useFollowedLocation();
  return (
    <OpenSettings value={openSettings}>
      <MenuCommands />
      <ShellLayerContext value={layers}>
        <SectionLocationContext value={sectionLocation}>
          <Providers>
            <Frame>{children}</Frame>
            <PaletteHost />
          </Providers>
        </SectionLocationContext>
        <ShortcutSheet
          here={sectionLocation.isInDocument ? 'editor' : placeOpenedBy(sectionLocation.section.command)}
          isOpen={layer === 'shortcuts'}
          onClose={() => show('none')}
          onChange={openShortcuts}
        />
        <AboutDialog isOpen={layer === 'about'} onClose={() => show('none')} onReport={report} />
      </ShellLayerContext>
    </OpenSettings>
  );
}

function Providers({ children }: { readonly children: ReactNode }) {
  return sections.reduceRight<ReactNode>(
    (inner, { Provider }) => (Provider === undefined ? inner : <Provider>{inner}</Provider>),
    children,
  );
}

function Frame({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const { isRailOpen } = useSettings();
  const [location] = useLocation();
  return (
    <div className={cx(css['app'], !isRailOpen && css['wide'])}>
      <button type="button" className={css['skip']} onClick={() => document.getElementById('content')?.focus()}>
        {t('shell.skipToContent')}
      </button>
      <CrashGuard isSmall>
        <TitleBar />
      </CrashGuard>
      {isRailOpen && (
        <CrashGuard isSmall>
          <Rail />
        </CrashGuard>
      )}
      <main id="content" tabIndex={-1} className={css['panel']} aria-label={t('shell.content')}>
        <CrashGuard resetKey={location}>{children}</CrashGuard>
      </main>
      <JobsAnnouncer />
      <JobSounds />
    </div>
  );
}

/** Separate, because availability changes often and nothing else needs to render for it. */
function MenuCommands(): null {
  const studio = useStudio();
  const run = useRunFromMenu();
  useEffect(
    () =>
      studio.subscribe('command.invoked', ({ command }) => {
        if (isCommandId(command)) run(command);
      }),
    [studio, run],
  );

  const available = JSON.stringify(useAvailability());
  useEffect(() => {
    // Parts of a screen mount one by one, so only the final state is reported.
    const frame = requestAnimationFrame(() => {
      const { ids, names } = JSON.parse(available) as { readonly ids: string[]; readonly names: CommandNames };
      void studio.request('commands.report', { available: ids, names });
    });
    return () => cancelAnimationFrame(frame);
  }, [studio, available]);
  // None of these commands exist on the first screen.
  useEffect(() => () => void studio.request('commands.report', { available: [], names: {} }), [studio]);
  return null;
}

/** The only polite live region for jobs: at most one message in five seconds. */
function JobsAnnouncer() {
  const { jobs, isLoading } = useJobs();
  const [message, setMessage] = useState('');
  const announced = useRef<readonly JobView[] | null>(null);
  const quietUntil = useRef(0);
  const write = useNewsText();
  const announce = useEffectEvent(() => {
    const news = newsBetween(announced.current ?? [], jobs);
    if (news === null) return;
    announced.current = jobs;
    quietUntil.current = performance.now() + atMostEveryMs;
    setMessage(write(news));
  });
  useEffect(() => {
    if (isLoading) return undefined;
    if (announced.current === null) {
      announced.current = jobs;
      return undefined;
    }
    const scope = new Scope();
    scope.after(Math.max(0, quietUntil.current - performance.now()), () => announce());
    return () => scope.dispose();
  }, [jobs, isLoading]);

  return (
    <VisuallyHidden>
      <output aria-live="polite">{message}</output>
    </VisuallyHidden>
  );
}

function useNewsText(): (news: JobNews) => string {
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const { origin } = modeOf(useConnection().mode);
  return (news) =>
    formats.list([
      ...(news.added > 0 ? [t('shell.announce.added', { count: news.added })] : []),
      ...(news.started > 0 ? [t('shell.announce.started', { count: news.started })] : []),
      ...(news.done > 0 ? [t('shell.announce.done', { count: news.done })] : []),
      ...(news.failed > 0 && news.reason
        ? [t('shell.announce.failed', { count: news.failed, reason: words(news.reason).title })]
        : []),
      ...(news.sentQuarter === null || origin === 'local'
        ? []
        : [t('shell.announce.sent', { percent: formats.percent(news.sentQuarter) })]),
    ]);
}

interface ShellActions extends Pick<ShellLayers, 'layer' | 'show'> {
  readonly report: () => void;
}

function useShellCommands({ layer, show, report }: ShellActions): void {
  const studio = useStudio();
  const [, navigate] = useLocation();
  const { capabilities } = useApp();
  const isWorking = useJobsFact(hasJobsWork);
  const { interfaceLanguage, appearance } = useSettings();
  const settingsNow = useSettingsNow();
  const change = useSettingsChange();
  const importTranscripts = useTranscriptImport();
  const t = useText();
  const { mode } = useConnection();
  const isWithoutKey = mode !== 'unset' && modeOf(mode).isWithoutKey;
  const toggle = (wanted: ShellLayer) => () => show(layer === wanted ? 'none' : wanted);
  const zoom = (next: (percent: number) => number | undefined) => () => {
    const { interfaceZoom } = settingsNow();
    const percent = next(interfaceZoom);
    if (percent !== undefined && percent !== interfaceZoom) void change({ interfaceZoom: percent });
  };
  const speak = (language: typeof interfaceLanguage) =>
    language !== interfaceLanguage && (() => void change({ interfaceLanguage: language }));
  const appear = (wanted: typeof appearance) => wanted !== appearance && (() => void change({ appearance: wanted }));
  useCommands(
    {
      'palette.open': toggle('palette'),
      'shortcuts.open': toggle('shortcuts'),
      'help.about': toggle('about'),
      'help.report': report,
      'jobs.open': isWorking && toggle('jobs'),
      'transcripts.import': () => void importTranscripts(),
      'transcripts.find': () => {
        show('none');
        navigate('/library/search');
      },
      // Where the system draws no menu bar.
      'menu.open': !capabilities.menuBar && toggle('menu'),
      ...Object.fromEntries(sections.map(({ command, path }) => [command, () => navigate(path)])),
      'panes.next': () => movePane(1),
      'panes.previous': () => movePane(-1),
      'rail.toggle': () => void change({ isRailOpen: !settingsNow().isRailOpen }),
      'zoom.in': zoom((now) => zooms.find((percent) => percent > now)),
      'zoom.out': zoom((now) => zooms.findLast((percent) => percent < now)),
      'zoom.reset': zoom(() => 100),
      ...Object.fromEntries(interfaceLanguages.map((language) => [`language.${language}`, speak(language)])),
      'appearance.system': appear('system'),
      'appearance.light': appear('light'),
      'appearance.dark': appear('dark'),
      // On macOS closing the window does not quit the app; the app's own menu does.
      'app.quit':
        capabilities.platform !== 'darwin' && (() => void studio.request('window.control', { action: 'quit' })),
    },
    isWithoutKey ? { 'section.account': t('shell.more.title') } : {},
  );
}

/** Panes are marked with `data-pane`; the control that last had the focus there gets it again. */
function movePane(step: 1 | -1): void {
  // A screen that is kept behind another one is in the page too, with its panes.
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(
    (pane) => firstControl(pane) !== undefined && pane.closest('[inert], [aria-hidden="true"]') === null,
  );
  const active = document.activeElement;
  const here = panes.findIndex((pane) => pane.contains(active));
  const current = panes[here];
  if (current && active instanceof HTMLElement) lastFocused.set(current, active);
  const next = panes[here === -1 ? (step === 1 ? 0 : panes.length - 1) : (here + step + panes.length) % panes.length];
  const remembered = next && lastFocused.get(next);
  const target = remembered?.checkVisibility() === true ? remembered : next && firstControl(next);
  target?.focus();
}
