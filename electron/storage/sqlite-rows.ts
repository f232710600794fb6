import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import {
  optionsOf,
  newJobRecord,
  type IsolateOptions,
  type JobKindName,
  type JobOptions,
  type JobRecord,
} from '../../shared/domain/jobs/job-state.ts';
import { parseJobRecord } from '../../shared/domain/jobs/stored-job.ts';
import { speechLanguages } from '../../shared/domain/languages.ts';
import type { LeanTranscript } from '../../shared/domain/transcript/lean-transcript.ts';
import type { StoredJob } from '../services/library/store.ts';
import { jsonOf } from './sqlite-database.ts';

/** Audio named by its own content was copied there: it can't be created again. */
export const isKeptCopy = "m.path LIKE 'prepared:' || m.sha256 || '.%'";

/** A transcript with what it has as an item, its recording and its row. */
export const wholeTranscripts = `transcripts t JOIN items i ON i.kind = 'transcript' AND i.id = t.id
  JOIN media m ON m.sha256 = t.media_sha256 JOIN jobs j ON j.id = t.job_id`;

/** What a text is called at the service that fills the library now (?1); it means nothing to another one. */
export const remoteIdHere = 'iif(j.origin = ?1, t.remote_id, NULL)';

export const orderedFrom = 'iif(t.remote_id IS NULL AND t.raw_answer_id IS NULL, NULL, j.origin) AS origin';

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

export function readJobColumns(row: Row): DistributedOmit<StoredJob, 'memory'> | null {
  const { id, seq, path, name, size_bytes: sizeBytes, duration_ms: durationMs, added_at_ms: addedAtMs, rank } = row;
  const options = readOptions(row);
  if (typeof id !== 'string' || id === '' || typeof path !== 'string' || typeof name !== 'string') return null;
  if (typeof seq !== 'number' || typeof sizeBytes !== 'number' || typeof addedAtMs !== 'number') return null;
  if (typeof rank !== 'number' || (typeof durationMs !== 'number' && durationMs !== null)) return null;
  if (options === null) return null;
  return { id, seq, path, name, sizeBytes, durationMs, ...options, addedAtMs, rank };
}

function readOptions(row: Row): JobOptions | null {
  const { kind } = row;
  if (kind === 'isolate') {
    const stored = isolateOptions().safeParse(jsonOf(row['options']));
    if (!stored.success) return null;
    return optionsOf({ kind, ...stored.data });
  }
  const isSpeakers = row['include_speakers'];
  const language = speechLanguages.find((known) => known === row['language']);
  if (kind !== 'transcribe' || language === undefined || (isSpeakers !== 0 && isSpeakers !== 1)) return null;
  const stored = transcribeOptions().safeParse(jsonOf(row['options']));
  const isLegacy = stored.success && stored.data.isLegacy === true;
  return optionsOf({ kind, language, includeSpeakers: isSpeakers === 1, isLegacy });
}

const storedOptions = ({ restoresSpeech, restorationModel, part, isExcerpt }: IsolateOptions) => ({
  restoresSpeech,
  restorationModel,
  part,
  isExcerpt,
});

export const optionColumns = (options: JobOptions): readonly [string, number, JobKindName, string] =>
  options.kind === 'transcribe'
    ? [
        options.language,
        options.includeSpeakers ? 1 : 0,
        options.kind,
        JSON.stringify(options.isLegacy === true ? { isLegacy: true } : {}),
      ]
    : ['', 0, options.kind, JSON.stringify(storedOptions(options))];

export const memoryColumns = (memory: JobRecord) =>
  [
    memory.state.tag,
    memory.intent?.sha256 ?? null,
    memory.intent?.idempotencyKey ?? null,
    memory.intent?.remoteId ?? null,
    JSON.stringify(memory),
  ] as const;

export const jobColumnNames =
  'id, seq, path, name, size_bytes, duration_ms, language, include_speakers, kind, options, added_at_ms';

export const jobColumns = (job: StoredJob) =>
  [job.id, job.seq, job.path, job.name, job.sizeBytes, job.durationMs, ...optionColumns(job), job.addedAtMs] as const;

/** An unreadable row is shown as failed, so that it never stops the others. Null: without an id. */
export function readJobRow(row: Row): StoredJob | null {
  const columns = readJobColumns(row);
  const unreadable = {
    ...newJobRecord,
    state: { tag: 'failed', failure: localFailure('library-damaged', { code: 'row_unreadable' }), hasRawAnswer: false },
  } as const;
  if (columns !== null) {
    const memory = typeof row['memory'] === 'string' ? parseJobRecord(row['memory']) : null;
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

export const recordingQuery = 'SELECT j.path FROM transcripts t JOIN jobs j ON j.id = t.job_id WHERE t.id = ?';

/** `remoteId`: the expression for what the text is called at the service. */
export const factsColumns = (remoteId: string): string =>
  `t.id, t.job_id AS jobId, i.title, i.source_name AS sourceName, i.at_ms AS createdAtMs, m.path AS mediaPath,
   t.media_sha256 AS mediaSha256, ${remoteId} AS remoteId, t.raw_answer_id AS rawAnswerId, t.revision, t.model,
   ${orderedFrom}`;

export const readTranscriptBody = (body: unknown): LeanTranscript | null =>
  transcriptBody().safeParse(jsonOf(body)).data ?? null;
