import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import { challengeMark, makeChallenge } from '../clone/challenge-text.ts';
import type { Enrollment } from '../clone/enrollments.ts';
import { consentBody } from '../clone/metadata.ts';
import type { VoiceOutcome } from '../clone/voice-worker.ts';
import { json, problem, type Answer } from '../http/answer.ts';
import { readJson } from '../http/read-json.ts';
import { receiveForm, type Form } from '../http/receive-upload.ts';
import type { Exchange, KeyedExchange } from '../http/route.ts';
import { findSample } from '../samples.ts';
import type { Services } from '../services.ts';
import { practiceNote } from '../texts.ts';
import { writeEnrollment } from './enrollment-body.ts';

export const reference = { leastMs: 10_000, mostMs: 30_000, mostBytes: 10 * 1024 * 1024 } as const;
const mostActiveVoices = 5;
const challengeLifeMs = 10 * 60_000;

export const cloneNotFound = problem(404, 'voice_clone_not_found', 'There is no such voice.');
export const wrongState = (words: string): Answer => problem(409, 'voice_clone_invalid_state', words);
export const tooManyVoices = problem(
  409,
  'voice_limit_reached',
  `There are ${mostActiveVoices} voices already, which is the most.`,
);
const noPlan = problem(
  402,
  'voice_clone_subscription_required',
  'Reading texts and saved voices need a paid plan. This is the practice service: start it with one.',
);
const strict = { invalidStatus: 422, invalidCode: 'validation_failed' } as const;

export const isFull = ({ clonedVoices }: Services): boolean => clonedVoices.all().length >= mostActiveVoices;

/**
 * A form with one recording and exactly the fields in `names`; the failure is the answer, or null: the client is gone.
 */
export async function receiveVoice(
  { request, body }: KeyedExchange,
  { uploadsDir }: Services,
  names: readonly string[],
): Promise<Form | Answer | null> {
  const received = await receiveForm(request, body, uploadsDir, {
    field: 'audio',
    maxFiles: 1,
    maxBytes: reference.mostBytes,
    tooLargeCode: 'audio_too_large',
  });
  if (received.ok) {
    const { files, fields, unexpected } = received.value;
    const given = [...fields.keys()];
    if (unexpected.size === 0 && given.every((name) => names.includes(name))) return received.value;
    await rm(files[0].path, { force: true });
    return problem(400, 'invalid_multipart', 'There is a part that does not belong here, or one twice.');
  }
  const refusal = received.error;
  if (refusal === null || (refusal.kind === 'json' && [413, 503].includes(refusal.status))) return refusal;
  return problem(400, 'invalid_multipart', 'Send a form with one recording in the part "audio".');
}

export const isForm = (received: Form | Answer | null): received is Form => received !== null && 'files' in received;

/** The answer to a recording that can't be used for a voice; null: it can. */
export function refuseAudio(
  outcome: Exclude<VoiceOutcome, { kind: 'lost' }>,
  range: { readonly leastMs: number; readonly mostMs: number },
): Answer | null {
  const length = `The recording must have ${range.leastMs / 1000} to ${range.mostMs / 1000} seconds.`;
  const refuse = (words: string): Answer => problem(422, 'invalid_audio', words, { audio: words });
  if (outcome.kind === 'undecodable') return refuse('The sound in this file cannot be decoded.');
  if (outcome.kind === 'too-long' || outcome.durationMs < range.leastMs) return refuse(length);
  return outcome.speech.length === 0 ? refuse('No speech was heard.') : null;
}

const uploadFields = z.strictObject({
  language: z.enum(speechLanguages, { error: 'must be uz, en or ru' }),
  remove_noise: z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true'),
});

/** The text of a bundled sample, or notes with the times of speech: practice mode recognises no words. */
const transcriptOf = (
  sha256: string,
  language: SpeechLanguage,
  speech: readonly { startMs: number; endMs: number }[],
) =>
  findSample(sha256)
    ?.segments.map(({ text }) => text)
    .join(' ') ?? speech.map(({ startMs, endMs }) => practiceNote(language, startMs, endMs)).join(' ');

async function enroll({ files: [file], fields }: Form, services: Services): Promise<Answer> {
  const order = uploadFields.safeParse(Object.fromEntries(fields));
  if (!order.success) {
    const fields = Object.fromEntries(order.error.issues.map(({ path, message }) => [path.join('.'), message]));
    return problem(422, 'validation_failed', 'Some fields are not right.', fields);
  }
  const { language, remove_noise: removesNoise } = order.data;
  const outcome = await services.listener.listen({ path: file.path, removesNoise, mostMs: reference.mostMs });
  if (outcome.kind === 'lost')
    return problem(503, 'voice_cloning_unavailable', 'The recording could not be listened to.');
  const refusal = refuseAudio(outcome, reference);
  if (refusal !== null || outcome.kind !== 'heard') return refusal ?? cloneNotFound;
  const id = `enr_${randomUUID().replaceAll('-', '')}`;
  const entry = { id, language, removesNoise, profile: outcome.profile, createdAtMs: services.now() };
  return json(
    201,
    writeEnrollment(services.enrollments.add(entry, transcriptOf(file.sha256, language, outcome.speech))),
  );
}

/** POST /v1/voice-enrollments: the recording is measured and then discarded */
export async function uploadReference(exchange: KeyedExchange, services: Services): Promise<Answer | null> {
  const tooOften = services.cloneRates.refuse('start');
  if (tooOften !== null) return tooOften;
  const received = await receiveVoice(exchange, services, ['language', 'remove_noise']);
  if (!isForm(received)) return received;
  try {
    return await enroll(received, services);
  } finally {
    await rm(received.files[0].path, { force: true });
  }
}

/** GET /v1/voice-enrollments/capabilities */
export function readCapabilities(_exchange: Exchange, services: Services): Answer {
  return json(200, {
    eligible: services.hasPaidPlan,
    available: !isFull(services),
    min_seconds: reference.leastMs / 1000,
    max_seconds: reference.mostMs / 1000,
    max_bytes: reference.mostBytes,
  });
}

export const findEnrollment = ({ params }: Exchange, { enrollments }: Services): Enrollment | null =>
  enrollments.read(params['id'] ?? '');

/** GET /v1/voice-enrollments/{id} */
export function readEnrollment(exchange: Exchange, services: Services): Answer {
  const enrollment = findEnrollment(exchange, services);
  return enrollment === null ? cloneNotFound : json(200, writeEnrollment(enrollment));
}

const approval = z.strictObject({
  transcript: z.string().refine((text) => {
    const count = Array.from(text).length;
    return text.trim() !== '' && count <= 20_000;
  }, 'must have 1 to 20000 characters'),
});

/** POST /v1/voice-enrollments/{id}/transcript */
export async function approveTranscript(exchange: KeyedExchange, services: Services): Promise<Answer> {
  const tooOften = services.cloneRates.refuse('approve');
  if (tooOften !== null) return tooOften;
  const order = await readJson(exchange.request, approval, strict);
  if (!order.ok) return order.error;
  const enrollment = findEnrollment(exchange, services);
  if (enrollment === null) return cloneNotFound;
  if (enrollment.status !== 'transcript_review') return wrongState('The words are approved already.');
  const atMs = services.now();
  const change = { transcript: order.value.transcript, approvedAtMs: atMs };
  return json(200, writeEnrollment(services.enrollments.move(enrollment, 'details_pending', change, atMs)));
}

/** A text that nobody was given before. */
function freshChallenge(language: SpeechLanguage, { enrollments }: Services): string | null {
  for (let tries = 0; tries < 100; tries += 1) {
    const text = makeChallenge(language);
    if (enrollments.useChallenge(challengeMark(text))) return text;
  }
  return null;
}

/** POST /v1/voice-enrollments/{id}/challenge: metadata and consent for a text to read */
export async function issueChallenge(exchange: KeyedExchange, services: Services): Promise<Answer> {
  const tooOften = services.cloneRates.refuse('challenge');
  if (tooOften !== null) return tooOften;
  const enrollment = findEnrollment(exchange, services);
  if (enrollment === null) return cloneNotFound;
  const order = await readJson(exchange.request, consentBody(enrollment.language), strict);
  if (!order.ok) return order.error;
  if (!services.hasPaidPlan) return noPlan;
  if (enrollment.status !== 'details_pending' && enrollment.status !== 'verification_pending')
    return wrongState('There is no reading text at this step.');
  if (isFull(services)) return tooManyVoices;
  const text = freshChallenge(enrollment.language, services);
  if (text === null) return problem(503, 'voice_cloning_unavailable', 'There is no new text to read.');
  const atMs = services.now();
  const change = {
    metadata: order.value,
    consentedAtMs: atMs,
    challenge: { text, expiresAtMs: atMs + challengeLifeMs },
    failureCode: null,
  };
  return json(200, writeEnrollment(services.enrollments.move(enrollment, 'verification_pending', change, atMs)));
}
