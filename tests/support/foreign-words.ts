import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import type { Catalogue } from '../../shared/i18n/catalogues.ts';
import { mapWords } from '../../shared/i18n/uzbek-cyrillic.ts';
import { createFormats } from '../../renderer/lib/formats.ts';

/** Two letters or more: one letter alone is a key or a unit. */
const word = /\p{L}[\p{L}\p{M}ʻʼ’'-]+/gu;
const wordsIn = (text: string): string[] => (text.match(word) ?? []).map((found) => found.toLowerCase());

/** The same in every language: our name, the labels of keys, names of formats and file types. */
const named =
  'Ovoz Studio Ctrl Shift Alt Enter Space Esc Del Delete Backspace Home End Tab API JSON WebVTT SubRip px https UZ RU EN srt vtt txt ' +
  'ass ttml lrc docx pdf md html csv tsv edl fcpxml otio vtt-words wav flac mp3 m4a ogg ' +
  // Parts of a name template, which are typed unchanged in every language.
  'name date time language speakers ' +
  // The example address in its field.
  'wss live grpc example com ' +
  // The example headers in their field.
  'X-Service-Timestamp X-Service-Signature ' +
  // The spoken word before a command that writes the command itself.
  'aynan ' +
  'Oʻzbek Oʻzbekcha Ўзбекча Русский English sudo apt brew winget install espeak-ng';

/** Every string of a catalogue that a window shows, by its key. Strings of the terminal are not shown in windows. */
export function windowTexts(catalogue: Catalogue): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  mapWords(catalogue, (text, path) => {
    if (!path.startsWith('cli.')) found.set(path, text);
    return text;
  });
  return found;
}

/** The words in formatted numbers, sizes, times and dates of a language. */
function wordsOfFormats(language: InterfaceLanguage): string[] {
  const formats = createFormats(language);
  return [
    ...[1, 1e3, 1e6, 1e9, 1e12].flatMap((size) => [formats.bytes(size), formats.bytesPerSecond(size)]),
    ...[1e3, 6e4, 36e5, 864e5].map((length) => formats.duration(length)),
    ...Array.from({ length: 12 }, (_, month) => formats.date(new Date(2026, month, 20).getTime())),
    formats.list(['1', '2', '3']),
  ].flatMap(wordsIn);
}

export interface Vocabulary {
  readonly words: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
}

/** All words that an interface in this language may show. `ownWords` are those of users, files and answers. */
export function vocabularyOf(
  catalogue: Catalogue,
  language: InterfaceLanguage,
  ownWords: readonly string[] = [],
): Vocabulary {
  const texts = windowTexts(catalogue);
  const plain = [...texts.values()].map((text) => text.replaceAll(/\{\{[^}]*\}\}/g, ' '));
  return {
    words: new Set([...plain, ...ownWords, named].flatMap(wordsIn).concat(wordsOfFormats(language))),
    keys: new Set(texts.keys()),
  };
}

/**
 * What does not belong on a screen in a language: words from neither its catalogue nor its formats nor users, keys in
 * place of their strings, and unfilled placeholders.
 */
export function findForeign(texts: readonly string[], { words, keys }: Vocabulary): string[] {
  const found: string[] = [];
  for (const text of texts) {
    const path = /\b[a-z]\w*(?:\.\w+)+\b/i.exec(text)?.[0];
    if (path !== undefined && [...keys].some((key) => key === path || key.startsWith(`${path}_`)))
      found.push(`key: ${text}`);
    else if (text.includes('{{')) found.push(`placeholder: ${text}`);
    else {
      const strange = wordsIn(text).filter((one) => !words.has(one));
      if (strange.length > 0) found.push(`${strange.join(' ')}: ${text}`);
    }
  }
  return found;
}
