import type { KnownRow } from './rows.ts';

/** Codes of error events of live dictation (contract 4.10) and of the legacy live speech (4.15). */
export const liveCodeRows: ReadonlyMap<string, KnownRow> = new Map<string, KnownRow>([
  ['invalid_message', 'E-127'],
  ['validation_error', 'E-127'],
  ['not_started', 'E-128'],
  ['busy', 'E-129'],
  ['invalid_audio', 'E-130'],
  ['audio_too_long', 'E-131'],
  ['no_speech_detected', 'E-132'],
  ['insufficient_credits', 'E-133'],
  ['overloaded', 'E-134'],
  ['service_unavailable', 'E-134'],
  ['timeout', 'E-135'],
  ['insufficient_balance', 'E-153'],
  ['model_missing', 'E-250'],
  ['model_damaged', 'E-251'],
  ['model_of_another_kind', 'E-251'],
  ['vocabulary_of_another_model', 'E-251'],
  ['too_little_memory', 'E-253'],
]);

/** The row of an error event on a stream; an unknown code counts as temporary trouble. */
export const liveCodeRow = (code: string): KnownRow => liveCodeRows.get(code) ?? 'E-136';

/** The row of an error event of live speech (contract 4.5); an unknown code leaves open whether it is charged. */
export function speechCodeRow(code: string): KnownRow {
  if (code === 'insufficient_credits' || code === 'insufficient_balance') return 'E-034';
  if (code === 'validation_error' || code === 'invalid_message') return 'E-050';
  return ['overloaded', 'busy', 'service_unavailable'].includes(code) ? 'E-058' : 'E-249';
}

/**
 * The row of a socket's closing without an earlier error event. `isDone`: we asked for it, and nothing is outstanding.
 */
export function closeRow(code: number, isDone: boolean): KnownRow {
  if (code === 1000 && isDone) return 'E-140';
  if ([1002, 1003, 1007, 1009, 1010].includes(code)) return 'E-142';
  if (code === 1008) return 'E-143';
  if (code === 1015) return 'E-144';
  return 'E-141';
}

/**
 * The row of an error from the legacy call (contract 4.15): in a message by its code, which may be a close code of the
 * socket, or as the status of the whole call.
 */
export function callErrorRow(code: string): KnownRow {
  const number = /^\d{4}$/u.test(code) ? Number(code) : null;
  if (number === 1008) return 'E-153';
  if (number !== null) return closeRow(number, false);
  return liveCodeRows.get(code) === 'E-133' ? 'E-153' : (liveCodeRows.get(code) ?? 'E-145');
}

/** The row of a gRPC status that is not OK, by its number. Total. */
export function callStatusRow(status: number): KnownRow {
  const known = callStatuses.get(status);
  return known ?? 'E-141';
}

const callStatuses: ReadonlyMap<number, KnownRow> = new Map<number, KnownRow>([
  // INVALID_ARGUMENT, NOT_FOUND, FAILED_PRECONDITION, OUT_OF_RANGE, UNIMPLEMENTED
  [3, 'E-151'],
  [5, 'E-151'],
  [9, 'E-151'],
  [11, 'E-151'],
  [12, 'E-043'],
  // PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNAUTHENTICATED
  [7, 'E-143'],
  [8, 'E-153'],
  [16, 'E-032'],
]);
