import { describe, expect, test } from 'vitest';
import { catalogues } from '../../i18n/catalogues.ts';
import { failureActions } from './actions.ts';
import { codesWithWords, describeFailure, failureVariants, kindsWithLocalWords } from './describe-failure.ts';
import { makeFailure } from './make-failure.ts';
import { failureRows } from './rows.ts';
import { parseStored, type FailureKind } from '../../result/failure-kinds.ts';
import type { Failure } from '../../result/failure.ts';

const rows = Object.keys(failureRows) as FailureKind[];
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
});

test.each(languages)('every action and every variant has a string in %s', (language) => {
  for (const action of failureActions) expect(wordsAt(language, `errors.actions.${action}`)).toBeDefined();
  for (const code of failureVariants) {
    for (const params of [{}, { name: 'a.mp3' }]) {
      const found = describeFailure(makeFailure('not-a-recording', { code, params }), language);
      expect(found.textKey).toContain(code);
      expect(placeholders(wordsAt(language, found.textKey) ?? '')).toEqual(Object.keys(params));
    }
  }
});

test.each(languages)(
  'without a key nothing is said to be unsent that is at the service, or may be, in %s',
  (language) => {
    const textFor = (outcome: 'not_sent' | 'unknown' | 'accepted') =>
      wordsAt(language, describeFailure(makeFailure('key-missing', { outcome }), language).textKey) ??
      'nothing was sent';
    const unsent = /nothing was sent|ничего не отправлено|hech narsa yuborilmadi/u;
    expect(textFor('not_sent')).toMatch(unsent);
    for (const outcome of ['unknown', 'accepted'] as const) expect(textFor(outcome)).not.toMatch(unsent);
  },
);

test.each(languages)(
  'where this computer does the work, no failure of the work speaks of a service or of money in %s',
  (language) => {
    for (const row of kindsWithLocalWords) {
      const { titleKey, textKey } = describeFailure(makeFailure(row), language, 'local');
      const words = `${wordsAt(language, titleKey) ?? 'service'} ${wordsAt(language, textKey) ?? 'service'}`;
      expect(words).not.toMatch(/service|charg|credit|сервис|списан|списать|кредит|xizmat|pul|kredit|\{\{/iu);
    }
  },
);

test('no string belongs to a kind, an action or a value that does not exist', () => {
  const { actions, variants, codes, fallback, local, localActions, keyAfterSending, ...perRow } = catalogues.en.errors;
  expect(Object.keys(perRow).toSorted()).toEqual(rows.toSorted());
  expect(Object.keys(actions).toSorted()).toEqual([...failureActions].toSorted());
  expect(Object.keys(variants).toSorted()).toEqual([...failureVariants].toSorted());
  expect(Object.keys(local).toSorted()).toEqual([...kindsWithLocalWords].toSorted());
  expect(Object.keys(localActions).every((action) => Object.hasOwn(actions, action))).toBe(true);
  expect(Object.keys(codes).toSorted()).toEqual(Object.values(codesWithWords).flat().toSorted());
  expect(Object.keys(keyAfterSending)).toEqual(['accepted', 'unknown']);
  expect(fallback.text).not.toBe('');
});

test('a failure that was stored before kinds had names has the words of its number', () => {
  const { kind: _, ...before } = makeFailure('credits-exhausted');
  expect(parseStored(JSON.stringify({ state: { failure: before } }))).toEqual({
    state: { failure: makeFailure('credits-exhausted') },
  });
});

test('a kind of a newer version gets the general text', () => {
  const stored = JSON.stringify({ ...makeFailure('request-invalid'), kind: undefined, row: 'E-999' });
  const described = describeFailure(parseStored(stored) as Failure);
  expect(described).toMatchObject({ textKey: 'errors.fallback.text', actions: ['copy-details'] });
});

test('names a file as it is called, however long its name is, and hides only what has the form of a key', () => {
  const named = (name: string) => makeFailure('already-in-queue', { params: { name } }).params?.['name'];
  const long = '2025-11-18_interview-with-karimova_part-2.mp3';
  expect([named(long), named('key-points-of-the-meeting.ogg')]).toEqual([long, 'key-points-of-the-meeting.ogg']);
  expect(named('sk_live_4f9Qz81LmT0aBc.mp3')).toContain('[secret]');
});
