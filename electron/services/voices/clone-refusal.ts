import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { CloneDraft, CloneSending } from '../../../shared/domain/voices/clone-draft.ts';
import {
  cloneRules,
  findDetailTroubles,
  findRecordingTrouble,
  isTranscriptFit,
} from '../../../shared/domain/voices/clone-rules.ts';
import type { Failure } from '../../../shared/result/failure.ts';

/** What the service would refuse in a step (contract 4.12, 8), before anything is sent; null: nothing. */
export function refusalOf(draft: CloneDraft, sending: CloneSending, nowMs: number): Failure | null {
  const { reference, reading, transcript, details, attempts, challenge } = draft;
  const refuse = (row: 'E-087' | 'E-091' | 'E-093' | 'E-094', code: string) =>
    makeFailure(row, { code, outcome: 'not_sent', layer: 'local' });
  switch (sending) {
    case 'upload': {
      const trouble = reference === null ? null : findRecordingTrouble('reference', reference);
      return trouble === null ? null : refuse('E-087', `audio_too_${trouble}`);
    }
    case 'approve':
      return isTranscriptFit(transcript) ? null : refuse('E-091', 'transcript_length');
    case 'challenge': {
      const [trouble] = findDetailTroubles(details);
      if (trouble !== undefined) return refuse('E-091', trouble);
      return attempts < cloneRules.attempts ? null : refuse('E-094', 'no_attempts_left');
    }
    case 'verify': {
      const trouble = reading === null ? null : findRecordingTrouble('reading', reading);
      if (trouble !== null) return refuse('E-087', `audio_too_${trouble}`);
      if (challenge === null) return refuse('E-093', 'challenge_missing');
      const { expiresAtMs } = challenge;
      return expiresAtMs !== null && expiresAtMs <= nowMs ? refuse('E-093', 'challenge_expired') : null;
    }
  }
}
