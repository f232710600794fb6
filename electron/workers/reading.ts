import {
  readExportedTranscript,
  readPlainExport,
  readSttAnswer,
  type UnreadAnswer,
} from '../service/read-transcription.ts';
import type { KnownRecording, LongReader, LongReading } from '../queue/kinds.ts';
import { writeReceived, type WrittenText } from '../services/library/store.ts';
import { inTurn, openTasks, serveTasks } from '../threads/work-thread.ts';

function readAnswer(unread: UnreadAnswer, known: KnownRecording): LongReading {
  const { transcript, ...answer } = readSttAnswer(unread);
  return { answer, written: transcript === null ? null : writeReceived(transcript, known) };
}

function readExported(format: 'json' | 'txt', body: string, known: KnownRecording) {
  const received = readExportedTranscript(body) ?? (format === 'txt' ? readPlainExport(body) : null);
  return { written: received === null ? null : writeReceived(received, known) };
}

/** The words become bytes, which are transferred without being copied. */
function packed<T extends { readonly written: WrittenText | null }>(reading: T): T {
  const { written } = reading;
  if (written === null) return reading;
  return { ...reading, written: { ...written, body: new TextEncoder().encode(String(written.body)) } };
}

const tasks = {
  answer: (...given: Parameters<typeof readAnswer>) => packed(readAnswer(...given)),
  exported: (...given: Parameters<typeof readExported>) => packed(readExported(...given)),
};
const role = 'reading';
serveTasks(role, tasks, (value) => {
  const body = (value as ReturnType<typeof readExported>).written?.body;
  return body instanceof Uint8Array && body.buffer instanceof ArrayBuffer ? [body.buffer] : [];
});

/** Parsed here: about fifty milliseconds of work. */
export const longestReadHere = 256 * 1024;

/** Long answers one after the other. */
export function openReader(workerUrl: URL, limits?: { readonly silenceLimitMs: number }): LongReader {
  const { run } = openTasks<typeof tasks>(workerUrl, role, limits);
  const next = inTurn();
  return {
    answer: (answer, known, signal) => next(() => run('answer', [answer, known], signal)),
    exported: async (format, body, known, signal) =>
      body.length <= longestReadHere
        ? readExported(format, body, known)
        : next(() => run('exported', [format, body, known], signal)),
  };
}
