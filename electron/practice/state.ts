import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { LlmFile, LlmRequest } from './assistant.ts';
import type { ClonedVoice, Enrollment } from './cloning.ts';
import type { Charge, LedgerEntry } from './credits.ts';
import type { Isolation } from './isolation.ts';
import type { ApiKey } from './keys.ts';
import type { LegacySpeech, LegacyTranscription } from './legacy.ts';
import type { Generation } from './speech.ts';
import type { Transcription } from './transcriptions.ts';
import type { LoggedRequest } from './usage.ts';
import type { Delivery, Webhook } from './webhooks.ts';

type Table<T> = Record<string, T>;
const table = <T>(): Table<T> => ({});
const list = <T>(): T[] => [];

/** Everything the service knows except sound and the words of transcriptions, which are files of their own. */
export type State = ReturnType<typeof emptyState>;

const emptyState = () => ({
  /** The last number that was given to a record; lists are in the order of these numbers. */
  seq: 0,
  /** Credits that were ever granted, in hundred-millionths. */
  grantedUnits: 0,
  keys: table<ApiKey>(),
  charges: table<Charge>(),
  ledger: list<LedgerEntry>(),
  requests: list<LoggedRequest>(),
  /** Idempotency keys by product and key, and what they stood for. */
  used: table<{ fingerprint: string; subject: string }>(),
  transcriptions: table<Transcription>(),
  generations: table<Generation>(),
  isolations: table<Isolation>(),
  enrollments: table<Enrollment>(),
  /** Hashes of the texts that were given to read. */
  challenges: list<string>(),
  voices: table<ClonedVoice>(),
  llmRequests: table<LlmRequest>(),
  llmFiles: table<LlmFile>(),
  uploadTimes: list<number>(),
  webhooks: table<Webhook>(),
  deliveries: table<Delivery>(),
  legacySpeeches: list<LegacySpeech>(),
  legacyTranscriptions: list<LegacyTranscription>(),
});

const stateFile = (folder: string): string => join(folder, 'state.json');

/** The state in a folder, also while a service works there: the file is only ever replaced as a whole. */
export const readState = (folder: string): State => ({
  ...emptyState(),
  ...(existsSync(stateFile(folder)) ? (JSON.parse(readFileSync(stateFile(folder), 'utf8')) as Partial<State>) : {}),
});

export const writeState = (folder: string, state: State): void =>
  writeDurably(stateFile(folder), JSON.stringify(state));

/** Identifiers come from addresses, and every object knows names such as `constructor`. */
export const get = <T>(known: Readonly<Table<T>>, id: string): T | null =>
  Object.hasOwn(known, id) ? (known[id] ?? null) : null;

/** A moment as the service writes it. */
export const time = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : new Date(ms).toISOString();

export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A record as the service writes it: `createdAtMs` becomes `created_at`, in the form of RFC 3339. */
export const wire = (record: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const snake = snakeCase(name);
      return snake.endsWith('_at_ms') ? [snake.slice(0, -3), time(value as number | null)] : [snake, value];
    }),
  );

/** All of the data is in the file, also after a power cut, or the file is as it was before. */
export function writeDurably(path: string, data: string): void {
  const temporary = `${path}.part`;
  writeAndFlush(temporary, data, 'w');
  renameSync(temporary, path);
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

export const writeAndFlush = (path: string, data: string, flag: 'w' | 'a'): void =>
  writeFileSync(path, data, { flag, mode: 0o600, flush: true });

/** Everything that was accepted, oldest first. For tests and checkers: no HTTP route exposes it. */
export const readLedger = (folder: string): readonly LedgerEntry[] => readState(folder).ledger;

/** A request with an idempotency key, accepted or not, so that a checker sees what was repeated, and when. */
export interface Attempt {
  readonly id: string;
  readonly beganAtMs: number;
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string;
  readonly endedAtMs?: number;
  /** Null: no whole answer was given. */
  readonly status?: number | null;
  readonly retryAfterMs?: number | null;
}

export const attemptsFile = (folder: string): string => join(folder, 'attempts.jsonl');

/** A line when it begins and one with everything when it ends. */
export const noteAttempt = (folder: string, attempt: Attempt): void =>
  appendFileSync(attemptsFile(folder), `${JSON.stringify(attempt)}\n`, { mode: 0o600 });

export function readAttempts(folder: string): readonly Attempt[] {
  if (!existsSync(attemptsFile(folder))) return [];
  const lines = readFileSync(attemptsFile(folder), 'utf8').split('\n').slice(0, -1);
  const attempts = lines.map((line) => JSON.parse(line) as Attempt);
  return [...new Map(attempts.map((attempt) => [attempt.id, attempt])).values()];
}
