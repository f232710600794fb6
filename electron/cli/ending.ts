import type { Failure } from '../../shared/result/failure.ts';

/**
 * How a command ended. `later`: the network or the service was unavailable, and the same command may succeed another
 * time.
 */
export type RunResult = 'done' | 'failed' | 'later';

/**
 * What the terminal prints for a failure that ends a command. The texts of the window promise that its queue waits and
 * goes on, which nothing does after a command. Keys under `cli.ended`; a row that is not listed uses the window's text.
 */
const endings: Readonly<Record<string, string>> = {
  'E-001': 'offline',
  'E-002': 'noAddress',
  'E-003': 'away',
  'E-004': 'slow',
  'E-007': 'notSecure',
  'E-009': 'page',
  'E-012': 'cutOff',
  'E-013': 'cutOff',
  'E-014': 'slow',
  'E-015': 'cutOff',
  'E-018': 'trouble',
  'E-019': 'cutOff',
  'E-021': 'working',
  'E-022': 'unread',
  'E-023': 'working',
  'E-024': 'unread',
  'E-025': 'damaged',
  'E-027': 'working',
  'E-029': 'unread',
  'E-032': 'badKey',
  'E-034': 'noCredits',
  'E-036': 'noCredits',
  'E-038': 'placeRule',
  'E-039': 'notOffered',
  'E-040': 'missing',
  'E-044': 'trouble',
  'E-045': 'alreadySent',
  'E-046': 'missing',
  'E-051': 'trouble',
  'E-052': 'slowDownFor',
  'E-053': 'slowDown',
  'E-056': 'trouble',
  'E-057': 'away',
  'E-058': 'trouble',
  'E-060': 'trouble',
  'E-070': 'alreadySent',
  'E-073': 'working',
  'E-102': 'stoppedEarly',
  'E-103': 'troubleInAnswer',
  'E-104': 'stoppedEarly',
  'E-105': 'trouble',
  'E-106': 'pieceMissing',
  'E-107': 'stopped',
  'E-170': 'download',
  'E-171': 'download',
  'E-172': 'download',
  'E-173': 'damaged',
  'E-180': 'diskFull',
  'E-191': 'keychain',
  'E-192': 'keychain',
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
export function endingOf({ row, code, layer, params }: Failure): string | null {
  const own = layer === 'local' ? ownEndings[code] : undefined;
  const found = own ?? endings[row];
  if (found === 'slowDownFor' && params?.['wait'] === undefined) return 'cli.ended.slowDown';
  const needsName = found === 'noFile' || found === 'notAFile' || found === 'nameTaken';
  if (found === undefined || (needsName && params?.['name'] === undefined)) return null;
  return `cli.ended.${found}`;
}

const mayPass = new Set(
  (
    'E-001 E-002 E-003 E-004 E-007 E-009 E-012 E-013 E-014 E-015 E-018 E-019 E-021 E-023 E-044 E-051 E-052 E-053 E-056 ' +
    'E-057 E-058 E-059 E-060 E-073 E-105 E-170 E-171 E-172 E-254'
  ).split(' '),
);

/** Whether the network or the service was unavailable, so that the same command may succeed later (exit 75). */
export const mayPassLater = ({ row }: Failure): boolean => mayPass.has(row);

/** How a command ends that ends with this failure. */
export const resultOf = (failure: Failure): RunResult => (mayPassLater(failure) ? 'later' : 'failed');

/** What a user can do after a failure, as a key; null when the failure's own text says it all. */
export function helpAfter(failure: Failure): 'cli.sendAgain' | 'cli.goOn' | 'cli.force' | `cli.ended.${string}` | null {
  if (failure.row === 'E-213') return 'cli.force';
  if (['E-011', 'E-041', 'E-042', 'E-070', 'E-106', 'E-160', 'E-249'].includes(failure.row)) return 'cli.sendAgain';
  const isOpen = failure.outcome === 'unknown' || failure.outcome === 'accepted';
  if (mayPassLater(failure)) return isOpen ? 'cli.ended.tryLater' : 'cli.ended.later';
  return isOpen ? 'cli.goOn' : null;
}
