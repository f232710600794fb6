import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { CircleAlert, KeyRound } from 'lucide-react';
import { StrictMode, useEffect, useRef, Activity, useState, useInsertionEffect, type ReactNode, useMemo } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { I18nextProvider, useTranslation } from 'react-i18next';
import { Router, Route, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { preferredLanguage, writtenLanguages, type InterfaceLanguage } from '../../shared/domain/languages.ts';
import { modeOf } from '../../shared/domain/modes.ts';
import { holdsKey } from '../../shared/domain/text/looks-like-key.ts';
import { createStudioClient } from '../bridge/client.ts';
import { LiveState, useApp, useSettings, appQuery, LiveApp, useIsQueueAnswered } from '../bridge/live-state.tsx';
import { failureOf } from '../bridge/request-error.ts';
import { answerLeaving } from '../bridge/save-before-leaving.ts';
import { StudioProvider, useStudio } from '../bridge/studio-context.tsx';
import type { Settings } from '../bridge/types.ts';
import { useRefusedSetting } from '../bridge/use-settings-change.ts';
import { EditorScreen } from '../features/editor/index.ts';
import { RecoveryGate } from '../features/recovery/index.ts';
import { WelcomeScreen } from '../features/welcome/index.ts';
import { CommandProvider } from '../lib/commands.tsx';
import { useFailureText, OriginContext } from '../lib/failure-text.ts';
import { isTextField } from '../lib/hotkeys.ts';
import { readPathWords } from '../lib/path-words.ts';
import { Scope } from '../lib/scope.ts';
import type { Section } from '../lib/section.ts';
import { useText, TextContext } from '../lib/text.ts';
import { TranscriptImport } from '../parts/transcripts/transcript-import.tsx';
import '../ui/base.css';
import '../ui/layout.css';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PaneFallbackProvider, type PaneFallback } from '../ui/pane-error-boundary.tsx';
import { useToast } from '../ui/toast.tsx';
import { CrashGuard, PaneCrash } from './crash-guard.tsx';
import { useSectionLocation, more, sections } from './sections.ts';
import { Shell } from './shell.tsx';
import { Toasts } from './toasts.tsx';
import { WindowControls } from './window-controls.tsx';
import { createWords, prepareWords } from './words.ts';
import type { TFunction } from 'i18next';

const systemLocales = { uz: 'uz-Latn-UZ', 'uz-Cyrl': 'uz-Cyrl-UZ', ru: 'ru-RU', en: 'en-GB' } as const;

/** Rows that arrive by then are part of the first render; two renders cost more. */
const rowsAreWaitedForMs = 250;

const paneCrash: PaneFallback = (broken) => <PaneCrash {...broken} />;

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
const studio = createStudioClient(window.studio);
answerLeaving(studio);
const queries = new QueryClient({
  defaultOptions: {
    queries: { refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});
const words = await createWords(preferredLanguage(navigator.languages));
// Set before the first render, so that it applies to a crash screen too.
document.documentElement.lang = words.language;

createRoot(root).render(
  <StrictMode>
    <I18nextProvider i18n={words}>
      <TextProvider>
        <QueryClientProvider client={queries}>
          <StudioProvider value={studio}>
            <CrashGuard isWhole>
              <LiveState>
                <StartGate>
                  <Studio />
                </StartGate>
              </LiveState>
            </CrashGuard>
          </StudioProvider>
        </QueryClientProvider>
      </TextProvider>
    </I18nextProvider>
  </StrictMode>,
);

function Studio() {
  const { mode, shortcuts, usesLetterKeys, jumpMs } = useSettings();
  const { platform } = useApp().capabilities;
  useNoStrayDrops();
  return (
    <>
      <KeyInTextGuard />
      <RefusedSettingNotice />
      <RecoveryGate windowControls={<WindowControls />}>
        {mode === 'unset' ? (
          <WelcomeScreen windowControls={<WindowControls />} />
        ) : (
          <Router hook={useHashLocation}>
            <CommandProvider overrides={shortcuts} usesLetters={usesLetterKeys} platform={platform} jumpMs={jumpMs}>
              <TranscriptImport key={mode}>
                <Shell>
                  <PaneFallbackProvider value={paneCrash}>
                    <Routes />
                  </PaneFallbackProvider>
                </Shell>
              </TranscriptImport>
            </CommandProvider>
          </Router>
        )}
      </RecoveryGate>
      <Toasts />
    </>
  );
}

/** The control has gone back to the stored value, so a notice says why. */
function RefusedSettingNotice() {
  const t = useText();
  const words = useFailureText();
  const showToast = useToast();
  const refused = useRefusedSetting();
  const shown = useRef<typeof refused>(null);
  useEffect(() => {
    if (refused === null || shown.current === refused) return;
    shown.current = refused;
    showToast({
      text: t('shell.settingRefused', { reason: words(refused.failure).title }),
      icon: CircleAlert,
      shownForMs: 10_000,
    });
  });
  return null;
}

/** A file dropped outside every drop target must not make the window navigate to it. */
function useNoStrayDrops(): void {
  useEffect(() => {
    const scope = new Scope();
    for (const type of ['dragover', 'drop']) {
      scope.listen<DragEvent>(window, type, (event) => {
        if (event.defaultPrevented) return;
        event.preventDefault();
        if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
      });
    }
    return () => scope.dispose();
  }, []);
}

function Routes() {
  const [, navigate] = useLocation();
  const { section: current, path, isInDocument } = useSectionLocation();
  const shown = isInDocument ? null : current;
  const visited = useVisited(shown);
  return (
    <>
      {[...sections, more].map((section) => {
        const isShown = section === shown;
        if (!isShown && !(section.keepsScreen === true && visited.has(section))) return null;
        const { Screen } = section;
        return (
          <Activity key={section.path} mode={isShown ? 'visible' : 'hidden'}>
            <Screen
              subpath={isShown || current === section ? path.slice(section.path.length).replace(/^\//, '') : ''}
              onSubpath={(subpath) => navigate(subpath === '' ? section.path : `${section.path}/${subpath}`)}
            />
          </Activity>
        );
      })}
      <Route<{ id: string; at?: string; words?: string }> path="/transcripts/:id/:at?/:words?">
        {({ id, at, words }) => (
          <EditorScreen
            transcriptId={id}
            startMs={at === undefined || at === 'export' || at === 'find' ? null : Number(at) || 0}
            startsInExport={at === 'export'}
            onExportOpened={() => {
              // A window that is loaded again opens the transcript alone.
              navigate(`/transcripts/${id}`, { replace: true });
            }}
            startWords={words === undefined ? '' : readPathWords(words)}
            onBack={() => navigate(path)}
          />
        )}
      </Route>
    </>
  );
}

function useVisited(shown: Section | null): ReadonlySet<Section> {
  const [visited, setVisited] = useState<ReadonlySet<Section>>(new Set());
  if (shown !== null && !visited.has(shown)) setVisited(new Set([...visited, shown]));
  return visited;
}

function StartGate({ children }: { readonly children: ReactNode }) {
  const { t, i18n } = useTranslation();
  const words = useFailureText();
  const { data, error, isError, refetch } = useQuery(appQuery(useStudio()));
  const settings = data?.settings;
  const language = settings?.interfaceLanguage;

  // Only the first language is waited for: later changes must not unmount a screen in use.
  const [isSpoken, setIsSpoken] = useState(language === i18n.language);
  useEffect(() => {
    if (language === undefined) return undefined;
    let isWanted = true;
    const change = async () => {
      prepareWords(i18n, language);
      // Listeners are notified of the same language too, and would render everything again.
      if (i18n.language !== language) await i18n.changeLanguage(language);
      if (!isWanted) return;
      document.documentElement.lang = language;
      setIsSpoken(true);
    };
    void change();
    return () => {
      isWanted = false;
    };
  }, [language, i18n]);
  const isAnswered = useIsQueueAnswered();
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (isAnswered) return undefined;
    const timer = setTimeout(() => setIsLate(true), rowsAreWaitedForMs);
    return () => clearTimeout(timer);
  }, [isAnswered]);
  const hasRows = isAnswered || isLate;
  const { shell, platform } = data?.capabilities ?? {};
  // Before layout, so that layout happens once.
  useInsertionEffect(() => {
    if (settings !== undefined) showOnDocument(settings);
    document.documentElement.toggleAttribute('data-lights', shell === 'electron' && platform === 'darwin');
  }, [settings, shell, platform]);

  if (isError) {
    const failure = failureOf(error);
    return (
      <main>
        <EmptyState
          icon={CircleAlert}
          title={t('shell.notStarted.title')}
          action={<Button onPress={() => void refetch()}>{t('shell.notStarted.again')}</Button>}
        >
          {failure ? words(failure).text : t('shell.crashed.text')}
        </EmptyState>
      </main>
    );
  }
  if (language === undefined || !isSpoken || !hasRows) return null;
  return (
    <I18nProvider locale={systemLocales[language]}>
      <LiveApp>
        <OriginContext value={modeOf(data?.connection.mode ?? 'unset').origin}>{children}</OriginContext>
      </LiveApp>
    </I18nProvider>
  );
}

function showOnDocument(settings: Settings): void {
  const { documentElement } = document;
  const { appearance, contrast, transcriptTypeface, reducesMotion, transcriptSize } = settings;
  if (appearance === 'system') delete documentElement.dataset['theme'];
  else documentElement.dataset['theme'] = appearance;
  documentElement.toggleAttribute('data-contrast', contrast === 'high');
  documentElement.toggleAttribute('data-sans', transcriptTypeface === 'sans');
  if (reducesMotion) documentElement.dataset['motion'] = 'reduce';
  else delete documentElement.dataset['motion'];
  documentElement.style.setProperty('--words-md', `${String(transcriptSize)}px`);
  documentElement.style.setProperty('--words-md-lh', `${String(Math.round(transcriptSize * 1.7))}px`);
}

/** No field of this window is meant for a key (S-68); main applies the same rule. */
function KeyInTextGuard() {
  const t = useText();
  const showToast = useToast();
  const stopped = t('shell.keyInText.stopped');
  const covered = t('shell.keyInText.covered');
  useEffect(() => {
    const scope = new Scope();
    const stop = (event: InputEvent) => {
      if (!['insertFromPaste', 'insertFromDrop', 'insertReplacementText'].includes(event.inputType)) return;
      const text = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
      if (!holdsKey(text)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      showToast({ text: stopped, icon: KeyRound });
    };
    const cover = ({ target }: Event) => {
      if (!isTextField(target) || !/^(text|search|url|email|tel|textarea)$/.test(target.type)) return;
      const isHeld = holdsKey(target.value);
      if (isHeld && !target.hasAttribute('data-holds-key')) showToast({ text: covered, icon: KeyRound });
      target.toggleAttribute('data-holds-key', isHeld);
    };
    scope.listen(window, 'beforeinput', stop, { capture: true });
    scope.listen(window, 'input', cover, { capture: true });
    return () => scope.dispose();
  }, [showToast, stopped, covered]);
  return null;
}

function TextProvider({ children }: { readonly children: ReactNode }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language as InterfaceLanguage;
  const text = useMemo(() => {
    let made: readonly TFunction[] | null = null;
    const inLanguage = (other: InterfaceLanguage): TFunction => {
      prepareWords(i18n, other);
      return i18n.getFixedT(other);
    };
    const others = () => (made ??= writtenLanguages.filter((other) => other !== language).map(inLanguage));
    return { t: remembering(t), language, others, inLanguage };
  }, [t, i18n, language]);
  return <TextContext value={text}>{children}</TextContext>;
}

/** Most strings have no values and are asked for with every render; a lookup takes some 20 steps. */
function remembering(t: TFunction): TFunction {
  const known = new Map<unknown, unknown>();
  return new Proxy(t, {
    apply(ask, self, asked: readonly unknown[]) {
      if (asked.length !== 1) return Reflect.apply(ask, self, asked) as unknown;
      const [key] = asked;
      if (!known.has(key)) known.set(key, Reflect.apply(ask, self, asked));
      return known.get(key);
    },
  });
}
