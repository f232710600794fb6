import type { SecretRead } from '../services/secrets/key-service.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { FailureKind } from '../../shared/result/failure-kinds.ts';

/** `later`: the network or the service was unavailable, so the same command may succeed another time. */
export type RunResult = 'done' | 'failed' | 'later';

/** The window promises that its queue goes on, which nothing does after a command. Keys under `cli.ended`. */
const endings: Readonly<Record<string, string>> = {
  offline: 'offline',
  'address-not-found': 'noAddress',
  'service-unreachable': 'away',
  'service-timeout': 'slow',
  'tls-failed': 'notSecure',
  'web-page-answered': 'page',
  'connection-dropped': 'cutOff',
  'answer-lost': 'cutOff',
  'connection-slow': 'slow',
  'answer-truncated': 'cutOff',
  'service-troubled': 'trouble',
  'computer-slept': 'cutOff',
  'at-service': 'working',
  'no-receipt': 'unread',
  'still-processing': 'working',
  'answer-unreadable': 'unread',
  'audio-damaged': 'damaged',
  'job-state-unknown': 'working',
  'answer-unexpected': 'unread',
  'key-refused': 'badKey',
  'credits-exhausted': 'noCredits',
  'payment-limit-reached': 'noCredits',
  'key-restricted': 'placeRule',
  'not-offered': 'notOffered',
  'deleted-at-service': 'missing',
  'asked-to-wait': 'trouble',
  'already-sent': 'alreadySent',
  'gone-at-service': 'missing',
  'item-busy': 'trouble',
  'rate-limited-until': 'slowDownFor',
  'rate-limited': 'slowDown',
  'server-error': 'trouble',
  'gateway-error': 'away',
  'product-unavailable': 'trouble',
  'unknown-server-error': 'trouble',
  'question-already-asked': 'alreadySent',
  'question-processing': 'working',
  'stream-stopped-early': 'stoppedEarly',
  'stream-failed': 'troubleInAnswer',
  'stream-silent': 'stoppedEarly',
  'stream-retried': 'trouble',
  'stream-piece-unreadable': 'pieceMissing',
  stopped: 'stopped',
  'download-expired': 'download',
  'download-interrupted': 'download',
  'download-restarted': 'download',
  'download-damaged': 'damaged',
  'disk-full': 'diskFull',
  'keychain-locked': 'keychain',
  'keychain-slow': 'keychain',
};

/** Our own codes that are more precise than their row; a code of the service never selects a text. */
const ownEndings: Readonly<Record<string, string>> = {
  validation_error: 'notSent',
  value_unsafe: 'badId',
  value_missing: 'badId',
  unfit_idempotency_key: 'badRequestKey',
  webhook_perhaps_made: 'webhookPerhapsMade',
  no_voice: 'noVoice',
  no_model: 'unknownModel',
  unknown_model: 'unknownModel',
  file_missing: 'noFile',
  not_a_file: 'notAFile',
  name_taken: 'nameTaken',
};

/** The key of the text for the end of a command, or null: the window's text is true here too. */
export function endingOf({ kind, code, layer, params }: Failure): string | null {
  const own = layer === 'local' ? ownEndings[code] : undefined;
  const found = own ?? endings[kind];
  if (found === 'slowDownFor' && params?.['wait'] === undefined) return 'cli.ended.slowDown';
  const needsName = found === 'noFile' || found === 'notAFile' || found === 'nameTaken';
  if (found === undefined || (needsName && params?.['name'] === undefined)) return null;
  return `cli.ended.${found}`;
}

const mayPass: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'offline',
  'address-not-found',
  'service-unreachable',
  'service-timeout',
  'tls-failed',
  'web-page-answered',
  'connection-dropped',
  'answer-lost',
  'connection-slow',
  'answer-truncated',
  'service-troubled',
  'computer-slept',
  'at-service',
  'still-processing',
  'asked-to-wait',
  'item-busy',
  'rate-limited-until',
  'rate-limited',
  'server-error',
  'gateway-error',
  'product-unavailable',
  'network-sign-in',
  'unknown-server-error',
  'question-processing',
  'stream-retried',
  'download-expired',
  'download-interrupted',
  'download-restarted',
  'model-host-unreachable',
]);

export const mayPassLater = ({ kind }: Failure): boolean => mayPass.has(kind);

export const resultOf = (failure: Failure): RunResult => (mayPassLater(failure) ? 'later' : 'failed');

/** What a user can do after a failure, as a key; null when the failure's own text says it all. */
export function helpAfter(failure: Failure): 'cli.sendAgain' | 'cli.goOn' | 'cli.force' | `cli.ended.${string}` | null {
  if (failure.kind === 'name-taken') return 'cli.force';
  if (
    [
      'file-changed',
      'job-not-found',
      'other-key',
      'question-already-asked',
      'stream-piece-unreadable',
      'recording-unprocessable',
      'live-speech-cut',
    ].includes(failure.kind)
  )
    return 'cli.sendAgain';
  const isOpen = failure.outcome === 'unknown' || failure.outcome === 'accepted';
  if (mayPassLater(failure)) return isOpen ? 'cli.ended.tryLater' : 'cli.ended.later';
  return isOpen ? 'cli.goOn' : null;
}

/** A key that may exist is never reported as missing: a locked keychain answers like an empty one. */
export function keyProblem(
  state: Exclude<SecretRead['state'], 'present'>,
  wasSaved: boolean,
): 'noKey' | 'keychainShut' {
  if (state === 'absent') return wasSaved ? 'keychainShut' : 'noKey';
  return state === 'no-service' ? 'noKey' : 'keychainShut';
}
