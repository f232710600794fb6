import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { wordsOf } from '../../../shared/domain/transcript/spoken-text.ts';
import { readStoredText, readStoredWords } from '../../storage/read-stored-text.ts';
import type { WritingRequest, WrittenExport } from '../../services/exports/long-writer.ts';
import { writeRequest } from '../../services/exports/write-request.ts';
import { cutIntoParts, type TextInParts } from '../../services/transcripts/text-in-parts.ts';
import { nameSpeaker } from './name-speaker.ts';

export const writingRole = { role: 'writing' } as const;

/** What the thread is given: where the library is, and what to make of it. */
export type WritingTask = { readonly library: string } & (
  | ({ readonly kind: 'export' } & WritingRequest)
  | { readonly kind: 'parts'; readonly transcriptId: string }
);

export type WritingOutcome =
  | { readonly kind: 'written'; readonly written: WrittenExport }
  | { readonly kind: 'parts'; readonly text: TextInParts }
  | { readonly kind: 'failed'; readonly failure: Failure };

const unknown: WritingOutcome = { kind: 'failed', failure: localFailure('E-040', { code: 'unknown_transcript' }) };

/** Reads a text from the library and writes its file or its parts, all in UTF-8. */
export const writeTask = async (task: WritingTask): Promise<WritingOutcome> =>
  task.kind === 'parts' ? cut(task.library, task.transcriptId) : write(task.library, task);

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
  return { kind: 'written', written: await writeRequest(found.value, request, nameSpeaker) };
}
