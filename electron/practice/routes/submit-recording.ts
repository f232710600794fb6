import { createHash, randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { z } from 'zod';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { refuseUnaffordable, type Charge } from '../billing/credits.ts';
import { sttUnits } from '../billing/units.ts';
import { refuseUndecodable, json, problem, type Answer } from '../http/answer.ts';
import { titleOf, receiveForm, type UploadedFile } from '../http/receive-upload.ts';
import { inTurn } from '../http/idempotency-key.ts';
import type { KeyedExchange } from '../http/route.ts';
import { transcribe } from '../queue/transcribe.ts';
import { acceptedPath } from '../queue/work-queue.ts';
import type { Services } from '../services.ts';
import { writeTranscription } from '../shapes/write-transcription.ts';
import type { NewTranscription, TranscriptionRecord, UsedKey } from '../state/records.ts';

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const orderFields = z.object({
  language: z.enum(speechLanguages, { error: 'must be uz, en or ru' }),
  include_speakers: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((value) => value === 'true'),
});
type Order = z.output<typeof orderFields>;

const fingerprintOf = (upload: UploadedFile, order: Order): string =>
  createHash('sha256')
    .update(JSON.stringify([upload.sha256, order.language, order.include_speakers]))
    .digest('hex');

/** Repeats the first answer: a repeated request is never billed and never starts work again. */
function replay(used: UsedKey, fingerprint: string, exchange: KeyedExchange, services: Services): Answer {
  if (used.fingerprint !== fingerprint) {
    return problem(409, 'idempotency_conflict', 'This Idempotency-Key was used for another recording or other fields.');
  }
  const record = used.transcriptionId === null ? null : services.transcriptions.read(used.transcriptionId);
  if (record === null)
    return problem(409, 'transcription_deleted', 'The transcription made with this Idempotency-Key was deleted.');
  return accepted(record, used.statusCode, exchange, { 'idempotency-replayed': 'true' });
}

function accepted(
  record: TranscriptionRecord,
  status: 200 | 202,
  exchange: KeyedExchange,
  headers?: Readonly<Record<string, string>>,
): Answer {
  const asAccepted: TranscriptionRecord = status === 202 ? { ...record, status: 'queued', errorCode: null } : record;
  return json(status, writeTranscription(asAccepted, exchange.shape), headers);
}

async function admit(
  upload: UploadedFile,
  order: Order,
  idempotencyKey: string,
  exchange: KeyedExchange,
  services: Services,
): Promise<Answer> {
  const { transcriptions, admission, queue, limits, uploadsDir, now, credits } = services;
  const fingerprint = fingerprintOf(upload, order);
  const used = transcriptions.usedKey(idempotencyKey);
  if (used !== null) return replay(used, fingerprint, exchange, services);
  if (upload.sizeBytes === 0) return problem(400, 'validation_error', 'The recording is empty.', { audio: 'is empty' });

  if (services.recogniser !== null && !(await services.recogniser.hasModel(order.language)))
    return problem(503, 'model_missing', 'There is no model for this language on this computer.');
  // What is recognised takes its time, however short it is.
  const shortMs = services.recogniser === null ? limits.shortAudioMs : 0;
  const outcome = await admission.analyse(upload.path, shortMs);
  if (outcome.kind === 'undecodable') {
    return refuseUndecodable(outcome.code, outcome.detail);
  }
  const id = `tr_${randomUUID().replaceAll('-', '')}`;
  const entry: Omit<NewTranscription, 'outcome'> = {
    id,
    title: titleOf(upload.fileName),
    language: order.language,
    includeSpeakers: order.include_speakers,
    audioSha256: upload.sha256,
    idempotencyKey,
    fingerprint,
    atMs: now(),
  };
  const chargeFor = (durationMs: number): Charge => ({
    subject: id,
    requestId: exchange.requestId,
    keyId: exchange.caller.id,
    product: 'stt',
    operation: 'transcribe',
    durationMs,
    units: sttUnits(durationMs, order.include_speakers),
    atMs: entry.atMs,
  });
  if (outcome.kind === 'measured') {
    const done = transcribe(outcome.sound, {
      language: order.language,
      includeSpeakers: order.include_speakers,
      audioSha256: upload.sha256,
    });
    const charge = chargeFor(done.durationMs);
    const refusal = refuseUnaffordable(credits.refusal(exchange.caller, charge.units));
    if (refusal !== null) return refusal;
    const record = transcriptions.accept({ ...entry, outcome: { kind: 'completed', ...done } }, 'POST /v1/stt', () =>
      credits.spend(charge),
    );
    return accepted(record, 200, exchange);
  }
  // The length is known only after decoding; until then credits for the part heard so far are held.
  const charge = chargeFor(shortMs);
  const refusal = refuseUnaffordable(credits.refusal(exchange.caller, charge.units));
  if (refusal !== null) return refusal;
  // The audio is moved into place before the row that promises work on it exists.
  await rename(upload.path, acceptedPath(uploadsDir, id));
  const record = transcriptions.accept({ ...entry, outcome: { kind: 'queued' } }, 'POST /v1/stt', () =>
    credits.hold(charge),
  );
  queue.add(id);
  return accepted(record, 202, exchange);
}

/** POST /v1/stt */
export async function submitRecording(exchange: KeyedExchange, services: Services): Promise<Answer | null> {
  const idempotencyKey = exchange.request.headers['idempotency-key'];
  if (typeof idempotencyKey !== 'string' || !uuid.test(idempotencyKey)) {
    return problem(400, 'invalid_idempotency_key', 'Send a UUID in the header Idempotency-Key.');
  }
  const received = await receiveForm(exchange.request, exchange.body, services.uploadsDir, {
    field: 'audio',
    maxFiles: 1,
    maxBytes: services.limits.maxBodyBytes,
    tooLargeCode: 'audio_too_large',
  });
  if (!received.ok) return received.error;
  const [upload] = received.value.files;
  try {
    const order = orderFields.safeParse(Object.fromEntries(received.value.fields));
    if (!order.success) {
      const fields = Object.fromEntries(order.error.issues.map((issue) => [issue.path.join('.'), issue.message]));
      return problem(400, 'validation_error', 'Some fields are not right.', fields);
    }
    return await inTurn(services.admissions, idempotencyKey.toLowerCase(), () =>
      admit(upload, order.data, idempotencyKey.toLowerCase(), exchange, services),
    );
  } finally {
    await rm(upload.path, { force: true });
  }
}
