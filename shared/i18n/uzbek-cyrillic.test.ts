import { describe, expect, it } from 'vitest';
import { toUzbekLatin } from '../domain/text/transliterate-uzbek.ts';
import { catalogues } from './catalogues.ts';
import { textsByPath, uzbekCyrillic } from './uzbek-cyrillic.ts';

const { ru, uz } = catalogues;

/** Columns of a help text are as wide as their words. */
const unaligned = (text: string) => text.replaceAll(/ {2,}/g, '  ');

const latin = textsByPath(uz);
const cyrillic = textsByPath(uzbekCyrillic());

describe('the interface in Uzbek Cyrillic', () => {
  it('converts back to the Latin words letter for letter', () => {
    // "Русский" is Cyrillic in both alphabets.
    const differing = [...cyrillic].filter(
      ([path, text]) => unaligned(toUzbekLatin(text)) !== unaligned(toUzbekLatin(latin.get(path) ?? '')),
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

  it('keeps every Latin word that Russian keeps too: it is a name, a format or something that is typed', () => {
    const russian = textsByPath(ru);
    const words = (text: string) =>
      text
        .replaceAll(/\{\{[^}]+\}\}/g, ' ')
        .match(/(?:--|(?<!\p{L}))[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}.-]*/gu) ?? [];
    const lost = [...latin].flatMap(([path, text]) => {
      const [named, kept] = [new Set(words(russian.get(path) ?? '')), new Set(words(cyrillic.get(path) ?? ''))];
      return words(text)
        .filter((word) => named.has(word) && !kept.has(word))
        .map((word) => `${path}: ${word}`);
    });
    expect(lost).toEqual([]);
    expect(cyrillic.get('exports.profiles.netflix-en')).toBe('Netflix, инглизча');
    expect(cyrillic.get('exports.formats.fcpxml.use')).toContain('Final Cut, DaVinci Resolve ва Premiere');
  });
});
