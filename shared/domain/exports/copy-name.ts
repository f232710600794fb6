import type { SpeechLanguage } from '../languages.ts';
import { baseName, safeFileName } from './safe-file-name.ts';

/** The variables of an export's file name, written in braces: `{name} {date}`. */
export const copyNameParts = ['name', 'date', 'time', 'language', 'speakers'] as const;
export type CopyNamePart = (typeof copyNameParts)[number];

/** What is known of a finished recording. */
export interface CopyFacts {
  /** Name of the recording's file. */
  readonly sourceName: string;
  /** Unix milliseconds; written in the time of this computer. */
  readonly finishedAtMs: number;
  readonly language: SpeechLanguage;
  readonly speakerCount: number;
}

export const defaultCopyTemplate = '{name}';
const longestTemplate = 200;

/** The options for an existing file of that name. */
export const copyCollisions = ['number', 'skip', 'overwrite'] as const;
export type CopyCollision = (typeof copyCollisions)[number];

/** How files are arranged: in one folder, in a folder for each transcript, or in one archive. */
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

export type TemplateFault =
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

/**
 * The file name of an export without its extension, valid everywhere; `extension` (`.srt`) only counts for the length.
 * A faulty template gives the name of the recording, so that a typing mistake leaves nothing unsaved that was paid for.
 */
export function copyName(template: string, facts: CopyFacts, extension: string): string {
  const parts = partsOf(facts);
  const wanted = templateFault(template) === null ? template : defaultCopyTemplate;
  const text = wanted.replaceAll(/\{([^{}]*)\}/gu, (_, part: string) => parts[part as CopyNamePart]);
  return safeFileName(text, extension);
}
