import { useLocation } from 'wouter';
import { useApp, useConnection, useJobsFact, useSettings, useSettingsNow } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import { useSettingsChange } from '../bridge/use-settings-change.ts';
import { hasWork } from '../features/jobs/index.ts';
import { useText } from '../lib/text.ts';
import { useCommands } from '../lib/commands.tsx';
import { modeOf } from '../../shared/domain/modes.ts';
import { batchProgress } from '../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { useTranscriptImport } from '../parts/transcripts/transcript-import.tsx';
import { sections } from './sections.ts';
import type { ShellLayer } from './shell-layer.ts';

/** Sizes of the interface, in percent. */
const zooms = [80, 90, 100, 110, 125, 150, 175, 200] as const;

const hasJobsWork = (jobs: readonly JobView[]): boolean => hasWork(batchProgress(jobs));

export interface ShellCommandsOptions {
  readonly layer: ShellLayer;
  readonly show: (layer: ShellLayer) => void;
}

/** What can be done from every screen. */
export function useShellCommands({ layer, show }: ShellCommandsOptions): void {
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
  const toggle = (wanted: ShellLayer) => () => {
    show(layer === wanted ? 'none' : wanted);
  };
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
      'jobs.open': isWorking && toggle('jobs'),
      'transcripts.import': () => void importTranscripts(),
      'transcripts.find': () => {
        show('none');
        navigate('/library/search');
      },
      // Where the system draws no menu bar.
      'menu.open': !capabilities.menuBar && toggle('menu'),
      ...Object.fromEntries(
        sections.map(({ command, path }) => [
          command,
          () => {
            navigate(path);
          },
        ]),
      ),
      'panes.next': () => {
        movePane(1);
      },
      'panes.previous': () => {
        movePane(-1);
      },
      'rail.toggle': () => void change({ isRailOpen: !settingsNow().isRailOpen }),
      'zoom.in': zoom((now) => zooms.find((percent) => percent > now)),
      'zoom.out': zoom((now) => zooms.findLast((percent) => percent < now)),
      'zoom.reset': zoom(() => 100),
      'language.uz': speak('uz'),
      'language.uz-Cyrl': speak('uz-Cyrl'),
      'language.ru': speak('ru'),
      'language.en': speak('en'),
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

const focusable = 'button:not([disabled]), [href], input:not([disabled]), [tabindex="0"], textarea, select';

/** The control that had the focus when a pane was left. */
const lastFocused = new WeakMap<Element, HTMLElement>();

const firstControl = (pane: HTMLElement): HTMLElement | undefined =>
  [...pane.querySelectorAll<HTMLElement>(focusable)].find((control) => control.checkVisibility());

/**
 * Moves the focus to the next or previous pane. Panes are marked with `data-pane` and are in focus order; the control
 * that last had the focus there gets it again, otherwise the first one.
 */
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
