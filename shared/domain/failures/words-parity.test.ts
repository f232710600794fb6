import { describe, expect, test } from 'vitest';
import { catalogues } from '../../i18n/catalogues.ts';
import { failureActions } from './actions.ts';
import { codesWithWords, describeFailure, failureVariants, rowsWithLocalWords } from './describe-failure.ts';
import { makeFailure } from './make-failure.ts';
import { failureParamKinds } from './row.ts';
import { failureRows, type KnownRow } from './rows.ts';

const rows = Object.keys(failureRows) as KnownRow[];
const languages = ['en', 'uz', 'ru'] as const;

function wordsAt(language: (typeof languages)[number], key: string): string | undefined {
  let node: unknown = catalogues[language];
  for (const part of key.split('.')) node = (node as Record<string, unknown> | undefined)?.[part];
  return typeof node === 'string' ? node : undefined;
}

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/gu)].map((match) => match[1] ?? '').toSorted();

describe.each(rows)('%s', (row) => {
  test.each(languages)('has a short title and a text with exactly its own placeholders in %s', (language) => {
    const title = wordsAt(language, `errors.${row}.title`) ?? '';
    const text = wordsAt(language, `errors.${row}.text`) ?? '';
    expect(title.length).toBeGreaterThan(2);
    expect(title.length).toBeLessThanOrEqual(language === 'en' ? 45 : 48);
    expect(placeholders(title)).toEqual([]);
    expect(placeholders(text)).toEqual([...(failureRows[row].params ?? [])].toSorted());
    const plain = wordsAt(language, `errors.${row}.textPlain`);
    expect(plain !== undefined).toBe(failureRows[row].params !== undefined);
    expect(placeholders(plain ?? '')).toEqual([]);
  });

  test('is described by existing strings, with or without its values', () => {
    const params = Object.fromEntries((failureRows[row].params ?? []).map((name) => [name, 1_500_000]));
    for (const failure of [makeFailure(row), makeFailure(row, { params })]) {
      for (const language of languages) {
        const description = describeFailure(failure, language);
        const text = wordsAt(language, description.textKey) ?? '';
        expect(wordsAt(language, description.titleKey)).toBeDefined();
        expect(placeholders(text).every((name) => description.params[name] !== undefined)).toBe(true);
        expect(text).not.toBe('');
      }
    }
  });
});

test.each(languages)('every action and every variant has a string in %s', (language) => {
  for (const action of failureActions) expect(wordsAt(language, `errors.actions.${action}`)).toBeDefined();
  for (const code of failureVariants) {
    for (const params of [{}, { name: 'a.mp3' }]) {
      const found = describeFailure(makeFailure('E-211', { code, params }), language);
      expect(found.textKey).toContain(code);
      expect(placeholders(wordsAt(language, found.textKey) ?? '')).toEqual(Object.keys(params));
    }
  }
});

test.each(languages)('failures that jobs of every kind can have speak of no transcript in %s', (language) => {
  const shared = [
    'E-010',
    'E-011',
    'E-022',
    'E-024',
    'E-028',
    'E-160',
    'E-161',
    'E-173',
    'E-175',
    'E-211',
    'E-212',
    'E-245',
  ];
  const files = failureVariants.filter((code) => !/^(?:legacy_|no_recording|text_file)/u.test(code));
  for (const key of [...shared, ...files.map((code) => `variants.${code}`)])
    for (const part of ['title', 'text', 'textPlain'])
      expect(wordsAt(language, `errors.${key}.${part}`) ?? '').not.toMatch(/transcri|\btext|расшифр|текст|matn/iu);
});

test.each(languages)('a code that shares its row has a text of its own in %s', (language) => {
  for (const [row, codes] of Object.entries(codesWithWords)) {
    for (const code of codes) {
      const { titleKey, textKey } = describeFailure(makeFailure(row as KnownRow, { code }), language);
      expect(titleKey).toBe(`errors.codes.${code}.title`);
      expect((wordsAt(language, titleKey) ?? '').length).toBeLessThanOrEqual(language === 'en' ? 45 : 48);
      expect(placeholders(wordsAt(language, textKey) ?? '{{missing}}')).toEqual([]);
    }
  }
});

test.each(languages)(
  'where this computer does the work, no failure of the work speaks of a service or of money in %s',
  (language) => {
    for (const row of rowsWithLocalWords) {
      const { titleKey, textKey } = describeFailure(makeFailure(row), language, 'local');
      const words = `${wordsAt(language, titleKey) ?? 'service'} ${wordsAt(language, textKey) ?? 'service'}`;
      expect(words).not.toMatch(/service|charg|credit|сервис|списан|списать|кредит|xizmat|pul|kredit|\{\{/iu);
    }
  },
);

test('no string belongs to a row, an action or a value that does not exist', () => {
  const { actions, variants, codes, fallback, local, localActions, ...perRow } = catalogues.en.errors;
  expect(Object.keys(perRow).toSorted()).toEqual(rows.toSorted());
  expect(Object.keys(actions).toSorted()).toEqual([...failureActions].toSorted());
  expect(Object.keys(variants).toSorted()).toEqual([...failureVariants].toSorted());
  expect(Object.keys(local).toSorted()).toEqual([...rowsWithLocalWords].toSorted());
  expect(Object.keys(localActions).every((action) => Object.hasOwn(actions, action))).toBe(true);
  expect(Object.keys(codes).toSorted()).toEqual(Object.values(codesWithWords).flat().toSorted());
  expect(fallback.text).not.toBe('');
});

test('Uzbek strings use the letters oʻ and gʻ, never an ordinary apostrophe', () => {
  expect(JSON.stringify(catalogues.uz.errors)).not.toMatch(/[og]['‘’`]/iu);
});

test('sizes, waits and dates are formatted in the language of the interface', () => {
  const tooLarge = makeFailure('E-048', { params: { size: 524_288_000 } });
  expect(describeFailure(tooLarge, 'ru').params).toEqual({ size: '524,3 МБ' });
  const slowDown = (wait: number): string | undefined =>
    describeFailure(makeFailure('E-052', { params: { wait } }), 'ru').params['wait'];
  expect(slowDown(14_000)).toBe('14 секунд');
  expect(slowDown(150_000)).toBe('3 минуты');
  expect(slowDown(0)).toBe('1 секунда');
  expect(Object.keys(failureParamKinds)).toContain('date');
});

test('a row of a newer version gets the general text', () => {
  const future = { ...makeFailure('E-030'), row: 'E-999' as const };
  expect(describeFailure(future)).toMatchObject({ textKey: 'errors.fallback.text', actions: ['copy-details'] });
});

test('names a file as it is called, however long its name is, and hides only what has the form of a key', () => {
  const named = (name: string) => makeFailure('E-212', { params: { name } }).params?.['name'];
  const long = '2025-11-18_interview-with-karimova_part-2.mp3';
  expect([named(long), named('key-points-of-the-meeting.ogg')]).toEqual([long, 'key-points-of-the-meeting.ogg']);
  expect(named('sk_live_4f9Qz81LmT0aBc.mp3')).toContain('[secret]');
});
