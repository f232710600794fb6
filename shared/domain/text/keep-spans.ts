import { isNounEnding } from './uzbek-loanwords.ts';

/** Names of products, formats and protocols: the same in every alphabet. */
const names = [
  'Ovoz Studio',
  ...'SubRip WebVTT WebM WebP Windows Linux macOS Electron Chromium Chrome Wi-Fi API ASS CSV DNS DOCX FLAC'.split(' '),
  ...'GIF HTML HTTP HTTPS ID IP JPEG JSON LRC OGG PDF PNG SHA SRT SSL TLS TTML TXT URL USB UTF VPN VTT WAV XML ZIP'.split(
    ' ',
  ),
];
/** Keys of the keyboard. They take no suffix: "Endi" is a word, not the key End. */
const keys = ['Alt', 'Backspace', 'Cmd', 'Ctrl', 'Delete', 'End', 'Enter', 'Esc', 'Home', 'Shift', 'Tab'];

const anyOf = (list: readonly string[]) => list.toSorted((a, b) => b.length - a.length).join('|');

/** Created on first use: readers of Latin never need it. */
let made: RegExp | null = null;
const kept = (): RegExp =>
  (made ??= new RegExp(
    [
      String.raw`\{\{[^}]*\}\}`,
      String.raw`[a-z][a-z0-9+.-]*://\S+`,
      String.raw`www\.\S+`,
      String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
      // A file with a known extension, or the extension alone.
      String.raw`[\p{L}\p{N}_-]*\.(?:mp3|wav|m4a|ogg|webm|flac|srt|vtt|txt|json|docx|csv|zip|log)(?![\p{L}\p{N}])`,
      // Identifiers: --option, some_name, MP3, F6.
      String.raw`--[a-z][a-z0-9-]*`,
      String.raw`[A-Za-z0-9]*_[A-Za-z0-9_]*`,
      String.raw`(?<![\p{L}\p{N}])[A-Za-z]+[0-9][A-Z0-9]*`,
      String.raw`(?<![\p{L}\p{N}])(?:${anyOf(keys)})(?![\p{L}\p{N}])`,
      String.raw`(?<![\p{L}\p{N}])(?:${anyOf(names)})(?<ending>\p{Ll}*)(?![\p{L}\p{N}])`,
    ].join('|'),
    'gu',
  ));

/**
 * Transforms text except for parts that must stay: placeholders `{{name}}`, addresses, file names, options, keys and
 * names of products and formats. An Uzbek suffix of a name (`JSONda`) is transformed.
 */
export function changeOutsideOfKept(text: string, change: (part: string) => string): string {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(kept())) {
    const ending = match.groups?.['ending'] ?? '';
    if (/^[a-z]+$/.test(ending) && !isNounEnding(ending)) continue;
    const keptEnd = match.index + match[0].length - ending.length;
    result += change(text.slice(end, match.index)) + text.slice(match.index, keptEnd);
    end = keptEnd;
  }
  return result + change(text.slice(end));
}
