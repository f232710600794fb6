import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import { isWholeReading, newChallenge } from './challenges.ts';
import { flag, withForm, type UploadedFile } from './form.ts';
import {
  codeOf,
  found,
  json,
  newId,
  noContent,
  openRateLimit,
  problem,
  readJson,
  refuse,
  route,
  validate,
  type Answer,
  type Exchange,
  type RateLimit,
  type Route,
} from './http.ts';
import { findSample, practiceNote } from './samples.ts';
import type { Services } from './services.ts';
import type { HeardVoice, SoundOutcome } from './sound-worker.ts';
import { get, wire } from './state.ts';

const palettes = 'cloud support storytelling narrator energetic calm delicate steady deep bright'.split(' ');

const characters = (least: number, most: number) =>
  z.string().refine((text) => {
    const count = Array.from(text).length;
    return count >= least && count <= most;
  }, `must have ${least} to ${most} characters`);

const metadata = z.strictObject({
  name: characters(1, 100).refine((text) => text.trim() !== '', 'must not be empty'),
  description: characters(0, 1000),
  labels: z.strictObject({
    language: z.string(),
    gender: z.enum(['male', 'female', 'neutral']).optional(),
    age: z.enum(['young', 'middle-aged', 'old']).optional(),
    accent: z
      .string()
      .refine((text) => text.trim() !== '' && Buffer.byteLength(text) <= 80, 'must have 1 to 80 bytes')
      .optional(),
  }),
  orb_palette: z.enum(palettes),
});
/** The description that a user gives of a voice (contract 2.8), always complete. */
type VoiceMetadata = z.output<typeof metadata>;

const inLanguage = <T extends VoiceMetadata>(schema: z.ZodType<T>, language: SpeechLanguage) =>
  schema.refine((order) => order.labels.language === language, {
    error: 'must be the language of the reference',
    path: ['labels', 'language'],
  });
const consent = metadata.extend({ consent_accepted: z.literal(true, { error: 'must be true' }) });

/** One voice on its way (contract 3.4). The recording itself is deleted: only its pitch is kept. */
export interface Enrollment {
  readonly id: string;
  status: 'transcript_review' | 'details_pending' | 'verification_pending' | 'ready' | 'failed';
  readonly language: SpeechLanguage;
  readonly removesNoise: boolean;
  readonly pitchHz: number | null;
  transcript: string;
  approvedAtMs?: number;
  metadata?: VoiceMetadata;
  consentedAtMs?: number;
  /** The text to read; null: none at present. */
  challenge: { readonly text: string; readonly expiresAtMs: number } | null;
  verification: 'not_started' | 'failed' | 'passed';
  attempts: number;
  heard?: string | null;
  verifiedAtMs?: number;
  failureCode?: string | null;
  voiceId?: string;
  readonly createdAtMs: number;
  updatedAtMs: number;
}

/** A voice of the account. `number` is its id in the legacy API. */
export interface ClonedVoice {
  readonly number: number;
  readonly id: string;
  readonly language: SpeechLanguage;
  /** Null: it was deleted, which is all that is still known of it. */
  metadata: VoiceMetadata | null;
  pitchHz: number | null;
}

/** How often each step may be taken, in an hour and at once (contract 8). */
const stepRates = { start: [5, 2], approve: [10, 3], challenge: [10, 3], verify: [10, 3] } as const;
type Step = keyof typeof stepRates;

export const openCloneRates = (): ReadonlyMap<string, RateLimit> =>
  new Map(Object.entries(stepRates).map(([step, [perHour, burst]]) => [step, openRateLimit(perHour / 3600, burst)]));

function refuseOften(step: Step, { cloneRates, now }: Services): void {
  const seconds = cloneRates.get(step)?.('account', now()) ?? null;
  const headers = { 'retry-after': String(seconds) };
  if (seconds !== null) refuse(429, 'voice_clone_rate_limited', 'This step was taken too often.', undefined, headers);
}

const reference = { leastMs: 10_000, mostMs: 30_000, mostBytes: 10 * 1024 * 1024 } as const;
const live = { leastMs: 3000, mostMs: 60_000 } as const;
const mostActiveVoices = 5;
const mostAttempts = 5;
const challengeLifeMs = 10 * 60_000;
const leastLikeness = 0.72;

const notFound = problem(404, 'voice_clone_not_found', 'There is no such voice.');
const strict = { invalidStatus: 422, invalidCode: 'validation_failed' };
const refuseState = (words: string): never => refuse(409, 'voice_clone_invalid_state', words);

const find = ({ id }: Exchange, { state }: Services): Enrollment => found(get(state.enrollments, id), notFound);

const isFull = ({ state }: Services): boolean =>
  Object.values(state.voices).filter((voice) => voice.metadata !== null).length >= mostActiveVoices;

function refuseFull(services: Services): void {
  const words = `There are ${mostActiveVoices} voices already, which is the most.`;
  if (isFull(services)) refuse(409, 'voice_limit_reached', words);
}

function move(enrollment: Enrollment, change: Partial<Enrollment>, { save, now }: Services): void {
  Object.assign(enrollment, change, { updatedAtMs: now() });
  save();
}

/** A text that promises no more than practice mode does. */
const method = 'practice: pitch of the voice, length of the reading; no words are recognised';

function written(enrollment: Enrollment) {
  const { id, status, language, transcript, verification, attempts, createdAtMs, updatedAtMs, ...later } = enrollment;
  const { challenge, metadata: described } = enrollment;
  const stages = wire({
    name: described?.name,
    description: described?.description,
    transcriptApprovedAtMs: later.approvedAtMs,
    consentAcceptedAtMs: later.consentedAtMs,
    challengeText: challenge?.text,
    challengeLanguage: challenge === null ? null : language,
    challengeExpiresAtMs: challenge?.expiresAtMs,
    verificationTranscript: later.heard,
    verificationMethod: verification === 'not_started' ? null : method,
    verifiedAtMs: later.verifiedAtMs,
    failureCode: later.failureCode,
    voiceId: later.voiceId,
  });
  return {
    voice_clone: {
      ...wire({ id, status, language, createdAtMs, updatedAtMs, publicRequested: false }),
      reference_transcript: transcript,
      verification_status: verification,
      verification_attempts: attempts,
      // Fields of a later stage are absent (contract 2.8).
      ...Object.fromEntries(Object.entries(stages).filter(([, value]) => value !== null && value !== undefined)),
    },
    labels: described?.labels ?? { language },
    orb_palette: described?.orb_palette ?? null,
    remove_noise: enrollment.removesNoise,
  };
}

const wrongForm = problem(400, 'invalid_multipart', 'Send a form with one recording in the part "audio".');

function withVoice(
  exchange: Exchange,
  { uploadsDir: folder }: Services,
  names: readonly string[],
  work: (file: UploadedFile, fields: Readonly<Record<string, string>>) => Promise<Answer>,
): Promise<Answer> {
  const { mostBytes: maxBytes } = reference;
  const refusal = ({ status }: Answer): Answer | null => ([413, 503].includes(status) ? null : wrongForm);
  const rules = { folder, field: 'audio', maxFiles: 1, maxBytes, tooLargeCode: 'audio_too_large', refusal };
  return withForm(exchange, rules, ({ files: [file], fields, unexpected }) => {
    if (unexpected.length > 0 || Object.keys(fields).some((name) => !names.includes(name)))
      refuse(400, 'invalid_multipart', 'There is a part that does not belong here, or one twice.');
    return work(file, fields);
  });
}

/** Gives up when the service would. */
function listen(path: string, mostMs: number, services: Services): Promise<SoundOutcome> {
  const late = Promise.withResolvers<SoundOutcome>();
  const timer = setTimeout(() => late.resolve({ kind: 'lost' }), services.limits.cloneDeadlineMs);
  const heard = services.voices.run({ kind: 'hear-voice', path, mostMs });
  return Promise.race([heard, late.promise]).finally(() => clearTimeout(timer));
}

/** What was heard, if it can be used for a voice. */
function sureOf(outcome: SoundOutcome, { leastMs, mostMs }: { leastMs: number; mostMs: number }): HeardVoice {
  const refuseAudio = (words: string): never => refuse(422, 'invalid_audio', words, { audio: words });
  if (outcome.kind === 'undecodable') return refuseAudio('The sound in this file cannot be decoded.');
  if (outcome.kind !== 'heard' || outcome.durationMs < leastMs)
    return refuseAudio(`The recording must have ${leastMs / 1000} to ${mostMs / 1000} seconds.`);
  return outcome.speech.length === 0 ? refuseAudio('No speech was heard.') : outcome;
}

/** Notes with the times of speech: practice mode recognises no words. */
const notesOf = ({ speech }: HeardVoice, language: SpeechLanguage): string =>
  speech.map(({ startMs, endMs }) => practiceNote(language, startMs, endMs)).join(' ');

const uploadFields = z.strictObject({
  language: z.enum(speechLanguages, { error: 'must be uz, en or ru' }),
  remove_noise: flag,
});

/** The recording is measured and then discarded. */
async function uploadReference(exchange: Exchange, services: Services): Promise<Answer> {
  refuseOften('start', services);
  return withVoice(exchange, services, ['language', 'remove_noise'], async ({ path, sha256 }, fields) => {
    const { language, remove_noise: removesNoise } = validate(uploadFields, fields, strict);
    const outcome = await listen(path, reference.mostMs, services);
    if (outcome.kind === 'lost') refuse(503, 'voice_cloning_unavailable', 'The recording could not be listened to.');
    const heard = sureOf(outcome, reference);
    const known = findSample(sha256)?.segments.map(({ text }) => text);
    const { state, save, now } = services;
    const enrollment: Enrollment = {
      id: newId('enr'),
      status: 'transcript_review',
      language,
      removesNoise,
      pitchHz: heard.pitchHz,
      transcript: known?.join(' ') ?? notesOf(heard, language),
      challenge: null,
      verification: 'not_started',
      attempts: 0,
      createdAtMs: now(),
      updatedAtMs: now(),
    };
    state.enrollments[enrollment.id] = enrollment;
    save();
    return json(201, written(enrollment));
  });
}

const readCapabilities = (_exchange: Exchange, services: Services): Answer =>
  json(200, {
    eligible: services.hasPaidPlan,
    available: !isFull(services),
    min_seconds: reference.leastMs / 1000,
    max_seconds: reference.mostMs / 1000,
    max_bytes: reference.mostBytes,
  });

const readEnrollment = (exchange: Exchange, services: Services): Answer => json(200, written(find(exchange, services)));

const approval = z.strictObject({
  transcript: characters(0, 20_000).refine((text) => text.trim() !== '', 'must have 1 to 20000 characters'),
});

async function approveTranscript(exchange: Exchange, services: Services): Promise<Answer> {
  refuseOften('approve', services);
  const { transcript } = await readJson(exchange.request, approval, strict);
  const enrollment = find(exchange, services);
  if (enrollment.status !== 'transcript_review') refuseState('The words are approved already.');
  move(enrollment, { status: 'details_pending', transcript, approvedAtMs: services.now() }, services);
  return json(200, written(enrollment));
}

async function issueChallenge(exchange: Exchange, services: Services): Promise<Answer> {
  refuseOften('challenge', services);
  const enrollment = find(exchange, services);
  const { language } = enrollment;
  const order = await readJson(exchange.request, inLanguage(consent, language), strict);
  const { consent_accepted: _accepted, ...described } = order;
  if (!services.hasPaidPlan)
    refuse(
      402,
      'voice_clone_subscription_required',
      'Reading texts and saved voices need a paid plan. This is the practice service: start it with one.',
    );
  if (enrollment.status !== 'details_pending' && enrollment.status !== 'verification_pending')
    refuseState('There is no reading text at this step.');
  refuseFull(services);
  const noText = problem(503, 'voice_cloning_unavailable', 'There is no new text to read.');
  const text = found(newChallenge(language, services.state.challenges), noText);
  const atMs = services.now();
  const change: Partial<Enrollment> = {
    status: 'verification_pending',
    metadata: described,
    consentedAtMs: atMs,
    challenge: { text, expiresAtMs: atMs + challengeLifeMs },
    failureCode: null,
  };
  move(enrollment, change, services);
  return json(200, written(enrollment));
}

/**
 * How similar two voices are by their pitch, 0 to 1, one half at 0.4 octaves: it tells a deep voice from a high one and
 * does not recognise people, which takes a trained model.
 */
function likenessOf(one: number | null, other: number | null): number {
  const octaves = one === null || other === null ? 1 : Math.abs(Math.log2(one / other));
  return Math.round(2 ** -((octaves / 0.4) ** 2) * 10_000) / 10_000;
}

/** The voice is checked first, then the reading; both must pass. */
function judge({ pitchHz }: Enrollment, text: string, heard: HeardVoice): number {
  const score = likenessOf(pitchHz, heard.pitchHz);
  if (score < leastLikeness) refuse(422, 'speaker_mismatch', 'The voice is not like the one of the reference.');
  const speechMs = heard.speech.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  if (!isWholeReading(text, speechMs)) refuse(422, 'challenge_mismatch', 'This is not a reading of the whole text.');
  return score;
}

async function verify(path: string, exchange: Exchange, services: Services): Promise<Answer> {
  const { state, now } = services;
  // Read after the form came in, because another submission may have used up the text meanwhile.
  const enrollment = find(exchange, services);
  const { challenge, language, pitchHz } = enrollment;
  if (enrollment.status !== 'verification_pending' || challenge === null)
    return refuseState('There is no text to read: ask for one first.');
  const hasExpired = challenge.expiresAtMs <= now();
  if (!hasExpired) refuseFull(services);
  // From here on the text is used, even if another submission arrives during the check.
  move(enrollment, { challenge: null }, services);
  if (hasExpired) refuse(410, 'voice_clone_challenge_expired', 'The text to read has expired.');
  const outcome = await listen(path, live.mostMs, services);
  const attempts = enrollment.attempts + 1;
  const isLast = attempts >= mostAttempts;
  const failed = { attempts, status: isLast ? 'failed' : 'verification_pending' } as const;
  if (outcome.kind === 'lost') {
    move(enrollment, failed, services);
    refuse(503, 'speaker_verification_unavailable', 'The recording could not be listened to.');
  }
  let heard: string | null = null;
  let score: number;
  try {
    const voice = sureOf(outcome, live);
    heard = notesOf(voice, language);
    score = judge(enrollment, challenge.text, voice);
  } catch (error) {
    const failureCode = isLast ? 'verification_attempts_exhausted' : codeOf(error);
    move(enrollment, { ...failed, heard, verification: 'failed', failureCode }, services);
    throw error;
  }
  const voiceId = newId('voice_clone');
  const number = Object.keys(state.voices).length + 1;
  state.voices[voiceId] = { number, id: voiceId, language, metadata: enrollment.metadata ?? null, pitchHz };
  const change: Partial<Enrollment> = {
    status: 'ready',
    attempts,
    heard,
    verification: 'passed',
    verifiedAtMs: now(),
    failureCode: null,
    voiceId,
  };
  move(enrollment, change, services);
  return json(200, { ...written(enrollment), score });
}

async function verifyEnrollment(exchange: Exchange, services: Services): Promise<Answer> {
  refuseOften('verify', services);
  find(exchange, services);
  return withVoice(exchange, services, [], ({ path }) => verify(path, exchange, services));
}

/** A voice that was verified and not deleted since. */
function findVoice({ id }: Exchange, { state }: Services) {
  const voice = found(get(state.voices, id), notFound);
  return { voice, described: found(voice.metadata, notFound) };
}

const readVoiceMetadata = (exchange: Exchange, services: Services): Answer =>
  json(200, findVoice(exchange, services).described);

async function replaceVoiceMetadata(exchange: Exchange, services: Services): Promise<Answer> {
  const { voice } = findVoice(exchange, services);
  const order = await readJson(exchange.request, inLanguage(metadata, voice.language), strict);
  findVoice(exchange, services).voice.metadata = order;
  services.save();
  return noContent;
}

/** Ends its use at once and deletes its measurements; may be repeated. */
function deleteVoice({ id }: Exchange, { state, save }: Services): Answer {
  Object.assign(found(get(state.voices, id), notFound), { metadata: null, pitchHz: null });
  for (const enrollment of Object.values(state.enrollments))
    if (enrollment.voiceId === id) delete state.enrollments[enrollment.id];
  save();
  return noContent;
}

const enrollments = '/v1/voice-enrollments';
const oneVoice = '/v1/voices/:voiceId';

/** `capabilities` comes before the routes with an identifier, which would match it too. */
export const cloningRoutes: readonly Route[] = [
  route('POST', enrollments, uploadReference, 'voices:write'),
  route('GET', `${enrollments}/capabilities`, readCapabilities, 'voices:read'),
  route('GET', `${enrollments}/:id`, readEnrollment, 'voices:read'),
  route('POST', `${enrollments}/:id/transcript`, approveTranscript, 'voices:write'),
  route('POST', `${enrollments}/:id/challenge`, issueChallenge, 'voices:write'),
  route('POST', `${enrollments}/:id/verify`, verifyEnrollment, 'voices:write'),
  route('GET', oneVoice, readVoiceMetadata, 'voices:read'),
  route('PUT', oneVoice, replaceVoiceMetadata, 'voices:write'),
  route('DELETE', oneVoice, deleteVoice, 'voices:write'),
];
