import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { isWholeReading } from '../clone/challenge-text.ts';
import type { Enrollment, EnrollmentStatus, Progress } from '../clone/enrollments.ts';
import { likenessOf } from '../clone/voice-profile.ts';
import type { VoiceOutcome } from '../clone/voice-worker.ts';
import { json, problem, type Answer } from '../http/answer.ts';
import type { KeyedExchange } from '../http/route.ts';
import type { Services } from '../services.ts';
import { practiceNote } from '../texts.ts';
import { writeEnrollment } from './enrollment-body.ts';
import {
  cloneNotFound,
  findEnrollment,
  isForm,
  isFull,
  receiveVoice,
  reference,
  refuseAudio,
  tooManyVoices,
  wrongState,
} from './enrollments.ts';

const live = { leastMs: 3000, mostMs: 60_000, mostBytes: reference.mostBytes } as const;
const leastLikeness = 0.72;
const mostAttempts = 5;

interface Judgement {
  readonly score: number | null;
  readonly heard: string | null;
  /** Null: it passed. */
  readonly refusal: Answer | null;
}

/** The voice is checked first, then the reading; both must pass. */
function judge(
  enrollment: Enrollment,
  challengeText: string,
  outcome: Exclude<VoiceOutcome, { kind: 'lost' }>,
): Judgement {
  const unusable = refuseAudio(outcome, live);
  if (unusable !== null || outcome.kind !== 'heard') return { score: null, heard: null, refusal: unusable };
  const { language } = enrollment;
  const heard = outcome.speech.map(({ startMs, endMs }) => practiceNote(language, startMs, endMs)).join(' ');
  const score = Math.round(likenessOf(enrollment.profile, outcome.profile) * 10_000) / 10_000;
  if (score < leastLikeness)
    return {
      score,
      heard,
      refusal: problem(422, 'speaker_mismatch', 'The voice is not like the one of the reference.'),
    };
  const speechMs = outcome.speech.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const isWhole = isWholeReading(challengeText, speechMs);
  const refusal = isWhole ? null : problem(422, 'challenge_mismatch', 'This is not a reading of the whole text.');
  return { score, heard, refusal };
}

/** Each submission uses up its text, and the fifth failure is final. */
function settle(enrollment: Enrollment, { score, heard, refusal }: Judgement, services: Services): Answer {
  const { enrollments, clonedVoices, transaction, now } = services;
  const atMs = now();
  const attempts = enrollment.progress.attempts + 1;
  const used: Partial<Progress> = { challenge: null, attempts, heard };
  const { metadata } = enrollment.progress;
  if (refusal !== null || metadata === null) {
    const isLast = attempts >= mostAttempts;
    const to: EnrollmentStatus = isLast ? 'failed' : 'verification_pending';
    const failureCode = isLast ? 'verification_attempts_exhausted' : codeOf(refusal);
    enrollments.move(enrollment, to, { ...used, verification: 'failed', failureCode }, atMs);
    return refusal ?? wrongState('There is no name for the voice.');
  }
  const voiceId = `voice_clone_${randomUUID().replaceAll('-', '')}`;
  const ready = transaction(() => {
    const { language, profile } = enrollment;
    clonedVoices.add({ id: voiceId, language, metadata, pitchHz: profile.pitchHz });
    const change: Partial<Progress> = {
      ...used,
      verification: 'passed',
      verifiedAtMs: atMs,
      failureCode: null,
      voiceId,
    };
    return enrollments.move(enrollment, 'ready', change, atMs);
  });
  return json(200, writeEnrollment(ready, score));
}

const codeOf = (refusal: Answer | null): string | null =>
  refusal?.kind === 'json' ? ((refusal.body['error'] as { code?: string }).code ?? null) : null;

async function verify(path: string, exchange: KeyedExchange, services: Services): Promise<Answer> {
  // Read after the form came in, because another submission may have used up the text meanwhile.
  const enrollment = findEnrollment(exchange, services);
  if (enrollment === null) return cloneNotFound;
  const { challenge } = enrollment.progress;
  if (enrollment.status !== 'verification_pending' || challenge === null)
    return wrongState('There is no text to read: ask for one first.');
  const { enrollments, listener, now } = services;
  if (challenge.expiresAtMs <= now()) {
    enrollments.move(enrollment, 'verification_pending', { challenge: null }, now());
    return problem(410, 'voice_clone_challenge_expired', 'The text to read has expired.');
  }
  if (isFull(services)) return tooManyVoices;
  // From here on the text is used, even if another submission arrives during the check.
  const taken = enrollments.move(enrollment, 'verification_pending', { challenge: null }, now());
  const outcome = await listener.listen({ path, removesNoise: enrollment.removesNoise, mostMs: live.mostMs });
  if (outcome.kind === 'lost') {
    const attempts = taken.progress.attempts + 1;
    enrollments.move(taken, attempts >= mostAttempts ? 'failed' : 'verification_pending', { attempts }, now());
    return problem(503, 'speaker_verification_unavailable', 'The recording could not be listened to.');
  }
  return settle(taken, judge(taken, challenge.text, outcome), services);
}

/** POST /v1/voice-enrollments/{id}/verify */
export async function verifyEnrollment(exchange: KeyedExchange, services: Services): Promise<Answer | null> {
  const tooOften = services.cloneRates.refuse('verify');
  if (tooOften !== null) return tooOften;
  if (findEnrollment(exchange, services) === null) return cloneNotFound;
  const received = await receiveVoice(exchange, services, []);
  if (!isForm(received)) return received;
  const [{ path }] = received.files;
  try {
    return await verify(path, exchange, services);
  } finally {
    await rm(path, { force: true });
  }
}
