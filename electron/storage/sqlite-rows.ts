import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import {
  optionsOf,
  type IsolateOptions,
  type JobKindName,
  type JobOptions,
} from '../../shared/domain/jobs/job-kind.ts';
import { newJobMemory, type JobMemory } from '../../shared/domain/jobs/job-state.ts';
import { parseJobMemory } from '../../shared/domain/jobs/stored-job.ts';
import { origins } from '../../shared/domain/modes.ts';
import { speechLanguages } from '../../shared/domain/languages.ts';
import type { LeanTranscript } from '../../shared/domain/transcript/lean-transcript.ts';
import type { AutomationEntry } from '../services/automation/automation-log.ts';
import type { RawAnswer, StoredJob, TranscriptFacts } from '../services/library/store.ts';

const language = lazySchema(() => z.enum(speechLanguages));
const isolateOptions = lazySchema(() =>
  z.object({
    restoresSpeech: z.boolean(),
    restorationModel: z.string().optional(),
    part: z.object({ startMs: z.number(), endMs: z.number() }).optional(),
    isExcerpt: z.boolean().optional(),
  }),
);

const transcribeOptions = lazySchema(() => z.object({ isLegacy: z.boolean().optional() }));

type Row = Readonly<Record<string, unknown>>;
type DistributedOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;

/** The columns of a row of the queue without its memory; null when one is invalid. */
export function readJobColumns(row: Row): DistributedOmit<StoredJob, 'memory'> | null {
  const { id, seq, path, name, size_bytes: sizeBytes, duration_ms: durationMs, added_at_ms: addedAtMs, rank } = row;
  const options = readOptions(row);
  if (typeof id !== 'string' || id === '' || typeof path !== 'string' || typeof name !== 'string') return null;
  if (typeof seq !== 'number' || typeof sizeBytes !== 'number' || typeof addedAtMs !== 'number') return null;
  if (typeof rank !== 'number' || (typeof durationMs !== 'number' && durationMs !== null)) return null;
  if (options === null) return null;
  return { id, seq, path, name, sizeBytes, durationMs, ...options, addedAtMs, rank };
}

/** The options of a row. Salvaged rows of a damaged file may lack columns that were added later. */
function readOptions(row: Row): JobOptions | null {
  const kind = row['kind'] ?? 'transcribe';
  if (kind === 'isolate') {
    const stored = isolateOptions().safeParse(parseJson(row['options']));
    if (!stored.success) return null;
    return optionsOf({ kind, ...stored.data });
  }
  const isSpeakers = row['include_speakers'];
  const language = speechLanguages.find((known) => known === row['language']);
  if (kind !== 'transcribe' || language === undefined || (isSpeakers !== 0 && isSpeakers !== 1)) return null;
  const stored = transcribeOptions().safeParse(parseJson(row['options']));
  const isLegacy = stored.success && stored.data.isLegacy === true;
  return optionsOf({ kind, language, includeSpeakers: isSpeakers === 1, isLegacy });
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

const storedOptions = ({ restoresSpeech, restorationModel, part, isExcerpt }: IsolateOptions) => ({
  restoresSpeech,
  restorationModel,
  part,
  isExcerpt,
});

/** The options in stored form: language, include_speakers, kind, options. */
export const optionColumns = (options: JobOptions): readonly [string, number, JobKindName, string] =>
  options.kind === 'transcribe'
    ? [
        options.language,
        options.includeSpeakers ? 1 : 0,
        options.kind,
        JSON.stringify(options.isLegacy === true ? { isLegacy: true } : {}),
      ]
    : ['', 0, options.kind, JSON.stringify(storedOptions(options))];

/** The memory of a row and the columns derived from it: tag, sha256, idempotency_key, remote_id, memory. */
export const memoryColumns = (memory: JobMemory) =>
  [
    memory.state.tag,
    memory.intent?.sha256 ?? null,
    memory.intent?.idempotencyKey ?? null,
    memory.intent?.remoteId ?? null,
    JSON.stringify(memory),
  ] as const;

/** The columns that are written when a row of the queue is added, in the order of `jobColumns`. */
export const jobColumnNames =
  'id, seq, path, name, size_bytes, duration_ms, language, include_speakers, kind, options, added_at_ms';

/** Their values. */
export const jobColumns = (job: StoredJob) =>
  [job.id, job.seq, job.path, job.name, job.sizeBytes, job.durationMs, ...optionColumns(job), job.addedAtMs] as const;

/**
 * A row of the queue. An unreadable one (an older version's, a damaged one) is still shown: as failed, with its name if
 * that is readable, so that it never stops the others. Null only for a row without an id.
 */
export function readJobRow(row: Row): StoredJob | null {
  const columns = readJobColumns(row);
  const unreadable = {
    ...newJobMemory,
    state: { tag: 'failed', failure: localFailure('E-182', { code: 'row_unreadable' }), hasRawAnswer: false },
  } as const;
  if (columns !== null) {
    const memory = typeof row['memory'] === 'string' ? parseJobMemory(row['memory']) : null;
    return { ...columns, memory: memory ?? unreadable };
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
    kind: 'transcribe',
    language: 'uz',
    includeSpeakers: false,
    addedAtMs: 0,
    rank: 0,
    memory: unreadable,
  };
}

const milliseconds = lazySchema(() => z.number().finite().nonnegative());
const transcriptBody: () => z.ZodType<LeanTranscript> = lazySchema(() =>
  z.object({
    language: language(),
    durationMs: milliseconds(),
    speakers: z.array(
      z.object({ id: z.string(), name: z.string().nullable(), colour: z.number().int().exactOptional() }),
    ),
    segments: z.array(
      z.object({
        id: z.string(),
        speakerId: z.string().nullable(),
        startMs: milliseconds(),
        endMs: milliseconds(),
        text: z.string(),
        words: z
          .array(
            z.object({
              text: z.string(),
              startMs: milliseconds(),
              endMs: milliseconds(),
              isEstimated: z.literal(true).exactOptional(),
              mark: z.enum(['cut', 'redacted', 'cut-redacted']).exactOptional(),
            }),
          )
          .exactOptional(),
      }),
    ),
  }),
);

const factsRow = lazySchema(() =>
  z.object({
    id: z.string(),
    job_id: z.string(),
    title: z.string(),
    source_name: z.string(),
    created_at_ms: z.number(),
    path: z.string(),
    media_sha256: z.string(),
    remote_id: z.string().nullable(),
    raw_answer_id: z.number().nullable(),
    revision: z.number(),
    // A salvaged row may lack columns that were added later.
    origin: z.enum(origins).nullable().default(null),
    model: z.string().nullable().default(null),
  }),
);

/** The original words of a transcript from the service; null when they can't be parsed. */
export function readTranscriptBody(body: unknown): LeanTranscript | null {
  if (typeof body !== 'string') return null;
  try {
    const parsed = transcriptBody().safeParse(JSON.parse(body));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** A stored transcript without its words; null when it can't be parsed. */
export function readTranscriptFacts(row: Row): TranscriptFacts | null {
  const parsed = factsRow().safeParse(row);
  if (!parsed.success) return null;
  const {
    id,
    job_id,
    title,
    source_name,
    created_at_ms,
    path,
    media_sha256,
    remote_id,
    raw_answer_id,
    revision,
    origin,
    model,
  } = parsed.data;
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
    revision,
    origin,
    model,
  };
}

const rawRow = lazySchema(() =>
  z.object({
    job_id: z.string(),
    at_ms: z.number(),
    source: z.enum(['submit', 'read', 'export', 'listen-again']),
    request_id: z.string().nullable(),
    body: z.string(),
  }),
);

/** A stored answer; null when it can't be parsed. */
export function readRawRow(row: Row): RawAnswer | null {
  const parsed = rawRow().safeParse(row);
  if (!parsed.success) return null;
  const { job_id, at_ms, source, request_id, body } = parsed.data;
  return { jobId: job_id, atMs: at_ms, source, requestId: request_id, body };
}

const automationRow = lazySchema(() =>
  z.object({
    kind: z.enum(['copy', 'watch']),
    key: z.string(),
    at_ms: z.number(),
    name: z.string(),
    outcome: z.enum(['done', 'skipped', 'failed', 'there-before']),
    row: z.string().nullable(),
  }),
);

/** An entry of the automation log; null when it can't be parsed. */
export function readAutomationRow(found: Readonly<Record<string, unknown>>): AutomationEntry | null {
  const parsed = automationRow().safeParse(found);
  if (!parsed.success) return null;
  const { at_ms, ...entry } = parsed.data;
  return { ...entry, atMs: at_ms };
}
