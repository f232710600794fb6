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
  it('has every key of the Latin one, and reads as in the mocks of the language', () => {
    expect([...cyrillic.keys()]).toEqual([...latin.keys()]);
    expect(cyrillic.get('common.cancel')).toBe('Бекор қилиш');
    expect(cyrillic.get('common.tryAgain')).toBe('Қайта уриниб кўринг');
    expect(cyrillic.get('welcome.lookAround')).toBe('Намуналар билан танишиш');
    expect(cyrillic.get('cli.speaker')).toBe('{{number}}-сўзловчи');
  });

  it('keeps what is typed or named in Latin letters everywhere, and writes loanwords as Cyrillic does', () => {
    expect(cyrillic.get('errors.E-234.text')).toContain(' https:// билан');
    expect(cyrillic.get('cli.problem.badAddress')).toContain(' https:// билан');
    expect(cyrillic.get('network.legacy.hint')).toContain('(X-Api-Key)');
    expect(cyrillic.get('settings.shortcuts.letters')).toBe('Ctrl ва Altсиз тугмалар');
    expect(cyrillic.get('settings.storage.whereMoved')).toContain('“Ovoz Studio Library” ичида');
    expect(cyrillic.get('errors.variants.needs_converter.title')).toContain('ffmpeg');
    expect(cyrillic.get('errors.codes.webhook_not_found.title')).toBe('Бу вебхук энди мавжуд эмас');
    expect(cyrillic.get('cli.models.prices')).toContain('центларида');
  });

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

  it('has Latin letters only where Russian has the same: in names, formats and keys', () => {
    const russian = textsByPath(ru);
    const latinWords = (text: string) => text.replaceAll(/\{\{[^}]+\}\}/g, ' ').match(/[a-z][\wʻʼ]*/gi) ?? [];
    const left = [...cyrillic].flatMap(([path, text]) => {
      if (path.startsWith('common.languages.')) return [];
      const known = new Set([...latinWords(russian.get(path) ?? ''), ...Object.values(uz.common.languages)]);
      return latinWords(text)
        .filter((word) => !known.has(word))
        .map((word) => `${path}: ${word}`);
    });
    expect(left).toEqual([]);
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

  it('keeps what is typed in a terminal, and the columns of its help', () => {
    const usage = cyrillic.get('cli.help.transcribe') ?? '';
    expect(usage).toContain('npm run cli -- transcribe ЙЎЛЛАР... --language uz|ru|en [параметрлар]');
    const columns = (text: string) => text.match(/^ {2}-.*? {2,}/gm)?.map(({ length }) => length);
    expect(columns(usage)).toEqual(columns(latin.get('cli.help.transcribe') ?? ''));
    expect(columns(usage)?.length).toBeGreaterThan(8);
  });

  it('calls languages by their own names in their own letters', () => {
    expect(uzbekCyrillic().common.languages).toEqual(uz.common.languages);
    expect(uzbekCyrillic().common.languageNames).toEqual({ uz: 'Ўзбекча', ru: 'Русча', en: 'Инглизча' });
    // After a colon, the name of a language is the value of a command.
    const chosen = (text: string | undefined) => /: (Oʻzbekcha|Ўзбекча|Русский|English)$/.exec(text ?? '')?.[1];
    const renamed = [...cyrillic].filter(([path, text]) => chosen(text) !== chosen(latin.get(path)));
    expect(renamed).toEqual([]);
  });
});
