import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { wordsOf } from '../../../shared/domain/transcript/spoken-text.ts';
import { packChange, type PackedChange } from '../../../shared/domain/transcript/packed.ts';
import type { Version } from '../../../shared/domain/transcript/versions.ts';
import { readStoredText, readStoredWords } from '../../storage/read-stored-text.ts';
import { readStoredVersion, readStoredVersions } from '../../storage/read-versions.ts';
import { secondIdOf, type WritingRequest, type WrittenExport } from '../../services/exports/long-writer.ts';
import { ok } from '../../../shared/result/result.ts';
import { writeRequest } from '../../services/exports/write-request.ts';
import { cutIntoParts, type TextInParts } from '../../services/transcripts/text-in-parts.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import { catalogueOf } from '../../../shared/i18n/uzbek-cyrillic.ts';

export const writingRole = { role: 'writing' } as const;

/** A task of the thread: the path of the library, and what to write. */
export type WritingTask = { readonly library: string } & (
  | ({ readonly kind: 'export' } & WritingRequest)
  | { readonly kind: 'parts' | 'versions'; readonly transcriptId: string }
  | { readonly kind: 'version'; readonly transcriptId: string; readonly revision: number }
);

export type WritingOutcome =
  | { readonly kind: 'written'; readonly written: WrittenExport }
  | { readonly kind: 'parts'; readonly text: TextInParts }
  | { readonly kind: 'versions'; readonly versions: readonly Version[] }
  | { readonly kind: 'version'; readonly ofRevision: number; readonly change: PackedChange }
  | { readonly kind: 'failed'; readonly failure: Failure };

const unknown: WritingOutcome = { kind: 'failed', failure: localFailure('E-040', { code: 'unknown_transcript' }) };

/** Reads a text from the library and renders its file or its parts, all in UTF-8. */
export async function writeTask(task: WritingTask): Promise<WritingOutcome> {
  switch (task.kind) {
    case 'parts':
      return cut(task.library, task.transcriptId);
    case 'versions': {
      const found = readStoredVersions(task.library, task.transcriptId);
      return found.ok ? { kind: 'versions', versions: found.value } : { kind: 'failed', failure: found.error };
    }
    case 'version': {
      const found = readStoredVersion(task.library, task.transcriptId, task.revision);
      if (!found.ok) return { kind: 'failed', failure: found.error };
      return found.value === null
        ? unknown
        : { kind: 'version', ...found.value, change: packChange(found.value.change) };
    }
    case 'export':
      return write(task.library, task);
  }
}

function cut(library: string, transcriptId: string): WritingOutcome {
  const found = readStoredWords(library, transcriptId);
  if (!found.ok) return { kind: 'failed', failure: found.error };
  if (found.value === null) return unknown;
  const { segments, revision, ...head } = found.value;
  const wordCount = segments.reduce((sum, { text }) => sum + wordsOf(text).length, 0);
  const parts = cutIntoParts(segments);
  return { kind: 'parts', text: { head: { ...head, segments: [] }, parts, wordCount, revision } };
}

async function write(library: string, request: WritingRequest): Promise<WritingOutcome> {
  const found = readStoredText(library, request.transcriptId);
  if (!found.ok) return { kind: 'failed', failure: found.error };
  if (found.value === null) return unknown;
  const secondId = secondIdOf(request.options);
  const second = secondId === null ? ok(null) : readStoredText(library, secondId);
  if (!second.ok) return { kind: 'failed', failure: second.error };
  return { kind: 'written', written: await writeRequest(found.value, request, nameSpeaker, second.value) };
}

/** The label of a speaker without a name, in the language and the alphabet of a text: "Speaker 2". */
export const nameSpeaker = (language: InterfaceLanguage, number: number): string =>
  catalogueOf(language).cli.speaker.replace('{{number}}', String(number));
