import {
  asArray,
  isJsonObject,
  pickFrom,
  unwrap,
  fieldsOf,
  readNamed,
  readPage,
  readWithId,
  type Page,
} from './values.ts';
import { readSignedUrl } from './signed-url.ts';

/** Whether the audio can be downloaded; unknown words of the service mean `working`. */
type Progress = 'working' | 'completed' | 'failed';

const idNames = ['id', 'isolation_id', 'isolationId', 'voice_isolation_id', 'job_id'];
const failedWords = /^(?:failed|failure|error|errored|cancelled|canceled|rejected)$/u;
const readyWords = /^(?:completed|complete|ready|done|succeeded|success|available)$/u;

/** One job (assumptions: isolation-job); null without an identifier. */
export const readIsolation = (body: unknown, requestId: string | null = null) =>
  readWithId(
    body,
    ['voice_isolation', 'isolation', 'job', 'item'],
    idNames,
    (id, { text, count, decimal, moment }, source) => {
      const status = text('status', 'state');
      const audioStatus = text('audio_status', 'audioStatus');
      const audio = readSignedUrl(source);
      const seconds = count('duration', 'duration_seconds');
      return {
        id,
        title: text('title', 'name', 'filename'),
        progress: progressOf(
          [status, audioStatus],
          readyWords.test((audioStatus ?? '').toLowerCase()) && audio !== null,
        ),
        status,
        audioStatus,
        audio,
        durationMs: count('duration_ms') ?? (seconds === null ? null : Math.round(seconds * 1000)),
        credits: decimal('credits_used', 'credits', 'credits_held'),
        errorCode: codeIn(text('error_code', 'failure_code')),
        createdAt: moment('created_at'),
        requestId,
      };
    },
  );

export type IsolationJob = NonNullable<ReturnType<typeof readIsolation>>;

const progressOf = (words: readonly (string | null)[], isReady: boolean): Progress => {
  if (words.some((word) => failedWords.test((word ?? '').toLowerCase()))) return 'failed';
  return isReady ? 'completed' : 'working';
};

const codeIn = (text: string | null): string | null =>
  text !== null && /^[A-Za-z0-9_.:-]{1,64}$/u.test(text) ? text.toLowerCase() : null;

/** A page of jobs; null when there is no list. */
export const readIsolations = (body: unknown): Page<IsolationJob> | null =>
  readPage(body, ['isolations', 'voice_isolations', 'jobs'], (item) => readIsolation(item));

/** The jobs of a batch in the order of its files; null where one can't be read, null for all when there is no list. */
export function readBatch(body: unknown): readonly (IsolationJob | null)[] | null {
  const list = pickFrom(unwrap(body), ['jobs', 'isolations', 'voice_isolations', 'data', 'items', 'results'], asArray);
  return list?.map((item) => readIsolation(item)) ?? null;
}

/** The state of an export (assumptions: isolation-export); null when the body contains neither state nor address. */
export function readIsolationExport(body: unknown) {
  const source = readNamed(body, ['export'], ['status', 'state', 'url', 'download_url', 'audio_url']);
  if (source === null || !isJsonObject(source)) return null;
  const { text } = fieldsOf(source);
  const status = text('status', 'state');
  const audio = readSignedUrl(source);
  const isReady = audio !== null && (status === null || readyWords.test(status.toLowerCase()));
  return { format: text('format'), status, progress: progressOf([status], isReady), audio };
}
