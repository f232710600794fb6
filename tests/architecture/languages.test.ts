import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import { mapWords } from '../../shared/i18n/uzbek-cyrillic.ts';

const plural = /_(zero|one|two|few|many|other)$/;
const stem = (key: string) => key.replace(plural, '');

function words(language: keyof typeof catalogues): (readonly [key: string, text: string])[] {
  const found: (readonly [string, string])[] = [];
  mapWords(catalogues[language], (text, key) => {
    found.push([key, text]);
    return text;
  });
  return found;
}

/** Without their formats: a language may write a name in lower case where another does not. */
const placeholders = (text: string) =>
  new Set(text.replaceAll(/, lowercase(?=\}\})/g, '').match(/\{\{[^}]+\}\}/g) ?? []);

const pluralForms = { en: ['one', 'other'], uz: ['one', 'other'], ru: ['one', 'few', 'many', 'other'] } as const;

describe('the three languages', () => {
  it.each(['en', 'uz', 'ru'] as const)('every file of %s is listed among the areas', (language) => {
    const files = readdirSync(new URL(`../../shared/i18n/${language}/`, import.meta.url));
    const areas = files.filter((name) => name.endsWith('.json')).map((name) => name.replace('.json', ''));
    expect(Object.keys(catalogues[language]).toSorted()).toEqual(areas.toSorted());
  });

  it.each(['uz', 'ru'] as const)('%s has exactly the keys of English', (language) => {
    const keys = (of: keyof typeof catalogues) => [...new Set(words(of).map(([key]) => stem(key)))].toSorted();
    expect(keys(language)).toEqual(keys('en'));
    expect(words('en').length).toBeGreaterThan(100);
  });

  it.each(['en', 'uz', 'ru'] as const)('%s has every plural form its grammar asks for', (language) => {
    const all = new Set(words(language).map(([key]) => key));
    const stems = new Set([...all].filter((key) => plural.test(key)).map(stem));
    const missing = [...stems].flatMap((key) =>
      pluralForms[language].map((form) => `${key}_${form}`).filter((form) => !all.has(form)),
    );
    expect(missing).toEqual([]);
  });

  it.each(['uz', 'ru'] as const)('%s says the same things as English in every sentence', (language) => {
    const english = new Map(words('en').map(([key, text]) => [key, text]));
    const differing = words(language).filter(([key, text]) => {
      const original = english.get(key) ?? english.get(`${stem(key)}_other`) ?? '';
      const [own, theirs] = [placeholders(text), placeholders(original)];
      // A singular may leave its number out ("one file"); nothing else may be missing or new.
      if (plural.test(key)) [own, theirs].forEach((set) => set.delete('{{count}}'));
      return own.symmetricDifference(theirs).size > 0;
    });
    expect(differing).toEqual([]);
  });

  it.each(['uz', 'ru'] as const)('no line of %s begins with a dash', (language) => {
    // The terminal draws no lines of its own.
    const loose = words(language).filter(([key, text]) => / —/.test(text) && !key.startsWith('cli'));
    expect(loose).toEqual([]);
  });

  it('Uzbek uses its own letters: oʻ and gʻ with U+02BB, the tutuq belgisi with U+02BC', () => {
    const wrong = words('uz').filter(([, text]) => /[oOgG]['’‘`ʼ]|[a-zA-Z]['’‘`][a-zA-Z]/.test(text));
    expect(wrong).toEqual([]);
  });

  it.each(['en', 'uz', 'ru'] as const)('%s has no empty string and no stray space', (language) => {
    expect(words(language).filter(([, text]) => text.trim() !== text || text === '')).toEqual([]);
  });

  it('Russian is written in Cyrillic and Uzbek is not', () => {
    const ownName = /Oʻzbekcha|Ўзбекча|Русский|English|Ovoz Studio|Markdown|OpenTimelineIO/g;
    expect(words('uz').filter(([, text]) => /[а-яА-ЯёЁ]/.test(text.replace(ownName, '')))).toEqual([]);
    const latin = words('ru').filter(
      ([key, text]) =>
        /[a-z]{4,}/.test(text.replace(ownName, '').replace(/\{\{[^}]+\}\}/g, '')) && !key.startsWith('cli.'),
    );
    expect(latin.filter(([, text]) => !/[а-я]/.test(text))).toEqual([]);
  });
});
