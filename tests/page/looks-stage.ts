import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { catalogueOf } from '../../shared/i18n/uzbek-cyrillic.ts';
import { catalogues, type Catalogue } from '../../shared/i18n/catalogues.ts';
import { pseudoCatalogue } from '../../shared/i18n/pseudo.ts';
import { toUzbekCyrillic } from '../../shared/domain/text/transliterate-uzbek.ts';
import type { Settings } from '../../shared/ipc/schemas.ts';
import { launchQuietBrowser } from '../page-editor/support/editor-page.ts';
import { serveBuiltPage } from '../page-editor/support/serve-built-page.ts';
import { sample } from '../page-editor/support/transcripts.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { layPlan, putStudioOfLaidPlan } from '../support/fake-studio.ts';
import { slowDown } from '../support/slow-page.ts';
import type { StudioPlan } from '../support/studio-plan.ts';
import { cutTexts } from '../support/find-cut-text.ts';
import { safeFileName } from '../../shared/domain/exports/safe-file-name.ts';
import { findForeign, vocabularyOf, type Vocabulary } from '../support/foreign-words.ts';
import { installLooks, type Look, type LooksInPage } from '../support/looks-in-page.ts';
import { recordingToken } from './editor-plans.ts';
import type { ScreenState } from './screens.ts';

declare global {
  interface Window {
    readonly looks: LooksInPage;
    /** The texts in place of Uzbek: lengthened ones, the real ones, and those in Cyrillic. */
    readonly uzbekWords: { readonly long: unknown; readonly uz: unknown; readonly cyrillic: unknown };
    /** The guise of this load of the page, as text. */
    guiseWorn?: string;
    readonly wordsUnderTest: {
      addResourceBundle(language: string, space: string, words: unknown): unknown;
      changeLanguage(language: string): Promise<unknown>;
    };
  }
}

/** `long` stands for any language with texts a third longer: English in the pseudo-locale, in place of Uzbek. */
export type Tongue = InterfaceLanguage | 'long';
export interface Guise {
  readonly tongue: Tongue;
  readonly theme: 'light' | 'dark';
}
interface Seen {
  readonly guise: Guise;
  readonly look: Look;
  readonly texts: readonly string[];
}

export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

const windowSize: WindowSize = { width: 1280, height: 800 };
/**
 * The checks ask the page about positions and styles, which no pixel shows better, so during a check it is painted at a
 * tenth of its width and height. Layout, media queries and the page's answers are those of the full size.
 */
const paintedShare = 0.1;
const longWords = pseudoCatalogue(catalogues.en);
const codeOf = (tongue: Tongue): InterfaceLanguage => (tongue === 'long' ? 'uz' : tongue);

/** One window of a browser in which every screen is set up in turn and shown in every guise. */
export interface Stage {
  readonly page: Page;
  /** Errors, warnings and policy violations since the last screen was set up. */
  readonly complaints: string[];
  setUp(state: ScreenState): Promise<void>;
  /** Sets the size of the window that is checked; until the next `setUp` the mouse can't be used. */
  resize(size: WindowSize): Promise<void>;
  /** Takes a picture of the whole window as it is. */
  picture(path: string): Promise<void>;
  /** The problems in any of these guises, as lines; the last guise stays. */
  faultsIn(state: ScreenState, guises: readonly Guise[]): Promise<string[]>;
  turnTo(state: ScreenState, guise: Guise): Promise<void>;
  /** The problems axe finds on the present screen. */
  barriers(rules?: readonly string[], of?: Page): Promise<string[]>;
  /** The problems of the key window, in one guise, after a key was refused. */
  faultsOfKeyWindow(language: InterfaceLanguage, theme: 'light' | 'dark'): Promise<string[]>;
  close(): Promise<void>;
}

/** Texts of users and answers in a plan: they may be shortened, and are in no catalogue. */
function ownWords(plan: StudioPlan): string[] {
  const found = new Set<string>();
  const names =
    /^(?:name|title|summary|written|spoken|comment|sourceName|text|question|answer|say|write|speaker|requestId|code|serviceAddress|maskedSuffix|rawStatus|permission|details|version|savedAs|bugId|content|description|id|row|copyFolderName|copyTemplate|watchFolderName|exportFolderName|folderName|maskedKey|prefix|url|route|method|keyPrefix|eventTypes?|allowedIps|errorCode|currency|program|source|licence|sha256|published|missing|model)$/;
  const collect = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      if (names.test(key)) found.add(value);
    } else if (Array.isArray(value) && key === 'speakers') {
      for (const name of value) collect(name, 'name');
    } else if (Array.isArray(value)) {
      for (const inner of value) collect(inner, key);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) collect(inner, name);
    }
  };
  collect(plan, '');
  // The browser's name for the microphone of a test.
  found.add('MediaStreamAudioDestinationNode');
  // Titles in the library of a test without a plan.
  for (const title of ['Interview, Bukhara', 'Ustaxonada suhbat', 'Разговор о глине']) found.add(title);
  const folder = plan.app.settings.exportFolderName;
  // Uzbek texts of users may appear in either alphabet. Files are named after them, alone or in their folder.
  return [...found].flatMap((words) => {
    const files = ['', '.srt', '.docx', '.mp3'].map((extension) => safeFileName(words, extension));
    return [words, toUzbekCyrillic(words), ...files, ...files.map((file) => `${String(folder)} / ${file}`)];
  });
}

const vocabularies = new Map<string, Vocabulary>();
function vocabularyFor(state: ScreenState, tongue: Tongue): Vocabulary {
  const id = `${tongue} ${state.name}`;
  const words: Catalogue = tongue === 'long' ? longWords : catalogueOf(tongue);
  // The component library has strings of its own, which are not part of the lengthened catalogue.
  const others = tongue === 'long' ? [catalogues.uz.common.close] : [];
  // Captions name a speaker in the language of their text.
  others.push(
    ...[longWords, ...Object.values(catalogues)].map(({ common }) => common.speaker.replace('{{number}}', '')),
  );
  const made = vocabularies.get(id) ?? vocabularyOf(words, codeOf(tongue), [...ownWords(state.plan), ...others]);
  vocabularies.set(id, made);
  return made;
}

/** Runs in the page: applies one guise after another, and checks it. */
async function lookAtAll([settings, guises, own, isLooked]: readonly [
  Settings,
  readonly Guise[],
  readonly string[],
  boolean,
]): Promise<Seen[]> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const root = document.documentElement;
  const seen: Seen[] = [];
  for (const guise of guises) {
    const [tongueWorn] = window.guiseWorn?.split(' ') ?? [];
    const language = guise.tongue === 'long' ? 'uz' : guise.tongue;
    if (language === 'uz' && tongueWorn !== guise.tongue) {
      window.wordsUnderTest.addResourceBundle(
        'uz',
        'translation',
        window.uzbekWords[guise.tongue === 'long' ? 'long' : 'uz'],
      );
      if (root.lang === 'uz') await window.wordsUnderTest.changeLanguage('uz');
    }
    // The page would do the same within a tenth of a second, after every load again.
    if (language === 'uz-Cyrl')
      window.wordsUnderTest.addResourceBundle(language, 'translation', window.uzbekWords.cyrillic);
    const worn = `${guise.tongue} ${guise.theme}`;
    // A guise that is applied already is not applied again: the window may have changed its size since.
    if (window.guiseWorn !== worn)
      window.fakeStudio.emit('settings.changed', { ...settings, interfaceLanguage: language, appearance: guise.theme });
    window.guiseWorn = worn;
    const since = performance.now();
    while (root.lang !== language || root.dataset['theme'] !== guise.theme) {
      if (performance.now() - since > 10_000) throw new Error(`the page never turned to ${JSON.stringify(guise)}`);
      await frame();
    }
    // Two frames: React has drawn the new words and the browser has laid them out.
    await frame();
    await frame();
    if (isLooked) seen.push({ guise, look: window.looks.inspect(own), texts: window.looks.texts() });
  }
  return seen;
}

/** `isPictured`: pictures are taken, so it is painted at full size. */
export async function openStage(isPictured = false): Promise<Stage> {
  const share = isPictured ? 1 : paintedShare;
  const config = fileURLToPath(new URL('../support/vite-page-with-words.config.ts', import.meta.url));
  const [server, browser]: [Awaited<ReturnType<typeof serveBuiltPage>>, Browser] = await Promise.all([
    serveBuiltPage(config),
    launchQuietBrowser(),
  ]);
  if (server.addRecording(sample('interview-uz.mp3')) !== recordingToken)
    throw new Error('the recording of the editor is not at the address that its states name');
  const context = await browser.newContext({ viewport: windowSize, reducedMotion: 'reduce' });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  await slowDown(page);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A recording whose waveform was never drawn has none in the cache.
    if (message.text().includes('404 (Not Found)')) return;
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const looker = `Object.defineProperty(window, 'looks', { value: (${installLooks.toString()})(${cutTexts.toString()}) })`;
  await page.addInitScript(looker);
  const uzbekWords = JSON.stringify({ long: longWords, uz: catalogues.uz, cyrillic: catalogueOf('uz-Cyrl') });
  await page.addInitScript(
    `Object.defineProperty(window, 'uzbekWords', { value: JSON.parse(${JSON.stringify(uzbekWords)}) })`,
  );
  await putStudioOfLaidPlan(page);
  // Any page of the same origin will do: a plan can only be stored on its origin.
  await page.goto(`${server.origin}/key.html`);

  const session = await context.newCDPSession(page);
  let sizeNow = windowSize;
  let paintedNow = '';
  const paint = async (size: WindowSize, scale: number): Promise<void> => {
    const worn = `${String(size.width)} ${String(scale)}`;
    if (worn === paintedNow) return;
    paintedNow = worn;
    sizeNow = size;
    await session.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false, scale });
  };

  const load = async (state: ScreenState, settings: Partial<Settings> = {}) => {
    const app = { ...state.plan.app, settings: { ...state.plan.app.settings, ...settings } };
    await layPlan(page, { ...state.plan, app });
    await page.evaluate((location) => history.replaceState(null, '', `/#${location}`), state.location ?? '/');
    await page.reload();
    await page.waitForSelector('main');
    await page.evaluate(() => document.fonts.ready);
    await state.reach?.(page);
    await state.proof(page).waitFor();
  };
  const survey = async (state: ScreenState, guises: readonly Guise[], isLooked: boolean): Promise<readonly Seen[]> => {
    const { settings } = state.plan.app;
    const own = ownWords(state.plan);
    if (state.isDefect !== 'whole') return page.evaluate(lookAtAll, [settings, guises, own, isLooked] as const);
    // Nothing listens any more: each guise is loaded anew. The pseudo-locale is no language to start in.
    const seen: Seen[] = [];
    for (const guise of guises.filter(({ tongue }) => tongue !== 'long')) {
      const worn = { ...settings, interfaceLanguage: codeOf(guise.tongue), appearance: guise.theme };
      await load(state, worn);
      seen.push(...(await page.evaluate(lookAtAll, [worn, [guise], own, isLooked] as const)));
    }
    return seen;
  };

  const stage: Stage = {
    page,
    complaints,
    async setUp(state) {
      await paint(windowSize, 1);
      complaints.length = 0;
      await load(state);
      await paint(windowSize, share);
    },
    resize: (size) => paint(size, share),
    async picture(path) {
      const size = sizeNow;
      await paint(size, 1);
      // Playwright's own function would reset the window to its first size.
      const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
      await writeFile(path, Buffer.from(data, 'base64'));
      await paint(size, share);
    },
    async faultsIn(state, guises) {
      const faults: string[] = [];
      const { width } = sizeNow;
      for (const { guise, look, texts } of await survey(state, guises, true)) {
        const where = `${String(width)} ${guise.tongue} ${guise.theme}`;
        const foreign = findForeign(texts, vocabularyFor(state, guise.tongue));
        for (const [fault, found] of Object.entries({ ...look, foreign }))
          faults.push(...found.map((what: string) => `${where}: ${fault}: ${what}`));
      }
      if (!(await state.proof(page).isVisible())) faults.push(`${String(width)}: the state is gone`);
      return faults;
    },
    turnTo: async (state, guise) => void (await survey(state, [guise], false)),
    async faultsOfKeyWindow(language, theme) {
      const words = catalogueOf(language);
      const { title, label, hint, save, cancel, show, hide, problems } = words.dialogs.key;
      const shown = { language, appearance: theme, contrast: 'system', title, label, hint, save, cancel, show, hide };
      const key = await context.newPage();
      await key.setViewportSize({ width: 480, height: 330 });
      await key.addInitScript(looker);
      await key.addInitScript(
        ([given, problem]) => {
          const bridge = {
            words: () => Promise.resolve(given),
            submitKey: () => Promise.resolve({ accepted: false, problem }),
            cancel: () => undefined,
          };
          Object.defineProperty(window, 'keyEntry', { value: bridge });
        },
        [shown, problems.length] as const,
      );
      await key.goto(`${server.origin}/key.html`);
      await key.locator('#key').press('Enter');
      await key.getByRole('alert').filter({ hasText: problems.length }).waitFor();
      const look = await key.evaluate(() => window.looks.inspect([]));
      const foreign = findForeign(await key.evaluate(() => window.looks.texts()), vocabularyOf(words, language));
      const faults = Object.entries({ ...look, foreign, axe: await stage.barriers(undefined, key) });
      await key.close();
      return faults.flatMap(([fault, found]) => found.map((what: string) => `${language} ${theme}: ${fault}: ${what}`));
    },
    async barriers(rules, of = page) {
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      return (await tellBarriers(of, rules === undefined ? { tags } : { rules })).map((line) => `axe: ${line}`);
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
  return stage;
}
