import type { FailureKind } from '../../result/failure-kinds.ts';

/** Codes of error events of live dictation (contract 4.10) and of the legacy live speech (4.15). */
export const liveCodeRows: ReadonlyMap<string, FailureKind> = new Map<string, FailureKind>([
  ['invalid_message', 'live-failed'],
  ['validation_error', 'live-failed'],
  ['not_started', 'phrase-restarted'],
  ['busy', 'phrase-busy'],
  ['invalid_audio', 'phrase-audio-unreadable'],
  ['audio_too_long', 'phrase-too-long'],
  ['no_speech_detected', 'no-speech'],
  ['insufficient_credits', 'live-credits-exhausted'],
  ['overloaded', 'live-busy'],
  ['service_unavailable', 'live-busy'],
  ['timeout', 'phrase-timeout'],
  ['insufficient_balance', 'live-speech-refused'],
  ['model_missing', 'model-missing'],
  ['model_damaged', 'model-unusable'],
  ['model_of_another_kind', 'model-unusable'],
  ['vocabulary_of_another_model', 'model-unusable'],
  ['too_little_memory', 'memory-short'],
]);

/** The kind of an error event on a stream; an unknown code counts as temporary trouble. */
export const liveCodeRow = (code: string): FailureKind => liveCodeRows.get(code) ?? 'live-error-unknown';

/** The kind of an error event of live speech (contract 4.5); an unknown code leaves open whether it is charged. */
export function speechCodeRow(code: string): FailureKind {
  if (code === 'insufficient_credits' || code === 'insufficient_balance') return 'credits-exhausted';
  if (code === 'validation_error' || code === 'invalid_message') return 'fields-invalid';
  return ['overloaded', 'busy', 'service_unavailable'].includes(code) ? 'product-unavailable' : 'live-speech-cut';
}

/**
 * The kind of a socket's closing without an earlier error event. `isDone`: we asked for it, and nothing is outstanding.
 */
export function closeRow(code: number, isDone: boolean): FailureKind {
  if (code === 1000 && isDone) return 'dictation-finished';
  if ([1002, 1003, 1007, 1009, 1010].includes(code)) return 'live-refused';
  if (code === 1008) return 'live-key-or-credits';
  if (code === 1015) return 'live-untrusted';
  return 'live-closed';
}

/**
 * The kind of an error from the legacy call (contract 4.15): in a message by its code, which may be a close code of the
 * socket, or as the status of the whole call.
 */
export function callErrorRow(code: string): FailureKind {
  const number = /^\d{4}$/u.test(code) ? Number(code) : null;
  if (number === 1008) return 'live-speech-refused';
  if (number !== null) return closeRow(number, false);
  return liveCodeRows.get(code) === 'live-credits-exhausted'
    ? 'live-speech-refused'
    : (liveCodeRows.get(code) ?? 'live-closed-after-error');
}

/** The kind of a gRPC status that is not OK, by its number. Total. */
export function callStatusRow(status: number): FailureKind {
  const known = callStatuses.get(status);
  return known ?? 'live-closed';
}

const callStatuses: ReadonlyMap<number, FailureKind> = new Map<number, FailureKind>([
  // INVALID_ARGUMENT, NOT_FOUND, FAILED_PRECONDITION, OUT_OF_RANGE, UNIMPLEMENTED
  [3, 'legacy-request-rejected'],
  [5, 'legacy-request-rejected'],
  [9, 'legacy-request-rejected'],
  [11, 'legacy-request-rejected'],
  [12, 'incompatible'],
  // PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNAUTHENTICATED
  [7, 'live-key-or-credits'],
  [8, 'live-speech-refused'],
  [16, 'key-refused'],
]);
