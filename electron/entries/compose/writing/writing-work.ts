import { exporters } from '../../../../shared/domain/exports/exporters.ts';
import { writeUpTo } from '../../../../shared/domain/exports/write-export.ts';
import { localFailure } from '../../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { readStoredText } from '../../../platform/node/read-stored-text.ts';
import type { WritingRequest, WrittenExport } from '../../../services/exports/long-writer.ts';
import { nameSpeaker } from './name-speaker.ts';

export const writingRole = { role: 'writing' } as const;

/** What the thread is given: where the library is, and what to make of it. */
export interface WritingTask extends WritingRequest {
  readonly library: string;
}

export type WritingOutcome =
  | { readonly kind: 'written'; readonly written: WrittenExport }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Reads a text from the library and writes its file, all in UTF-8. */
export function writeTask({ library, transcriptId, format, script, characters }: WritingTask): WritingOutcome {
  const found = readStoredText(library, transcriptId);
  if (!found.ok) return { kind: 'failed', failure: found.error };
  if (found.value === null) return { kind: 'failed', failure: localFailure('E-040', { code: 'unknown_transcript' }) };
  const { title, transcript } = found.value;
  const { text, isCut } = writeUpTo(exporters[format], transcript, script, { title, nameSpeaker }, characters);
  return { kind: 'written', written: { title, bytes: new TextEncoder().encode(text), isCut } };
}
