import type { Failure } from '../../result/failure.ts';
import type { SpeechLanguage } from '../languages.ts';
import { cloneRules, noDetails, type VoiceDetails } from './clone-rules.ts';

export const cloneSteps = ['record', 'transcript', 'details', 'read', 'ready'] as const;
export type CloneStep = (typeof cloneSteps)[number];

/** When each step was taken, Unix milliseconds; null: not taken yet, or not reported. */
export interface EnrollmentDates {
  readonly begunAtMs: number | null;
  readonly approvedAtMs: number | null;
  readonly consentedAtMs: number | null;
  readonly verifiedAtMs: number | null;
}

/** The requests of the process, each limited to a few times an hour (contract 8). */
export const cloneSendings = ['upload', 'approve', 'challenge', 'verify'] as const;
export type CloneSending = (typeof cloneSendings)[number];

export interface CloneRecording {
  readonly fileName: string;
  readonly durationMs: number;
  readonly sizeBytes: number;
  /** The file it came from; null: the microphone. */
  readonly name: string | null;
}

/** One voice being cloned, stored after every step, so that nothing is done twice after a restart. */
export interface CloneDraft {
  readonly id: string;
  readonly language: SpeechLanguage;
  readonly removesNoise: boolean;
  readonly step: CloneStep;
  readonly sending: CloneSending | null;
  readonly reference: CloneRecording | null;
  /** The id of the enrollment at the service; null before the upload. */
  readonly enrollmentId: string | null;
  readonly transcript: string;
  readonly details: VoiceDetails;
  readonly hasConsent: boolean;
  /** Null: there is none to read now. Each is used up by one try. */
  readonly challenge: { readonly text: string; readonly expiresAtMs: number | null } | null;
  readonly reading: CloneRecording | null;
  readonly attempts: number;
  readonly score: number | null;
  /** What the service recognised in the last reading; absent in drafts of older versions. */
  readonly heard?: string | null;
  /** As the service dated them; absent in drafts of older versions. */
  readonly dates?: EnrollmentDates;
  readonly voiceId: string | null;
  /** All tries are used up: only starting over helps. */
  readonly isOver: boolean;
  readonly failure: Failure | null;
  /** When a step that was refused as too frequent may be sent again, Unix milliseconds. */
  readonly waitsUntilMs: number | null;
  readonly updatedAtMs: number;
}

export type CloneChange = Partial<
  Pick<CloneDraft, 'language' | 'removesNoise' | 'transcript' | 'details' | 'hasConsent'>
>;

export const newDraft = (id: string, language: SpeechLanguage, nowMs: number): CloneDraft => ({
  id,
  language,
  removesNoise: true,
  step: 'record',
  sending: null,
  reference: null,
  enrollmentId: null,
  transcript: '',
  details: noDetails,
  hasConsent: false,
  challenge: null,
  reading: null,
  attempts: 0,
  score: null,
  heard: null,
  voiceId: null,
  isOver: false,
  failure: null,
  waitsUntilMs: null,
  updatedAtMs: nowMs,
});

/** Another recording starts over at the service; the details of the voice stay. */
export const withReference = (draft: CloneDraft, reference: CloneRecording): CloneDraft => ({
  ...newDraft(draft.id, draft.language, draft.updatedAtMs),
  removesNoise: draft.removesNoise,
  details: draft.details,
  reference,
});

/** The known state of an enrollment; values of a newer service are null. */
export interface ReportedEnrollment {
  readonly id: string;
  readonly status: string | null;
  readonly attempts: number;
  readonly referenceTranscript: string | null;
  readonly challengeText: string | null;
  readonly challengeExpiresAtMs: number | null;
  readonly failureCode: string | null;
  readonly heard: string | null;
  readonly dates: EnrollmentDates;
  readonly voiceId: string | null;
  readonly score: number | null;
}

const stepOf: Readonly<Record<string, CloneStep>> = {
  transcript_review: 'transcript',
  details_pending: 'details',
  verification_pending: 'read',
  ready: 'ready',
};

/** The service decides (contract 3.4); a text issued just now is measured by this computer's clock. */
export function followEnrollment(
  draft: CloneDraft,
  reported: ReportedEnrollment,
  { nowMs, isNewText }: { readonly nowMs: number; readonly isNewText: boolean },
): CloneDraft {
  const isFirst = draft.enrollmentId !== reported.id;
  const attempts = isFirst ? reported.attempts : Math.max(draft.attempts, reported.attempts);
  const isReady = reported.voiceId !== null;
  const step = isReady ? 'ready' : (stepOf[reported.status ?? ''] ?? draft.step);
  const isOver =
    !isReady && (reported.status === 'failed' || (attempts >= cloneRules.attempts && reported.challengeText === null));
  return {
    ...draft,
    enrollmentId: reported.id,
    // A voice counts only when the service names it.
    step: step === 'ready' && !isReady ? draft.step : step,
    transcript: isFirst ? (reported.referenceTranscript ?? '') : draft.transcript,
    challenge:
      reported.challengeText === null
        ? null
        : reported.challengeText === draft.challenge?.text
          ? draft.challenge
          : {
              text: reported.challengeText,
              expiresAtMs: isNewText ? nowMs + cloneRules.challengeMs : reported.challengeExpiresAtMs,
            },
    attempts,
    score: reported.score ?? draft.score,
    heard: reported.heard ?? draft.heard ?? null,
    dates: reported.dates,
    voiceId: reported.voiceId,
    isOver,
  };
}

/** The draft after a refused try: the text is used up, and the try counts unless the service says otherwise. */
export const withUsedChallenge = (draft: CloneDraft, isCounted: boolean): CloneDraft => {
  const attempts = draft.attempts + (isCounted ? 1 : 0);
  return { ...draft, challenge: null, attempts, isOver: draft.isOver || attempts >= cloneRules.attempts };
};

export const challengeLeftMs = (challenge: CloneDraft['challenge'], nowMs: number): number | null =>
  challenge?.expiresAtMs == null ? null : Math.max(0, challenge.expiresAtMs - nowMs);

export const judgeScore = (score: number): 'close' | 'good' | 'very-good' =>
  score >= 0.85 ? 'very-good' : score >= 0.77 ? 'good' : 'close';
