import type { Failure } from '../../result/failure.ts';
import type { SpeechLanguage } from '../languages.ts';
import { cloneRules, noDetails, type VoiceDetails } from './clone-rules.ts';

export const cloneSteps = ['record', 'transcript', 'details', 'read', 'ready'] as const;
export type CloneStep = (typeof cloneSteps)[number];

/** What is sent to the service on the way, each at most a few times an hour (contract 8). */
export const cloneSendings = ['upload', 'approve', 'challenge', 'verify'] as const;
export type CloneSending = (typeof cloneSendings)[number];

export interface CloneRecording {
  /** In the folder for drafts. */
  readonly fileName: string;
  readonly durationMs: number;
  readonly sizeBytes: number;
  /** The file it came from; null: the microphone. */
  readonly name: string | null;
}

/** One voice on its way, on disk after every step, so that nothing is done twice after a restart. */
export interface CloneDraft {
  readonly id: string;
  readonly language: SpeechLanguage;
  readonly removesNoise: boolean;
  readonly step: CloneStep;
  /** Was on its way when this was written; null: nothing is open. */
  readonly sending: CloneSending | null;
  readonly reference: CloneRecording | null;
  /** Of the enrollment at the service; null before the upload. */
  readonly enrollmentId: string | null;
  /** As the person corrected it. */
  readonly transcript: string;
  readonly details: VoiceDetails;
  readonly hasConsent: boolean;
  /** Null: there is none to read now. Each is used up by one try. */
  readonly challenge: { readonly text: string; readonly expiresAtMs: number | null } | null;
  readonly reading: CloneRecording | null;
  /** Tries that the service has counted. */
  readonly attempts: number;
  readonly score: number | null;
  /** What the service heard in the last reading; absent in drafts of older versions. */
  readonly heard?: string | null;
  readonly voiceId: string | null;
  /** All tries are used up: only a new start helps. */
  readonly isOver: boolean;
  /** How the last sending ended, if it did not work. */
  readonly failure: Failure | null;
  /** When a step may be sent again that was refused as too frequent, Unix milliseconds. */
  readonly waitsUntilMs: number | null;
  readonly updatedAtMs: number;
}

/** What a person may change without sending anything. */
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

/** Another recording begins anew at the service; what was said of the voice stays. */
export const withReference = (draft: CloneDraft, reference: CloneRecording): CloneDraft => ({
  ...newDraft(draft.id, draft.language, draft.updatedAtMs),
  removesNoise: draft.removesNoise,
  details: draft.details,
  reference,
});

/** The state of an enrollment as far as it was told; words of a newer service are null. */
export interface ToldEnrollment {
  readonly id: string;
  readonly status: string | null;
  readonly attempts: number;
  readonly referenceTranscript: string | null;
  readonly challengeText: string | null;
  readonly challengeExpiresAtMs: number | null;
  readonly failureCode: string | null;
  readonly heard: string | null;
  readonly voiceId: string | null;
  readonly score: number | null;
}

const stepOf: Readonly<Record<string, CloneStep>> = {
  transcript_review: 'transcript',
  details_pending: 'details',
  verification_pending: 'read',
  ready: 'ready',
};

/**
 * The draft after the service told how far the enrollment is (contract 3.4). The service decides about the step; a
 * state that is not known leaves it where it is, unless it says that it failed. Ten minutes of a text that was given
 * just now are counted by the clock of this computer, which may be another than that of the service.
 */
export function followEnrollment(
  draft: CloneDraft,
  told: ToldEnrollment,
  { nowMs, isNewText }: { readonly nowMs: number; readonly isNewText: boolean },
): CloneDraft {
  const isFirst = draft.enrollmentId !== told.id;
  const attempts = isFirst ? told.attempts : Math.max(draft.attempts, told.attempts);
  const isReady = told.voiceId !== null;
  const step = isReady ? 'ready' : (stepOf[told.status ?? ''] ?? draft.step);
  const isOver =
    !isReady && (told.status === 'failed' || (attempts >= cloneRules.attempts && told.challengeText === null));
  return {
    ...draft,
    enrollmentId: told.id,
    // A voice counts only when the service names it.
    step: step === 'ready' && !isReady ? draft.step : step,
    transcript: isFirst ? (told.referenceTranscript ?? '') : draft.transcript,
    challenge:
      told.challengeText === null
        ? null
        : told.challengeText === draft.challenge?.text
          ? draft.challenge
          : {
              text: told.challengeText,
              expiresAtMs: isNewText ? nowMs + cloneRules.challengeMs : told.challengeExpiresAtMs,
            },
    attempts,
    score: told.score ?? draft.score,
    heard: told.heard ?? draft.heard ?? null,
    voiceId: told.voiceId,
    isOver,
  };
}

/** The draft after a try that was refused: the text is used up, and the try counts unless the service says otherwise. */
export const withUsedChallenge = (draft: CloneDraft, isCounted: boolean): CloneDraft => {
  const attempts = draft.attempts + (isCounted ? 1 : 0);
  return { ...draft, challenge: null, attempts, isOver: draft.isOver || attempts >= cloneRules.attempts };
};

/** How long the reading text is still good, milliseconds; null: the service did not say. */
export const challengeLeftMs = (challenge: CloneDraft['challenge'], nowMs: number): number | null =>
  challenge?.expiresAtMs == null ? null : Math.max(0, challenge.expiresAtMs - nowMs);

/** How a score stands against what is needed, for words about it. */
export const judgeScore = (score: number): 'close' | 'good' | 'very-good' =>
  score >= 0.85 ? 'very-good' : score >= 0.77 ? 'good' : 'close';
