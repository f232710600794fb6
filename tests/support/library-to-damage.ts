import { createHash, randomUUID } from 'node:crypto';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { newJobRecord, type PreparedUpload, type JobState } from '../../shared/domain/jobs/job-state.ts';
import { writeText, type NewTranscript, type StoredJob } from '../../electron/services/library/store.ts';
import { estimatedWords } from '../../shared/domain/transcript/lean-transcript.ts';

const sentAtMs = Date.UTC(2026, 10, 20);

/** A row that was just added. Its path is in its own record and nowhere else in the file. */
export const addedJob = (number: number): StoredJob => ({
  id: randomUUID(),
  seq: number + 1,
  path: rowMark(number),
  name: `Suhbat ${number}.wav`,
  sizeBytes: 1_000 + number,
  durationMs: 60_000,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: sentAtMs + number,
  rank: number + 1,
  memory: newJobRecord,
});

/** What identifies the page of a row, and all pages of a text. */
export const rowMark = (number: number): string => `/recordings/row-${number}-/sound.wav`;
export const textMark = (number: number): string => `t${number}t`;

const states: readonly ((transcriptId: string) => JobState)[] = [
  () => ({ tag: 'prepared' }),
  () => ({ tag: 'sending', wasUnsettled: false }),
  () => ({ tag: 'polling', isProcessing: true, rawStatus: null }),
  (transcriptId) => ({ tag: 'done', transcriptId, speakerCount: 0, finishedAtMs: sentAtMs }),
  (transcriptId) => ({ tag: 'done', transcriptId, speakerCount: 0, finishedAtMs: sentAtMs }),
  () => ({ tag: 'failed', failure: makeFailure('file-too-large', { status: 413 }), hasRawAnswer: false }),
  () => ({ tag: 'waiting', resume: 'send', untilMs: sentAtMs, failure: makeFailure('offline') }),
];

/** The row later: sent under a key of its own, and in one of the following states. */
export function movedOn(job: StoredJob, random: () => number): StoredJob {
  const state = (states[Math.floor(random() * states.length)] ?? states[0]!)(randomUUID());
  const isAtService = state.tag === 'polling' || state.tag === 'done';
  const intent: PreparedUpload = {
    idempotencyKey: randomUUID(),
    sha256: createHash('sha256').update(job.id).digest('hex'),
    sizeBytes: job.sizeBytes,
    mtimeMs: sentAtMs,
    firstSentAtMs: state.tag === 'prepared' ? null : sentAtMs,
    isUnsettled: state.tag === 'sending' || state.tag === 'waiting',
    boundTo: state.tag === 'prepared' ? null : 'somewhere',
    remoteId: isAtService ? `tr_${job.id}` : null,
    acceptedAtMs: isAtService ? sentAtMs : null,
  };
  return { ...job, seq: job.seq + 1_000, memory: { ...job.memory, intent, attempt: 1, state } };
}

/** A text between some hundred bytes and some pages, whose every page contains its mark. */
export function textOf(job: StoredJob, number: number, transcriptId: string, random: () => number): NewTranscript {
  const text = `${textMark(number)} `.repeat(20 + Math.floor(random() ** 3 * 4_000)).trim();
  const segment = { id: 's1', speakerId: null, startMs: 0, endMs: 60_000, text };
  const segments = [{ ...segment, words: estimatedWords(segment) }];
  return {
    id: transcriptId,
    jobId: job.id,
    title: `${textMark(number)} suhbat`,
    sourceName: job.name,
    createdAtMs: sentAtMs,
    mediaPath: `/media/${number}.wav`,
    mediaSha256: createHash('sha256').update(job.id).digest('hex'),
    remoteId: `tr_${job.id}`,
    rawAnswerId: null,
    model: null,
    written: writeText({ language: 'uz', durationMs: 60_000, speakers: [], segments }),
  };
}
