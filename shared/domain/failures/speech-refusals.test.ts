import { describe, expect, it } from 'vitest';
import { catalogues } from '../../i18n/catalogues.ts';
import { failureOfRefusal, speechRefusals } from '../../../tests/support/speech-refusals.ts';
import { describeFailure } from './describe-failure.ts';

const languages = ['en', 'ru', 'uz'] as const;

const wordsAt = (language: (typeof languages)[number], key: string): unknown =>
  key
    .split('.')
    .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], catalogues[language]);

describe.each(speechRefusals)('when %s', (_, area, request, refusals) => {
  it.each(refusals)('a %i %s is %s: %s, %s, %s', (...refusal) => {
    const [, , row, ...titles] = refusal;
    const failure = failureOfRefusal(refusal, area, request);
    expect(failure.row).toBe(row);
    const { titleKey, textKey } = describeFailure(failure);
    expect(languages.map((language) => wordsAt(language, titleKey))).toEqual(titles);
    for (const language of languages) expect(String(wordsAt(language, textKey)).length).toBeGreaterThan(30);
  });
});
