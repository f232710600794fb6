import { readExportedTranscript, readPlainExport, readSttAnswer } from '../../api/resources/read-stt-answer.ts';
import type { UnreadAnswer } from '../../api/stt-api.ts';
import type { KnownRecording, LongReading } from '../../services/jobs/ports.ts';
import type { WrittenText } from '../../services/library/store.ts';
import { writeReceived } from '../../services/library/write-text.ts';

export const readingRole = { role: 'reading' } as const;

interface About {
  readonly known: KnownRecording;
  /** Field names of the service that this version does not know (`WireTable.aliases`). */
  readonly aliases: Readonly<Record<string, string>>;
}

/** What is to be read, here or in a thread. */
export type ReadingRequest = About &
  (
    | { readonly kind: 'answer'; readonly answer: UnreadAnswer }
    | { readonly kind: 'exported'; readonly format: 'json' | 'txt'; readonly body: string }
  );

export type ReadingOutcome =
  | { readonly kind: 'answer'; readonly reading: LongReading }
  | { readonly kind: 'exported'; readonly written: WrittenText | null }
  | { readonly kind: 'failed' };

/** The only way in which long answers and exports are read, in any thread. */
export function readRequest(request: ReadingRequest): Exclude<ReadingOutcome, { kind: 'failed' }> {
  const { known, aliases } = request;
  if (request.kind === 'answer') {
    const { transcript, ...answer } = readSttAnswer(request.answer, aliases);
    const written = transcript === null ? null : writeReceived(transcript, known);
    return { kind: 'answer', reading: { answer, written } };
  }
  const { format, body } = request;
  const received = readExportedTranscript(body, aliases) ?? (format === 'txt' ? readPlainExport(body) : null);
  return { kind: 'exported', written: received === null ? null : writeReceived(received, known) };
}

/** The words of an outcome. */
export const writtenIn = (outcome: ReadingOutcome): WrittenText | null =>
  outcome.kind === 'answer' ? outcome.reading.written : outcome.kind === 'exported' ? outcome.written : null;
