import { refuse, type Exchange } from './http.ts';
import type { ApiKey } from './keys.ts';
import type { Services } from './services.ts';
import { get, type State } from './state.ts';

/** Credits are counted in whole hundred-millionths (contract 8), so nothing is lost by rounding. */
const unitsPerCredit = 100_000_000;

export const toUnits = (credits: number): number => Math.round(credits * unitsPerCredit);
export const toCredits = (units: number): number => units / unitsPerCredit;
/** The debited amount: a started credit counts as one. */
export const wholeCredits = (units: number): number => Math.ceil(units / unitsPerCredit);

/** The real conversion is in the catalogue of models. */
export const creditsPerUsd = 1000;
export const toCostMicros = (units: number): number => Math.round((toCredits(units) / creditsPerUsd) * 1_000_000);

/** Prices of practice mode, in credits: round numbers that make sums easy to check. */
export const prices = {
  ttsPerCharacter: 1,
  /** For each begun minute. */
  sttPerMinute: 60,
  sttSpeakersPerMinute: 30,
  /** For each begun second of a file. */
  isolationPerSecond: 1,
} as const;

export const sttUnits = (durationMs: number, includeSpeakers: boolean): number =>
  toUnits(Math.ceil(durationMs / 60_000) * (prices.sttPerMinute + (includeSpeakers ? prices.sttSpeakersPerMinute : 0)));

/** Characters of a text as Unicode counts them. */
export const charactersOf = (text: string): number => Array.from(text).length;
export const speechUnits = (text: string): number => toUnits(charactersOf(text) * prices.ttsPerCharacter);

/** A billable thing that was accepted. `subject` identifies the work and is charged once. */
export interface Charge {
  readonly subject: string;
  readonly requestId: string;
  readonly keyId: string;
  readonly product: 'tts' | 'stt' | 'llm' | 'voice_enhancer';
  readonly operation: string;
  readonly characters?: number;
  durationMs?: number;
  units: number;
  /** Held until the work ends, or charged at once because it is finished. */
  state: 'held' | 'settled' | 'released';
  readonly atMs: number;
}

/** One accepted thing that would have cost credits; a checker compares the ledger with what the app reports. */
export interface LedgerEntry {
  readonly n: number;
  readonly atMs: number;
  readonly route: string;
  readonly idempotencyKey: string;
  /** Of the file, or of whatever makes two requests the same. */
  readonly audioSha256: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The thing that was made. */
  readonly transcriptionId: string;
}

type Acceptance = Omit<Charge, 'requestId' | 'keyId' | 'atMs'> & Omit<LedgerEntry, 'n' | 'atMs' | 'transcriptionId'>;

const sum = (charges: readonly Charge[]): number =>
  charges.reduce((total, { units, state }) => total + (state === 'released' ? 0 : units), 0);

/** Each start begins with this balance, whatever was spent before. */
export function fillCredits(state: State, credits: number): void {
  state.grantedUnits = sum(Object.values(state.charges)) + toUnits(credits);
}

const words = {
  insufficient_credits: 'The account has not enough credits for this.',
  api_key_credit_limit: 'The credit limit of this key does not allow this.',
} as const;

/** Why this key can't spend that much now; null: it can. */
export function unaffordable(
  state: State,
  { id, creditLimit }: Pick<ApiKey, 'id' | 'creditLimit'>,
  units: number,
): keyof typeof words | null {
  const charges = Object.values(state.charges);
  if (state.grantedUnits - sum(charges) < units) return 'insufficient_credits';
  if (creditLimit === null) return null;
  const spent = sum(charges.filter(({ keyId }) => keyId === id));
  return spent + units > toUnits(creditLimit) ? 'api_key_credit_limit' : null;
}

export function refuseUnaffordable(state: State, key: ApiKey, units: number): void {
  const reason = unaffordable(state, key, units);
  if (reason !== null) refuse(402, reason, words[reason]);
}

/** Charges something that was accepted and adds it to the ledger; the caller saves the state. */
export function bill(
  { state, now }: Services,
  { requestId, caller }: Pick<Exchange, 'requestId' | 'caller'>,
  { route, idempotencyKey, audioSha256, fields, ...charge }: Acceptance,
): void {
  const { subject } = charge;
  const atMs = now();
  state.charges[subject] = { ...charge, requestId, keyId: caller.id, atMs };
  const n = state.ledger.length + 1;
  state.ledger.push({ n, atMs, route, idempotencyKey, audioSha256, fields, transcriptionId: subject });
}

/** The work succeeded and cost this much, which may be less than was held. A settled charge does not change. */
export function settle(state: State, subject: string, units?: number, durationMs?: number): void {
  const charge = get(state.charges, subject);
  if (charge?.state !== 'held') return;
  charge.state = 'settled';
  if (units !== undefined) charge.units = units;
  if (durationMs !== undefined) charge.durationMs = durationMs;
}

/** The work failed for good: the held credits become available again. */
export function release(state: State, subject: string): void {
  const charge = get(state.charges, subject);
  if (charge?.state === 'held') charge.state = 'released';
}
