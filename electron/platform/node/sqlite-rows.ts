import { z } from 'zod';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { newJobMemory } from '../../../shared/domain/jobs/job-state.ts';
import { parseJobMemory } from '../../../shared/domain/jobs/stored-job.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import type { RawAnswer, StoredJob, StoredTranscript } from '../../services/library/store.ts';

const flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);
const language = z.enum(speechLanguages);

const jobRow = z.object({
  id: z.string().min(1),
  seq: z.number(),
  path: z.string(),
  name: z.string(),
  size_bytes: z.number(),
  duration_ms: z.number().nullable(),
  language,
  include_speakers: flag,
  added_at_ms: z.number(),
  rank: z.number(),
  memory: z.string(),
});

/**
 * A row of the queue. One that can't be understood (an older version's, a damaged one) still shows: as failed, with its
 * name if that can be read, so that it never stops the others. Null only for a row without an id.
 */
export function readJobRow(row: Readonly<Record<string, unknown>>): StoredJob | null {
  const parsed = jobRow.safeParse(row);
  const memory = parsed.success ? parseJobMemory(parsed.data.memory) : null;
  const unreadable = {
    ...newJobMemory,
    state: { tag: 'failed', failure: localFailure('E-182', { code: 'row_unreadable' }), hasRawAnswer: false },
  } as const;
  if (parsed.success) {
    const { id, seq, path, name, size_bytes, duration_ms, include_speakers, added_at_ms, rank } = parsed.data;
    return {
      id,
      seq,
      path,
      name,
      sizeBytes: size_bytes,
      durationMs: duration_ms,
      language: parsed.data.language,
      includeSpeakers: include_speakers,
      addedAtMs: added_at_ms,
      rank,
      memory: memory ?? unreadable,
    };
  }
  const { id, name } = row;
  if (typeof id !== 'string' || id === '') return null;
  return {
    id,
    seq: 0,
    path: '',
    name: typeof name === 'string' ? name : id,
    sizeBytes: 0,
    durationMs: null,
    language: 'uz',
    includeSpeakers: false,
    addedAtMs: 0,
    rank: 0,
    memory: unreadable,
  };
}

const milliseconds = z.number().finite().nonnegative();
const transcriptBody: z.ZodType<Transcript> = z.object({
  language,
  durationMs: milliseconds,
  speakers: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
  segments: z.array(
    z.object({
      id: z.string(),
      speakerId: z.string().nullable(),
      startMs: milliseconds,
      endMs: milliseconds,
      text: z.string(),
      words: z.array(
        z.object({
          id: z.string(),
          text: z.string(),
          startMs: milliseconds,
          endMs: milliseconds,
          isEstimated: z.literal(true).exactOptional(),
        }),
      ),
    }),
  ),
});

const transcriptRow = z.object({
  id: z.string(),
  job_id: z.string(),
  title: z.string(),
  source_name: z.string(),
  created_at_ms: z.number(),
  path: z.string(),
  media_sha256: z.string(),
  remote_id: z.string().nullable(),
  raw_answer_id: z.number().nullable(),
  body: z.string(),
});

/** A stored transcript; null when it can't be understood. */
export function readTranscriptRow(row: Readonly<Record<string, unknown>>): StoredTranscript | null {
  const parsed = transcriptRow.safeParse(row);
  if (!parsed.success) return null;
  let json: unknown;
  try {
    json = JSON.parse(parsed.data.body);
  } catch {
    return null;
  }
  const body = transcriptBody.safeParse(json);
  if (!body.success) return null;
  const { id, job_id, title, source_name, created_at_ms, path, media_sha256, remote_id, raw_answer_id } = parsed.data;
  return {
    id,
    jobId: job_id,
    title,
    sourceName: source_name,
    createdAtMs: created_at_ms,
    mediaPath: path,
    mediaSha256: media_sha256,
    remoteId: remote_id,
    rawAnswerId: raw_answer_id,
    transcript: body.data,
  };
}

const rawRow = z.object({
  job_id: z.string(),
  at_ms: z.number(),
  source: z.enum(['submit', 'read', 'export']),
  request_id: z.string().nullable(),
  body: z.string(),
});

/** A stored answer; null when it can't be understood. */
export function readRawRow(row: Readonly<Record<string, unknown>>): RawAnswer | null {
  const parsed = rawRow.safeParse(row);
  if (!parsed.success) return null;
  const { job_id, at_ms, source, request_id, body } = parsed.data;
  return { jobId: job_id, atMs: at_ms, source, requestId: request_id, body };
}
