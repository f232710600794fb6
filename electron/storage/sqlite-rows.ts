import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { newJobRecord, optionsOf, type JobOptions, type JobRecord } from '../../shared/domain/jobs/job-state.ts';
import { parseJobRecord } from '../../shared/domain/jobs/stored-job.ts';
import { speechLanguages } from '../../shared/domain/languages.ts';
import type { StoredJob } from '../services/library/store.ts';
import { jsonOf, selected } from './sqlite-database.ts';

/** Audio named by its own content was copied there: it can't be created again. */
export const isKeptCopy = "m.path LIKE 'prepared:' || m.sha256 || '.%'";

/** A transcript with what it has as an item, its recording and its row. */
export const wholeTranscripts = `transcripts t JOIN items i ON i.kind = 'transcript' AND i.id = t.id
  JOIN media m ON m.sha256 = t.media_sha256 JOIN jobs j ON j.id = t.job_id`;

/** What a text is called at the service that fills the library now (?1); it means nothing to another one. */
export const remoteIdHere = 'iif(j.origin = ?1, t.remote_id, NULL)';

export const orderedFrom = 'iif(t.remote_id IS NULL AND t.raw_answer_id IS NULL, NULL, j.origin) AS origin';

export const recordingQuery = 'SELECT j.path FROM transcripts t JOIN jobs j ON j.id = t.job_id WHERE t.id = ?';

export const jobColumns = 'id seq path name sizeBytes durationMs language includeSpeakers kind options addedAtMs rank';
export const recordColumns = 'tag sha256 idempotencyKey remoteId memory';
export const selectJobs = `SELECT ${selected(`${jobColumns} memory origin`, 'j.')} FROM jobs j`;

export type StoredJobRow = Omit<StoredJob, keyof JobOptions | 'memory'> &
  Readonly<Record<'language' | 'kind' | 'options' | 'memory' | 'origin', string>> & {
    readonly includeSpeakers: number;
  };

export const speechLanguage = lazySchema(() => z.enum(speechLanguages));
const options = lazySchema(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('transcribe'),
      language: speechLanguage(),
      includeSpeakers: z.union([z.literal(0), z.literal(1)]).transform((isOn) => isOn === 1),
      isLegacy: z.boolean().optional().catch(undefined),
    }),
    z.object({
      kind: z.literal('isolate'),
      restoresSpeech: z.boolean(),
      restorationModel: z.string().optional(),
      part: z.object({ startMs: z.number(), endMs: z.number() }).optional(),
      isExcerpt: z.boolean().optional(),
    }),
  ]),
);

/** The same options are the same text, because rows are looked up by it. */
const optionsText = (job: JobOptions): string => {
  if (job.kind === 'transcribe') return JSON.stringify(job.isLegacy === true ? { isLegacy: true } : {});
  const { restoresSpeech, restorationModel, part, isExcerpt } = job;
  return JSON.stringify({ restoresSpeech, restorationModel, part, isExcerpt });
};

export const storedOptions = (job: JobOptions) => ({
  language: job.kind === 'transcribe' ? job.language : '',
  includeSpeakers: job.kind === 'transcribe' && job.includeSpeakers ? 1 : 0,
  kind: job.kind,
  options: optionsText(job),
});

export const storedRecord = (memory: JobRecord) => ({
  tag: memory.state.tag,
  sha256: memory.intent?.sha256 ?? null,
  idempotencyKey: memory.intent?.idempotencyKey ?? null,
  remoteId: memory.intent?.remoteId ?? null,
  memory: JSON.stringify(memory),
});

const unreadable: JobRecord = {
  ...newJobRecord,
  state: { tag: 'failed', failure: localFailure('library-damaged', { code: 'row_unreadable' }), hasRawAnswer: false },
};

/** An unreadable row is shown as failed, so that it never stops the others. */
export function readJobRow(row: StoredJobRow): StoredJob {
  const { language, includeSpeakers, kind, options: stored, memory, origin: _origin, ...facts } = row;
  const given = jsonOf(stored);
  const known = options().safeParse({ ...(typeof given === 'object' && given), language, includeSpeakers, kind });
  if (known.success) return { ...facts, ...optionsOf(known.data), memory: parseJobRecord(memory) ?? unreadable };
  return { ...facts, kind: 'transcribe', language: 'uz', includeSpeakers: false, memory: unreadable };
}
