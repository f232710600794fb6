import { createHash, randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { z } from 'zod';
import { refuseUndecodable, json, problem, type Answer } from '../http/answer.ts';
import { refuseUnaffordable } from '../billing/credits.ts';
import { prices, toUnits } from '../billing/units.ts';
import { restorationModel } from '../isolation/restore-speech.ts';
import { inTurn, keyConflict, readIdempotencyKey } from '../http/idempotency-key.ts';
import { receiveForm, type Form, type UploadedFile, titleOf } from '../http/receive-upload.ts';
import type { KeyedExchange } from '../http/route.ts';
import type { Services } from '../services.ts';
import type { NewIsolation } from '../state/isolations.ts';
import { objectName } from '../storage/object-store.ts';
import { writeIsolation } from './isolations.ts';

const mostInBatch = 20;
const area = 'isolation';

const orderFields = z.strictObject({
  title: z.string().trim().min(1, 'must not be empty').max(200, 'at most 200 characters').optional(),
  speech_restoration: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((value) => value === 'true'),
  restoration_model: z.literal(restorationModel, { error: `must be ${restorationModel}` }).optional(),
});
type Order = z.output<typeof orderFields>;

const fingerprintOf = (files: readonly UploadedFile[], order: Order): string =>
  createHash('sha256')
    .update(JSON.stringify([files.map(({ sha256 }) => sha256), order.title ?? null, order.speech_restoration]))
    .digest('hex');

/** Every started second counts, file by file. */
const unitsFor = (durationMs: number): number => toUnits(Math.ceil(durationMs / 1000) * prices.isolationPerSecond);

function acceptedAnswer(ids: readonly string[], isBatch: boolean, services: Services): Answer {
  const jobs = ids.flatMap((id) => {
    const job = services.isolations.readAny(id);
    return job === null ? [] : [writeIsolation({ ...job, status: 'queued', errorCode: null }, services)];
  });
  return json(202, isBatch ? { jobs } : { ...jobs[0] });
}

type Measured = readonly { readonly file: UploadedFile; readonly job: NewIsolation }[];

/** Measures all files; the failure is the answer to the first unusable one. */
async function measureAll(form: Form, order: Order, services: Services): Promise<Measured | Answer> {
  const measured: Measured[number][] = [];
  for (const [at, file] of form.files.entries()) {
    const field = form.files.length === 1 ? 'audio' : `audio[${at}]`;
    if (file.sizeBytes === 0)
      return problem(400, 'validation_error', 'The recording is empty.', { [field]: 'is empty' });
    const outcome = await services.measuring.analyse(file.path);
    if (outcome.kind === 'undecodable') return refuseUndecodable(outcome.code, outcome.detail, field);
    if (outcome.kind === 'longer') return problem(500, 'internal_error', 'The recording could not be measured.');
    const { durationMs } = outcome.sound;
    const job = {
      id: `iso_${randomUUID().replaceAll('-', '')}`,
      title: order.title ?? titleOf(file.fileName),
      durationMs,
      units: unitsFor(durationMs),
      speechRestoration: order.speech_restoration,
      atMs: services.now(),
    };
    measured.push({ file, job });
  }
  return measured;
}

const isAnswer = (value: Measured | Answer): value is Answer => 'kind' in value;

/** Stores credits, jobs, idempotency key and ledger rows of all files together, or none of them. */
function acceptAll(
  measured: Measured,
  fingerprint: string,
  idempotencyKey: string,
  isBatch: boolean,
  { caller, requestId }: KeyedExchange,
  { transaction, credits, isolations, idempotency, ledger }: Services,
): Answer | null {
  return refuseUnaffordable(
    transaction(() => {
      const refusal = credits.holdAll(
        caller,
        measured.map(({ job }) => ({
          subject: job.id,
          requestId,
          keyId: caller.id,
          product: 'voice_enhancer' as const,
          operation: 'isolate',
          durationMs: job.durationMs,
          units: job.units,
          atMs: job.atMs,
        })),
      );
      if (refusal !== null) return refusal;
      for (const { file, job } of measured) {
        isolations.add(job);
        ledger.add({
          atMs: job.atMs,
          route: isBatch ? 'POST /v1/voice-isolations/batch' : 'POST /v1/voice-isolations',
          idempotencyKey,
          contentSha256: file.sha256,
          fields: { title: job.title, speech_restoration: job.speechRestoration },
          subject: job.id,
        });
      }
      idempotency.use(area, idempotencyKey, { fingerprint, subject: measured.map(({ job }) => job.id).join(' ') });
      return null;
    }),
  );
}

async function admit(
  form: Form,
  order: Order,
  idempotencyKey: string,
  isBatch: boolean,
  exchange: KeyedExchange,
  services: Services,
): Promise<Answer> {
  const { idempotency, objects, isolationQueue } = services;
  const fingerprint = fingerprintOf(form.files, order);
  const used = idempotency.find(area, idempotencyKey);
  if (used !== null) {
    return used.fingerprint === fingerprint ? acceptedAnswer(used.subject.split(' '), isBatch, services) : keyConflict;
  }
  const measured = await measureAll(form, order, services);
  if (isAnswer(measured)) return measured;
  // The audio is moved into place before the rows that promise work on it exist.
  const places = measured.map(({ job }) => objects.pathOf(objectName(job.id, 'bin')) ?? '');
  for (const [at, { file }] of measured.entries()) await rename(file.path, places[at] ?? '');
  const refusal = acceptAll(measured, fingerprint, idempotencyKey, isBatch, exchange, services);
  if (refusal !== null) {
    for (const place of places) await rm(place, { force: true });
    return refusal;
  }
  const ids = measured.map(({ job }) => job.id);
  for (const id of ids) isolationQueue.add(id);
  return acceptedAnswer(ids, isBatch, services);
}

async function submit(exchange: KeyedExchange, services: Services, isBatch: boolean): Promise<Answer | null> {
  const key = readIdempotencyKey(exchange.request);
  if (!key.ok) return key.error;
  const received = await receiveForm(exchange.request, exchange.body, services.uploadsDir, {
    field: 'audio',
    maxFiles: isBatch ? mostInBatch : 1,
    maxBytes: services.limits.maxBodyBytes,
    tooLargeCode: 'audio_too_large',
  });
  if (!received.ok) return received.error;
  const form = received.value;
  try {
    const [unexpected] = form.unexpected;
    if (unexpected !== undefined)
      return problem(400, 'validation_error', 'The form has more than it may.', { [unexpected]: 'too many' });
    const order = orderFields.safeParse(Object.fromEntries(form.fields));
    if (!order.success) {
      const fields = Object.fromEntries(order.error.issues.map((issue) => [issue.path.join('.'), issue.message]));
      return problem(400, 'validation_error', 'Some fields are not right.', fields);
    }
    return await inTurn(services.admissions, `${area} ${key.value}`, () =>
      admit(form, order.data, key.value, isBatch, exchange, services),
    );
  } finally {
    for (const { path } of form.files) await rm(path, { force: true });
  }
}

/** POST /v1/voice-isolations */
export const submitIsolation = (exchange: KeyedExchange, services: Services): Promise<Answer | null> =>
  submit(exchange, services, false);

/** POST /v1/voice-isolations/batch: all recordings or none */
export const submitIsolationBatch = (exchange: KeyedExchange, services: Services): Promise<Answer | null> =>
  submit(exchange, services, true);
