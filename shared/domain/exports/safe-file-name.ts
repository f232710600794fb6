import type { SpeechLanguage } from '../languages.ts';

const maxBytes = 255;
const maxUnits = 240;

/** Control, bidi and invisible characters, which change how a name reads without being visible. */
// oxlint-disable-next-line no-control-regex
const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const forbidden = /[<>:"/\\|?*]/gu;
/** A question is a name without its mark. */
const marksAtEnd = /[?*:\s.]+$/u;
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

/** Valid on Windows, macOS and Linux and never empty: NFC, at most 255 bytes and 240 UTF-16 units. */
export function safeFileName(text: string, extension: string): string {
  const cleaned = text
    .toWellFormed()
    .replaceAll(unseen, '')
    .normalize('NFC')
    .replace(marksAtEnd, '')
    .replaceAll(forbidden, '-')
    .replaceAll(/\s+/gu, ' ');
  let base = trim(cleaned);
  if (reserved.test(base)) base = `_${base}`;
  while (base !== '' && !fits(base + extension)) base = trim(cutLast(base));
  return (base === '' ? 'file' : base) + extension;
}

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

export const foldedName = (name: string): string => name.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase();

/** Windows drops trailing dots and spaces; a leading dot hides a file on other systems. */
const trim = (name: string): string => name.replace(/^[\s.]+/u, '').replace(/[\s.]+$/u, '');

const cutLast = (name: string): string => {
  const units = Math.max(1, Math.ceil((name.length - maxUnits) / 2));
  const cut = name.slice(0, -units);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
};

export const copyNameParts = ['name', 'date', 'time', 'language', 'speakers'] as const;
type CopyNamePart = (typeof copyNameParts)[number];

export interface CopyFacts {
  readonly sourceName: string;
  readonly finishedAtMs: number;
  readonly language: SpeechLanguage;
  readonly speakerCount: number;
}

export const defaultCopyTemplate = '{name}';
const longestTemplate = 200;

export const copyCollisions = ['number', 'skip', 'overwrite'] as const;
export type CopyCollision = (typeof copyCollisions)[number];

export const batchLayouts = ['files', 'folders', 'zip'] as const;
export type BatchLayout = (typeof batchLayouts)[number];

const two = (value: number): string => String(value).padStart(2, '0');

function partsOf({
  sourceName,
  finishedAtMs,
  language,
  speakerCount,
}: CopyFacts): Readonly<Record<CopyNamePart, string>> {
  const at = new Date(finishedAtMs);
  return {
    name: baseName(sourceName),
    date: `${String(at.getFullYear())}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    // Colons are not allowed in file names everywhere.
    time: `${two(at.getHours())}-${two(at.getMinutes())}`,
    language,
    speakers: String(speakerCount),
  };
}

type TemplateFault =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'unknown-part'; readonly part: string };

/** The fault of a template; null when it has none. A name that is the same for every recording is no fault. */
export function templateFault(template: string): TemplateFault | null {
  if (template.trim() === '') return { kind: 'empty' };
  if (template.length > longestTemplate) return { kind: 'too-long' };
  const known: readonly string[] = copyNameParts;
  for (const [, part = ''] of template.matchAll(/\{([^{}]*)\}/gu)) {
    if (!known.includes(part)) return { kind: 'unknown-part', part };
  }
  return null;
}

/** A faulty template gives the recording's name, so that nothing unsaved is lost. `extension` counts for length. */
export function copyName(template: string, facts: CopyFacts, extension: string): string {
  const parts = partsOf(facts);
  const wanted = templateFault(template) === null ? template : defaultCopyTemplate;
  const text = wanted.replaceAll(/\{([^{}]*)\}/gu, (_, part: string) => parts[part as CopyNamePart]);
  return safeFileName(text, extension);
}
