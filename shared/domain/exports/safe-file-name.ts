const maxBytes = 255;
const maxUnits = 240;

/** Control, bidi and invisible characters, which change how a name reads without being visible. */
// oxlint-disable-next-line no-control-regex
const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const forbidden = /[<>:"/\\|?*]/gu;
/** Device names on Windows, with any extension; superscript digits count there too. */
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?=$|[ .])/iu;

const encoder = new TextEncoder();
const fits = (name: string): boolean => name.length <= maxUnits && encoder.encode(name).length <= maxBytes;

/** A file name without its folder and its last extension: `Suhbat.final.mp3` gives `Suhbat.final`. */
export function baseName(name: string): string {
  const last = name.split(/[/\\]/u).at(-1) ?? name;
  const base = last.replace(/\.[^.\s]{1,8}$/u, '');
  return base === '' ? last : base;
}

/**
 * A name that is valid on Windows, macOS and Linux, from any text: NFC, at most 255 bytes and 240 UTF-16 units with its
 * extension (`.srt`; empty for none), no separators, no device names, no invisible characters, never empty.
 */
export function safeFileName(text: string, extension: string): string {
  const cleaned = text
    .toWellFormed()
    .replaceAll(unseen, '')
    .normalize('NFC')
    .replaceAll(forbidden, '-')
    .replaceAll(/\s+/gu, ' ');
  let base = trim(cleaned);
  if (reserved.test(base)) base = `_${base}`;
  while (base !== '' && !fits(base + extension)) base = trim(cutLast(base));
  return (base === '' ? 'file' : base) + extension;
}

/** The name that the user typed for a file, legal and with its extension once, whether they typed that or not. */
export function typedFileName(typed: string, extension: string): string {
  const text = typed.trim();
  return safeFileName(text.toLowerCase().endsWith(extension) ? text.slice(0, -extension.length) : text, extension);
}

/** Like `safeFileName`, with a number if `taken` has the same name on disks that ignore case and composition. */
export function distinctFileName(text: string, extension: string, taken: ReadonlySet<string>): string {
  const first = safeFileName(text, extension);
  if (!taken.has(foldedName(first))) return first;
  for (let number = 2; ; number++) {
    const next = safeFileName(text, ` (${number})${extension}`);
    if (!taken.has(foldedName(next))) return next;
  }
}

/** Equal for two names that some disk considers the same. */
export const foldedName = (name: string): string => name.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase();

/** Windows drops trailing dots and spaces; a leading dot hides a file on other systems. */
const trim = (name: string): string => name.replace(/^[\s.]+/u, '').replace(/[\s.]+$/u, '');

const cutLast = (name: string): string => {
  const units = Math.max(1, Math.ceil((name.length - maxUnits) / 2));
  const cut = name.slice(0, -units);
  // Never cuts a surrogate pair in half.
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
};
