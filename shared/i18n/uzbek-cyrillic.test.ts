import { describe, expect, it } from 'vitest';
import { toUzbekLatin } from '../domain/text/transliterate-uzbek.ts';
import { mapWords } from './map-words.ts';
import { uz } from './uz/index.ts';
import { uzbekCyrillic } from './uzbek-cyrillic.ts';

function texts(words: object): Map<string, string> {
  const found = new Map<string, string>();
  mapWords(words, (text, path) => {
    found.set(path, text);
    return text;
  });
  return found;
}

const latin = texts(uz);
const cyrillic = texts(uzbekCyrillic());

describe('the interface in Uzbek Cyrillic', () => {
  it('has every key of the Latin one, and reads as in the mocks of the language', () => {
    expect([...cyrillic.keys()]).toEqual([...latin.keys()]);
    expect(cyrillic.get('common.cancel')).toBe('Бекор қилиш');
    expect(cyrillic.get('common.tryAgain')).toBe('Қайта уриниб кўринг');
    expect(cyrillic.get('welcome.choices')).toBe('Бошлаш усули');
    expect(cyrillic.get('cli.speaker')).toBe('Сўзловчи {{number}}');
  });

  it('comes back to the Latin words letter for letter', () => {
    const differing = [...cyrillic].filter(
      ([path, text]) => !path.startsWith('common.languages.') && toUzbekLatin(text) !== latin.get(path),
    );
    expect(differing).toEqual([]);
    expect(cyrillic.size).toBeGreaterThan(400);
  });

  it('keeps every placeholder', () => {
    const placeholders = (text: string | undefined) => text?.match(/\{\{[^}]+\}\}/g) ?? [];
    const differing = [...cyrillic].filter(
      ([path, text]) => String(placeholders(text)) !== String(placeholders(latin.get(path))),
    );
    expect(differing).toEqual([]);
  });

  it('has Latin letters only in names, formats and keys', () => {
    const known =
      /\{\{[^}]+\}\}|Ovoz Studio|SubRip|WebVTT|WebM|WebP|PNG|JPEG|GIF|PDF|MP3|WAV|M4A|OGG|FLAC|JSON|API|IP|URL|OK|TLS|HTTPS?|Enter|Tab|F6|https:\/\/\S*|--practice/g;
    const left = [...cyrillic].filter(
      ([path, text]) =>
        !path.startsWith('common.languages.') &&
        !(path.startsWith('cli.') && path !== 'cli.speaker') &&
        /[a-z]/i.test(text.replaceAll(known, '')),
    );
    expect(left).toEqual([]);
  });

  it('calls languages by their own names in their own letters', () => {
    expect(uzbekCyrillic().common.languages).toEqual(uz.common.languages);
    expect(uzbekCyrillic().common.languageNames.ru).toBe('Русча');
  });
});
