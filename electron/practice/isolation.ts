import {
  newId,
  found,
  inTurn,
  json,
  keyed,
  noContent,
  pageOf,
  problem,
  readIdempotencyKey,
  readJson,
  refuse,
  validate,
  type Answer,
  type Exchange,
  type Route,
} from './http.ts';
import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { WorkThread } from '../threads/work-thread.ts';
import { refuseUndecodable } from './analyst.ts';
import { bill, prices, refuseUnaffordable, release, settle, toUnits, wholeCredits } from './credits.ts';
import { titleOf, withForm, type Form } from './form.ts';
import { isolationWorkerRole, type IsolationOutcome, type IsolationRequest } from './isolation-worker.ts';
import { restorationModel } from './restore-speech.ts';
import type { Services } from './services.ts';
import { get } from './state.ts';
import { objectPath } from './storage.ts';

type ConvertedFormat = 'flac' | 'mp3' | 'ogg';
const formats = ['mp3', 'wav', 'flac', 'ogg', 'original'] as const;
type Format = (typeof formats)[number];

/** A recording to isolate. A hidden one is worked on all the same, and a repeated request gets its answer. */
export interface Isolation {
  readonly seq: number;
  readonly id: string;
  readonly title: string;
  status: 'queued' | 'processing' | 'completed' | 'failed';
  errorCode: string | null;
  readonly durationMs: number;
  readonly units: number;
  readonly speechRestoration: boolean;
  isHidden: boolean;
  exports: Partial<Record<Format, 'processing' | 'completed' | 'failed'>>;
  readonly createdAtMs: number;
  updatedAtMs: number;
}

/** Isolates one recording after another, and converts results. Resumes after a restart. */
export class IsolationQueue {
  readonly #services: Services;
  readonly #thread: WorkThread<IsolationRequest, IsolationOutcome>;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(workerUrl: URL, services: Services) {
    this.#services = services;
    this.#thread = new WorkThread<IsolationRequest, IsolationOutcome>({
      workerUrl,
      workerData: isolationWorkerRole,
      silenceLimitMs: 60_000,
      lost: () => ({ kind: 'failed', code: 'internal_error' }),
    });
  }

  /** Conversions that an earlier process left can be requested again. */
  resume(): void {
    for (const job of Object.values(this.#services.state.isolations)) {
      for (const format of formats) if (job.exports[format] === 'processing') delete job.exports[format];
      if (job.status === 'queued' || job.status === 'processing') this.add(job);
    }
  }

  get isAtWork(): boolean {
    return this.#waiting > 0;
  }

  add(job: Isolation): void {
    this.#queue(() => this.#work(job));
  }

  convert(job: Isolation, format: ConvertedFormat): void {
    job.exports[format] = 'processing';
    this.#queue(async () => {
      if (this.#stop.signal.aborted) return;
      const outcome = await this.#run(format, job.id, 'wav', format);
      if (this.#stop.signal.aborted) return;
      job.exports[format] = outcome.kind === 'done' ? 'completed' : 'failed';
      this.#services.save();
    });
  }

  #queue(work: () => Promise<void>): void {
    this.#waiting += 1;
    this.#running = this.#running.then(work).finally(() => (this.#waiting -= 1));
  }

  #run(
    kind: IsolationRequest['kind'],
    id: string,
    from: 'bin' | 'wav',
    to: 'wav' | ConvertedFormat,
  ): Promise<IsolationOutcome> {
    const services = this.#services;
    const [inputPath, outputPath] = [objectPath(services, id, from), objectPath(services, id, to)];
    return this.#thread.run({ kind, inputPath, outputPath });
  }

  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  async #work(job: Isolation): Promise<void> {
    const { state, save, pace, now } = this.#services;
    await this.#pause(Math.max(0, job.createdAtMs + pace.queuedMs - now()));
    if (this.#stop.signal.aborted) return;
    Object.assign(job, { status: 'processing', updatedAtMs: now() });
    const kind = job.speechRestoration ? 'suppress-and-restore' : 'suppress';
    const [outcome] = await Promise.all([this.#run(kind, job.id, 'bin', 'wav'), this.#pause(pace.processingMs)]);
    // A shutdown ends the thread, which looks like a failure: the next start repeats this work.
    if (this.#stop.signal.aborted) return;
    const planned = this.#services.failureOf(job.id, 'isolation-queue');
    const errorCode = planned ?? (outcome.kind === 'failed' ? outcome.code : null);
    Object.assign(job, { status: errorCode === null ? 'completed' : 'failed', errorCode, updatedAtMs: now() });
    if (errorCode === null) settle(state, job.id);
    else release(state, job.id);
    save();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#thread.close();
    await this.#running;
  }
}

const orderFields = z.strictObject({
  title: z.string().trim().min(1, 'must not be empty').max(200, 'at most 200 characters').optional(),
  speech_restoration: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((value) => value === 'true'),
  restoration_model: z.literal(restorationModel, { error: `must be ${restorationModel}` }).optional(),
});

/** A completed job has a fresh address of its audio. */
const written = (job: Isolation, { links }: Services) => ({
  id: job.id,
  title: job.title,
  status: job.status,
  audio_status: job.status,
  audio_format: 'wav',
  audio_url: job.status === 'completed' ? links.linkTo(job.id, 'wav') : null,
  duration_ms: job.durationMs,
  credits: wholeCredits(job.units),
  speech_restoration: job.speechRestoration,
  ...(job.speechRestoration ? { restoration_model: restorationModel } : {}),
  ...(job.errorCode === null ? {} : { error_code: job.errorCode }),
  created_at: new Date(job.createdAtMs).toISOString(),
  updated_at: new Date(job.updatedAtMs).toISOString(),
});

function acceptedAnswer(ids: readonly string[], isBatch: boolean, services: Services): Answer {
  const jobs = ids.flatMap((id) => {
    const job = get(services.state.isolations, id);
    return job === null ? [] : [written({ ...job, status: 'queued', errorCode: null }, services)];
  });
  return json(202, isBatch ? { jobs } : { ...jobs[0] });
}

/** The lengths of all files, of which every started second counts. */
async function measureAll({ files }: Form, { measuring }: Services): Promise<readonly number[]> {
  const lengths: number[] = [];
  for (const [at, { path, sizeBytes }] of files.entries()) {
    const field = files.length === 1 ? 'audio' : `audio[${at}]`;
    if (sizeBytes === 0) refuse(400, 'validation_error', 'The recording is empty.', { [field]: 'is empty' });
    const outcome = await measuring.analyse(path);
    if (outcome.kind === 'undecodable') refuseUndecodable(outcome, field);
    if (outcome.kind !== 'measured') return refuse(500, 'internal_error', 'The recording could not be measured.');
    lengths.push(outcome.sound.durationMs);
  }
  return lengths;
}

async function admit(
  form: Form,
  order: z.output<typeof orderFields>,
  idempotencyKey: string,
  isBatch: boolean,
  { caller, requestId }: Exchange,
  services: Services,
): Promise<Answer> {
  const { state, save, now, isolationQueue } = services;
  const { title, speech_restoration: speechRestoration } = order;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([form.files.map(({ sha256 }) => sha256), title ?? null, speechRestoration]))
    .digest('hex');
  const used = get(state.used, `isolation ${idempotencyKey}`);
  if (used !== null) {
    if (used.fingerprint !== fingerprint)
      refuse(409, 'idempotency_conflict', 'This Idempotency-Key was used for another request.');
    return acceptedAnswer(used.subject.split(' '), isBatch, services);
  }
  const lengths = await measureAll(form, services);
  const atMs = now();
  const jobs = lengths.map((durationMs, at): Isolation => ({
    seq: (state.seq += 1),
    id: newId('iso'),
    title: title ?? titleOf(form.files[at]?.fileName ?? ''),
    status: 'queued',
    errorCode: null,
    durationMs,
    units: toUnits(Math.ceil(durationMs / 1000) * prices.isolationPerSecond),
    speechRestoration,
    isHidden: false,
    exports: {},
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }));
  refuseUnaffordable(
    state,
    caller,
    jobs.reduce((sum, { units }) => sum + units, 0),
  );
  // The audio is moved into place before the records that promise work on it exist.
  for (const [at, { path }] of form.files.entries())
    await rename(path, objectPath(services, jobs[at]?.id ?? '', 'bin'));
  for (const [at, job] of jobs.entries()) {
    const { id, durationMs, units } = job;
    state.isolations[id] = job;
    bill(state, {
      subject: id,
      requestId,
      keyId: caller.id,
      product: 'voice_enhancer',
      operation: 'isolate',
      durationMs,
      units,
      state: 'held',
      atMs,
      route: isBatch ? 'POST /v1/voice-isolations/batch' : 'POST /v1/voice-isolations',
      idempotencyKey,
      audioSha256: form.files[at]?.sha256 ?? '',
      fields: { title: job.title, speech_restoration: speechRestoration },
    });
  }
  const ids = jobs.map(({ id }) => id);
  state.used[`isolation ${idempotencyKey}`] = { fingerprint, subject: ids.join(' ') };
  save();
  for (const job of jobs) isolationQueue.add(job);
  return acceptedAnswer(ids, isBatch, services);
}

/** A batch is all of its recordings or none. */
const submit =
  (isBatch: boolean) =>
  async (exchange: Exchange, services: Services): Promise<Answer> => {
    const key = readIdempotencyKey(exchange.request);
    const rules = {
      field: 'audio',
      maxFiles: isBatch ? 20 : 1,
      maxBytes: services.limits.maxBodyBytes,
      tooLargeCode: 'audio_too_large',
    };
    return withForm(exchange, services.uploadsDir, rules, async (form) => {
      const [unexpected] = form.unexpected;
      if (unexpected !== undefined)
        refuse(400, 'validation_error', 'The form has more than it may.', { [unexpected]: 'too many' });
      const order = validate(orderFields, form.fields);
      return inTurn(`isolation ${key}`, () => admit(form, order, key, isBatch, exchange, services));
    });
  };

const shown = ({ state }: Services): readonly Isolation[] =>
  Object.values(state.isolations).filter(({ isHidden }) => !isHidden);

const find = ({ id }: Exchange, services: Services): Isolation =>
  found(
    shown(services).find((job) => job.id === id),
    problem(404, 'not_found', 'There is no isolation with this identifier.'),
  );

function listIsolations({ query }: Exchange, services: Services): Answer {
  const { items, nextCursor } = pageOf(shown(services), query, { usual: 20, most: 50 });
  const data = items.map((job) => written(job, services));
  return json(200, { data, has_more: nextCursor !== null, next_cursor: nextCursor });
}

const readIsolation = (exchange: Exchange, services: Services): Answer =>
  json(200, written(find(exchange, services), services));

function hideIsolation(exchange: Exchange, services: Services): Answer {
  find(exchange, services).isHidden = true;
  services.save();
  return noContent;
}

function exportAnswer(status: number, { id, exports }: Isolation, format: Format, { links }: Services): Answer {
  const address = exports[format] === 'completed' ? links.linkTo(id, format === 'original' ? 'bin' : format) : null;
  return json(status, { isolation_id: id, format, status: exports[format], download_url: address });
}

/** Free, and runs no model again. */
async function createExport(exchange: Exchange, services: Services): Promise<Answer> {
  const job = find(exchange, services);
  const { format } = await readJson(exchange.request, z.strictObject({ format: z.enum(formats) }));
  if (job.status !== 'completed') refuse(409, 'isolation_not_completed', 'Only a completed isolation can be exported.');
  const known = job.exports[format] ?? 'failed';
  if (format === 'wav' || format === 'original') job.exports[format] = 'completed';
  else if (known === 'failed') services.isolationQueue.convert(job, format);
  services.save();
  return exportAnswer(202, job, format, services);
}

function readExport(exchange: Exchange, services: Services): Answer {
  const job = find(exchange, services);
  const format = z.enum(formats).safeParse(exchange.params['format']).data;
  if (format === undefined)
    return refuse(400, 'validation_error', 'This format is not known.', { format: 'is not known' });
  if (job.exports[format] === undefined) refuse(404, 'not_found', 'This format was not asked for.');
  return exportAnswer(200, job, format, services);
}

const isolations = '/v1/voice-isolations';

export const isolationRoutes: readonly Route[] = [
  keyed('POST', isolations, 'audio_isolation:write', submit(false)),
  keyed('POST', `${isolations}/batch`, 'audio_isolation:write', submit(true)),
  keyed('GET', isolations, 'audio_isolation:read', listIsolations),
  keyed('GET', `${isolations}/:id`, 'audio_isolation:read', readIsolation),
  keyed('DELETE', `${isolations}/:id`, 'audio_isolation:write', hideIsolation),
  keyed('POST', `${isolations}/:id/exports`, 'audio_isolation:write', createExport),
  keyed('GET', `${isolations}/:id/exports/:format`, 'audio_isolation:read', readExport),
];
