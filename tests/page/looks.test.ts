import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interfaceLanguages } from '../../shared/domain/languages.ts';
import { openStage, type Guise, type Stage, type Tongue, type WindowSize } from './looks-stage.ts';
import { screenStates, type ScreenState } from './screens.ts';

const themes = ['light', 'dark'] as const;
const tongues: readonly Tongue[] = [...interfaceLanguages, 'long'];

const wide: WindowSize = { width: 1280, height: 800 };
const narrow: WindowSize = { width: 960, height: 640 };
/** The smallest window with the interface at 200 %. */
const enlarged: WindowSize = { width: 480, height: 320 };

interface View {
  readonly guise: Guise;
  readonly size: WindowSize;
}
const view = (tongue: Tongue, theme: Guise['theme'], size: WindowSize): View => ({ guise: { tongue, theme }, size });

/** The guise in which every check runs: English, at the default size. */
const firstLook = view('en', 'light', wide);

/**
 * Every run checks each fourth of its states also in the next of these guises, and another fourth in the dark: a theme
 * changes only colours (`tests/architecture/theme.test.ts`), the third alphabet is as wide as the second, and the longest
 * texts matter where space is limited. `npm run test:long` checks every state in every guise.
 */
const inTurn: readonly View[] = [
  view('ru', 'light', enlarged),
  view('uz', 'light', narrow),
  view('long', 'light', narrow),
  view('ru', 'light', wide),
];
const all: readonly View[] = tongues.flatMap((tongue) =>
  themes.flatMap((theme) => [enlarged, narrow, wide].map((size) => view(tongue, theme, size))),
);
/** A folder for pictures of every screen in every guise, to compare with the mocks. */
const pictures = process.env['OVOZ_PICTURES'];
const wanted = process.env['OVOZ_STATE'] ?? '';

const isThorough = process.env['OVOZ_LONG'] !== undefined;
/** Selecting a screen by name means checking it in full. */
const isOneScreen = wanted !== '';
const viewsOf = (at: number): readonly View[] => {
  if (isThorough) return all;
  if (isOneScreen) return [firstLook, ...inTurn];
  return [firstLook, ...inTurn.filter((_, turn) => at % (4 * inTurn.length) === 4 * turn)];
};
/** Never a state that every run checks in a second guise: the work is spread. */
const isSeenInTheDark = (at: number): boolean => isThorough || isOneScreen || at % 4 === 2;
const isFirstLook = ({ guise, size }: View) => guise.tongue === 'en' && guise.theme === 'light' && size === wide;

/** Runs in the page: plants one defect of each kind, using words of the catalogue unless the words are the defect. */
function plantDefects(): void {
  const main = document.querySelector('main');
  const plant = (tag: string, text: string, style: Readonly<Record<string, string>>, parent: Element | null = main) => {
    const element = document.createElement(tag);
    element.textContent = text;
    Object.assign(element.style, { position: 'fixed', insetInlineStart: '300px', ...style });
    parent?.append(element);
    return element;
  };
  const cut = { insetBlockStart: '300px', inlineSize: '40px', overflow: 'hidden', whiteSpace: 'nowrap' };
  plant('p', 'Kesilgan soʻz', cut);
  plant('p', 'Ustma-ust', { insetBlockStart: '330px' });
  plant('p', 'Ustma-ust yozuv', { insetBlockStart: '332px' });
  plant('p', 'Yopilgan', { insetBlockStart: '360px' });
  plant('p', 'Toʻsiq', { insetBlockStart: '350px', inlineSize: '300px', blockSize: '40px', background: 'white' });
  plant('button', 'Bir', { insetBlockStart: '400px', inlineSize: '90px' });
  plant('button', 'Ikki', { insetBlockStart: '405px', insetInlineStart: '340px', inlineSize: '90px' });
  const pane = plant('div', 'Yonga suriladigan', { insetBlockStart: '450px', inlineSize: '90px', overflow: 'auto' });
  plant('p', '', { position: 'static', inlineSize: '500px', blockSize: '4px' }, pane);
  const field = plant('input', '', { insetBlockStart: '480px', inlineSize: '60px' });
  field.setAttribute('placeholder', 'Juda uzun yozuv shu yerga');
  plant('p', 'Xira', { insetBlockStart: '510px', color: '#ddd', background: '#fff' });
  plant('p', '·', { insetBlockStart: '530px' }).animate([{ opacity: 0.5 }, { opacity: 1 }], {
    duration: 1000,
    iterations: Number.POSITIVE_INFINITY,
  });
  plant('p', 'Напечатано', { insetBlockStart: '560px' });
  plant('p', '·', { insetBlockStart: '580px' }).setAttribute('aria-label', 'Dismiss');
  plant('p', 'transcribe.title', { insetBlockStart: '600px' });
  plant('p', '{{count}} fayl', { insetBlockStart: '620px' });
  plant('p', 'Words without a translation', { insetBlockStart: '640px' });
  plant('button', '', { insetBlockStart: '660px' });
  const list = plant('div', '', { insetBlockStart: '680px' });
  plant('p', 'Birinchi', { position: 'static' }, list);
  plant('p', 'Ikkinchi', { position: 'static' }, list).setAttribute('aria-selected', 'true');
}

/** Runs in the page: a selected item that looks like its neighbour. */
function sameInForcedColours(): string[] {
  const marks = '[aria-current], [aria-selected="true"], [aria-pressed="true"], [data-selected], label:has(:checked)';
  const isMarked = (element: Element) => element.matches(marks) || element.querySelector(marks) !== null;
  const looksOf = (element: Element) => {
    const seen = [element, ...element.querySelectorAll('*')].flatMap((part) =>
      [undefined, '::before', '::after'].map((pseudo) => {
        const style = getComputedStyle(part, pseudo);
        return `${style.content} ${style.visibility} ${style.color} ${style.backgroundColor} ${style.border} ${style.outline} ${style.fontWeight}`;
      }),
    );
    return JSON.stringify([...new Set(seen)].toSorted());
  };
  return [...document.querySelectorAll(marks)]
    .filter((element) => element.checkVisibility())
    .flatMap((element) => {
      const box = element.parentElement?.children.length === 1 ? element.parentElement : element;
      const others = [...(box.parentElement?.children ?? [])].filter(
        (other) => other.tagName === box.tagName && other.checkVisibility() && !isMarked(other),
      );
      return others.some((other) => looksOf(other) === looksOf(box)) ? [element.textContent ?? ''] : [];
    });
}

let stage: Stage;
beforeAll(async () => {
  stage = await openStage(pictures !== undefined);
});
afterAll(() => stage.close());

describe('these checks', () => {
  it('find each planted defect by its name', async () => {
    const [state] = screenStates.filter(({ name }) => name === 'empty queue in practice mode');
    if (state === undefined) throw new Error('there is no screen to plant defects in');
    await stage.setUp(state);
    const looks = [
      { tongue: 'uz', theme: 'light' },
      { tongue: 'long', theme: 'dark' },
    ] as const;
    expect(await stage.faultsIn(state, looks)).toEqual([]);
    await stage.page.evaluate(plantDefects);
    const faults = await stage.faultsIn(state, looks);
    for (const planted of [
      /1280 uz light: cut: Kesilgan soʻz \(sideways\)/,
      /1280 long dark: cut: Kesilgan/,
      /uz light: overlapping: words: .*Ustma-ust/,
      /uz light: overlapping: covered: Yopilgan by Toʻsiq/,
      /uz light: overlapping: controls: Bir \/ Ikki/,
      /uz light: sideways: Yonga suriladigan/,
      /uz light: sideways: placeholder: Juda uzun/,
      /uz light: faint: Xira \(1\.\d+ of 4\.5\)/,
      /uz light: moving: Animation/,
      /uz light: foreign: напечатано: Напечатано/,
      /uz light: foreign: dismiss: Dismiss/,
      /uz light: foreign: key: transcribe\.title/,
      /uz light: foreign: placeholder: \{\{count\}\} fayl/,
      /long dark: foreign: words without translation: Words without a translation/,
    ]) {
      expect(faults.join('\n')).toMatch(planted);
    }
    expect((await stage.barriers()).join()).toMatch(/button-name.*color-contrast|color-contrast.*button-name/s);
    await expect.poll(() => stage.page.evaluate(sameInForcedColours)).toContain('Ikkinchi');
  });
});

it('the key window is whole in every language and in the dark theme, with its longest error', async () => {
  const faults: string[] = [];
  for (const language of interfaceLanguages) faults.push(...(await stage.faultsOfKeyWindow(language, 'light')));
  faults.push(...(await stage.faultsOfKeyWindow('en', 'dark')));
  expect(faults).toEqual([]);
}, 60_000);

it('format counts in Uzbek correctly, whatever the language of the system', async () => {
  // Chromium has no Uzbek dates or units, which are written by hand; it does have plurals.
  const counted = await stage.page.evaluate(() =>
    ['uz', 'uz-Cyrl'].map((language) => {
      const rules = new Intl.PluralRules(language);
      return [rules.resolvedOptions().locale, ...[1, 3, 7, 21].map((count) => rules.select(count))].join(' ');
    }),
  );
  expect(counted).toEqual(['uz one other other other', 'uz one other other other']);
});

/** Colours in the dark, with more contrast, and with the colours of the system. */
async function faultsInTheDark(state: ScreenState): Promise<string[]> {
  const faults: string[] = [];
  const dark = { tongue: 'en', theme: 'dark' } as const;
  await stage.turnTo(state, dark);
  // This theme only needs its colours checked.
  faults.push(...(await stage.barriers(['color-contrast'])).map((what) => `dark: ${what}`));
  await stage.page.emulateMedia({ contrast: 'more' });
  faults.push(...(await stage.faultsIn(state, [dark])).map((what) => `contrast: ${what}`));
  await stage.page.emulateMedia({ contrast: null, forcedColors: 'active' });
  const same = await stage.page.evaluate(sameInForcedColours);
  faults.push(...same.map((what) => `forced colours: looks like what is not chosen: ${what}`));
  await stage.page.emulateMedia({ forcedColors: null });
  return faults;
}

const seenInEveryRun = screenStates.filter(({ isSeenInEveryRun }) => isSeenInEveryRun);
const others = screenStates.filter((state) => !seenInEveryRun.includes(state));
const looked = [seenInEveryRun, others].flatMap((states) =>
  states
    .map((state, at) => ({ name: state.name, state, views: viewsOf(at), isDarkSeen: isSeenInTheDark(at) }))
    .filter(({ name }) => new RegExp(wanted).test(name)),
);
describe.each(looked)('$name', ({ state, views, isDarkSeen }) => {
  const options = { timeout: 120_000, tags: state.isSeenInEveryRun ? [] : ['long'] };
  it('is whole, speaks no other language, and axe finds nothing', options, async () => {
    await stage.setUp(state);
    const faults: string[] = [];
    if (isDarkSeen) faults.push(...(await faultsInTheDark(state)));
    for (const seen of views) {
      const { guise, size } = seen;
      await stage.resize(size);
      faults.push(...(await stage.faultsIn(state, [guise])));
      if (isFirstLook(seen)) faults.push(...(await stage.barriers()).map((what) => `light: ${what}`));
      if (pictures === undefined) continue;
      const name = `${state.name.replaceAll(/\W+/g, '-')}-${guise.tongue}-${guise.theme}-${String(size.width)}`;
      await stage.picture(`${pictures}/${name}.png`);
    }
    expect.soft(faults).toEqual([]);
    if (state.isDefect === undefined) expect(stage.complaints).toEqual([]);
  });
});
