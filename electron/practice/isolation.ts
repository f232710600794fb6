import { rename } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { bill, prices, refuseUnaffordable, release, settle, toUnits, wholeCredits } from './credits.ts';
import { flag, refuseSound, titleOf, withForm, type Form } from './form.ts';
import {
  createOnce,
  historyOf,
  json,
  newId,
  readIdempotencyKey,
  readJson,
  refuse,
  route,
  validate,
  type Answer,
  type Exchange,
  type Once,
  type Route,
} from './http.ts';
import type { Services } from './services.ts';
import type { SoundThread } from './sound-worker.ts';
import { get, wire } from './state.ts';
import { objectPath } from './storage.ts';

/** The only model of practice mode: plain arithmetic, and its name says so. */
const restorationModel = 'practice-leveller-1';

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
  readonly #thread: SoundThread;
  readonly #services: Services;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(thread: SoundThread, services: Services) {
    this.#thread = thread;
    this.#services = services;
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
      const [path, outputPath] = [this.#path(job, 'wav'), this.#path(job, format)];
      const outcome = await this.#thread.run({ kind: 'convert', path, outputPath, format });
      if (this.#stop.signal.aborted) return;
      job.exports[format] = outcome.kind === 'done' ? 'completed' : 'failed';
      this.#services.save();
    });
  }

  #queue(work: () => Promise<void>): void {
    this.#waiting += 1;
    this.#running = this.#running.then(work).finally(() => (this.#waiting -= 1));
  }

  #path({ id }: Isolation, extension: 'bin' | 'wav' | ConvertedFormat): string {
    return objectPath(this.#services, id, extension);
  }

  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  async #work(job: Isolation): Promise<void> {
    const { state, save, pace, now, faultPlan } = this.#services;
    await this.#pause(Math.max(0, job.createdAtMs + pace.queuedMs - now()));
    if (this.#stop.signal.aborted) return;
    Object.assign(job, { status: 'processing', updatedAtMs: now() });
    const [path, outputPath] = [this.#path(job, 'bin'), this.#path(job, 'wav')];
    const order = { kind: 'suppress', path, outputPath, restores: job.speechRestoration } as const;
    const [outcome] = await Promise.all([this.#thread.run(order), this.#pause(pace.processingMs)]);
    // A shutdown ends the thread, which looks like a failure: the next start repeats this work.
    if (this.#stop.signal.aborted) return;
    const trouble = outcome.kind === 'undecodable' ? outcome.code : outcome.kind === 'done' ? null : 'internal_error';
    const errorCode = faultPlan.failureOf('isolation-queue') ?? trouble;
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
  speech_restoration: flag.default(false),
  restoration_model: z.literal(restorationModel, { error: `must be ${restorationModel}` }).optional(),
});

/** A completed job has a fresh address of its audio. */
function written(
  { seq: _seq, units, errorCode, isHidden: _hidden, exports: _exports, ...job }: Isolation,
  { links }: Services,
) {
  return {
    ...wire(job),
    audio_status: job.status,
    audio_format: 'wav',
    audio_url: job.status === 'completed' ? links.linkTo(job.id, 'wav') : null,
    credits: wholeCredits(units),
    ...(job.speechRestoration ? { restoration_model: restorationModel } : {}),
    ...(errorCode === null ? {} : { error_code: errorCode }),
  };
}

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
    const outcome = await measuring.run({ kind: 'measure', path });
    if (outcome.kind !== 'measured') return refuseSound(outcome, field);
    lengths.push(outcome.sound.durationMs);
  }
  return lengths;
}

async function admit(
  form: Form,
  { title, speech_restoration: speechRestoration }: z.output<typeof orderFields>,
  once: Once,
  isBatch: boolean,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const { state, save, now, isolationQueue } = services;
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
  const total = jobs.reduce((sum, { units }) => sum + units, 0);
  refuseUnaffordable(state, exchange.caller, total);
  // The audio is moved into place before the records that promise work on it exist.
  for (const [at, { path }] of form.files.entries())
    await rename(path, objectPath(services, jobs[at]?.id ?? '', 'bin'));
  for (const [at, job] of jobs.entries()) {
    const { id, durationMs, units } = job;
    state.isolations[id] = job;
    bill(services, exchange, {
      subject: id,
      product: 'voice_enhancer',
      operation: 'isolate',
      durationMs,
      units,
      state: 'held',
      route: isBatch ? 'POST /v1/voice-isolations/batch' : 'POST /v1/voice-isolations',
      idempotencyKey: once.key,
      audioSha256: form.files[at]?.sha256 ?? '',
      fields: { title: job.title, speech_restoration: speechRestoration },
    });
  }
  const ids = jobs.map(({ id }) => id);
  once.use(ids.join(' '));
  save();
  for (const job of jobs) isolationQueue.add(job);
  return acceptedAnswer(ids, isBatch, services);
}

/** A batch is all of its recordings or none. */
const submit =
  (isBatch: boolean) =>
  (exchange: Exchange, services: Services): Promise<Answer> => {
    const key = readIdempotencyKey(exchange.request);
    const { uploadsDir: folder, limits } = services;
    const maxFiles = isBatch ? 20 : 1;
    const rules = { folder, field: 'audio', maxFiles, maxBytes: limits.maxBodyBytes, tooLargeCode: 'audio_too_large' };
    return withForm(exchange, rules, async (form) => {
      const [unexpected] = form.unexpected;
      if (unexpected !== undefined)
        refuse(400, 'validation_error', 'The form has more than it may.', { [unexpected]: 'too many' });
      const order = validate(orderFields, form.fields);
      const content = [form.files.map(({ sha256 }) => sha256), order.title ?? null, order.speech_restoration];
      const create = (once: Once): Promise<Answer> => admit(form, order, once, isBatch, exchange, services);
      const replay = (ids: string): Answer => acceptedAnswer(ids.split(' '), isBatch, services);
      return createOnce(services, 'isolation', key, content, create, replay);
    });
  };

const { find, list, hide } = historyOf(({ isolations: table }) => table, { usual: 20, most: 50 }, written);

const readIsolation = (exchange: Exchange, services: Services): Answer =>
  json(200, written(find(exchange, services), services));

function exportAnswer(status: number, { id, exports }: Isolation, format: Format, { links }: Services): Answer {
  const address = exports[format] === 'completed' ? links.linkTo(id, format === 'original' ? 'bin' : format) : null;
  return json(status, { isolation_id: id, format, status: exports[format], download_url: address });
}

const formatBody = z.object({ format: z.enum(formats) });

/** Free, and runs no model again. */
async function createExport(exchange: Exchange, services: Services): Promise<Answer> {
  const job = find(exchange, services);
  const { format } = await readJson(exchange.request, formatBody);
  if (job.status !== 'completed') refuse(409, 'isolation_not_completed', 'Only a completed isolation can be exported.');
  const known = job.exports[format] ?? 'failed';
  if (format === 'wav' || format === 'original') job.exports[format] = 'completed';
  else if (known === 'failed') services.isolationQueue.convert(job, format);
  services.save();
  return exportAnswer(202, job, format, services);
}

function readExport(exchange: Exchange, services: Services): Answer {
  const job = find(exchange, services);
  const { format } = validate(formatBody, exchange.params);
  if (job.exports[format] === undefined) refuse(404, 'not_found', 'This format was not asked for.');
  return exportAnswer(200, job, format, services);
}

const isolations = '/v1/voice-isolations';

export const isolationRoutes: readonly Route[] = [
  route('POST', isolations, submit(false), 'audio_isolation:write'),
  route('POST', `${isolations}/batch`, submit(true), 'audio_isolation:write'),
  route('GET', isolations, list, 'audio_isolation:read'),
  route('GET', `${isolations}/:id`, readIsolation, 'audio_isolation:read'),
  route('DELETE', `${isolations}/:id`, hide, 'audio_isolation:write'),
  route('POST', `${isolations}/:id/exports`, createExport, 'audio_isolation:write'),
  route('GET', `${isolations}/:id/exports/:format`, readExport, 'audio_isolation:read'),
];
