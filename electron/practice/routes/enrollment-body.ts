import type { Enrollment } from '../clone/enrollments.ts';

const moment = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Fields of a later stage are absent (contract 2.8). */
const present = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** How practice mode verifies, in a text that promises no more than it does. */
const method = 'practice: colour and pitch of the voice, length of the reading; no words are recognised';

/** The envelope of an enrollment. `score` is included once, in the answer to a verification. */
export function writeEnrollment(enrollment: Enrollment, score: number | null = null): Record<string, unknown> {
  const { progress, language } = enrollment;
  const { metadata, challenge } = progress;
  return {
    voice_clone: {
      id: enrollment.id,
      status: enrollment.status,
      language,
      reference_transcript: progress.transcript,
      verification_status: progress.verification,
      verification_attempts: progress.attempts,
      public_requested: false,
      created_at: moment(enrollment.createdAtMs),
      updated_at: moment(enrollment.updatedAtMs),
      ...present({
        name: metadata?.name,
        description: metadata?.description,
        transcript_approved_at: moment(progress.approvedAtMs),
        consent_accepted_at: moment(progress.consentedAtMs),
        challenge_text: challenge?.text,
        challenge_language: challenge === null ? null : language,
        challenge_expires_at: moment(challenge?.expiresAtMs ?? null),
        verification_transcript: progress.heard,
        verification_method: progress.verification === 'not_started' ? null : method,
        verified_at: moment(progress.verifiedAtMs),
        failure_code: progress.failureCode,
        voice_id: progress.voiceId,
      }),
    },
    labels: metadata?.labels ?? { language },
    orb_palette: metadata?.orbPalette ?? null,
    remove_noise: enrollment.removesNoise,
    ...(score === null ? {} : { score }),
  };
}
