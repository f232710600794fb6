import type { Failure } from '../../result/failure.ts';
import { assertNever, type Result } from '../../result/result.ts';

/** Counts and choices by an allow-list: no field for a text, a file name, an address or a body. */
export interface PaidAsked {
  readonly characters?: number;
  readonly audioMs?: number;
  readonly bytes?: number;
  readonly files?: number;
  readonly maxTokens?: number;
  readonly language?: string;
  readonly model?: string;
  readonly speed?: number;
  readonly includesSpeakers?: boolean;
  readonly restoresSpeech?: boolean;
  readonly isStreamed?: boolean;
}

export interface PaidReport {
  /** Credits as decimal text. */
  readonly credits: string | null;
  readonly characters: number | null;
  readonly durationMs: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** `unknown`: an answer was lost, so it may have been charged. `refused` and `not-sent` cost nothing. */
export type PaidState = 'open' | 'accepted' | 'refused' | 'not-sent' | 'unknown';

export interface PaidIntent {
  /** The idempotency key where the route accepts one: repeats with it are the same action. */
  readonly id: string;
  /** Our name of the route (`stt.submit`). */
  readonly route: string;
  readonly product: string;
  readonly asked: PaidAsked;
  /** Credits as decimal text, when the caller knows the prices; null: the ledger may derive it from earlier actions. */
  readonly estimate: string | null;
  /** SHA-256 of the sent recording, by which it is recognised when the library is damaged. */
  readonly sha256?: string | undefined;
}

export interface EarlierPayment {
  readonly id: string;
  readonly remoteId: string | null;
  /** Unix ms. */
  readonly beganAtMs: number;
}

export interface PaidEnding {
  readonly outcome: Exclude<PaidState, 'open'>;
  readonly status: number | null;
  readonly row: string | null;
  readonly code: string | null;
  readonly requestId: string | null;
  readonly llmRequestId: string | null;
  /** The service's id of the work; later reads of it report its cost. */
  readonly remoteId: string | null;
  readonly report: PaidReport | null;
}

/** Where paid actions are recorded. File system errors never throw. */
export interface PaidLedger {
  /** Durable when it returns; after a failure of the disk nothing may be sent. */
  begin(intent: PaidIntent): Result<null, Failure>;
  end(id: string, ending: PaidEnding): void;
  /** A cost that a free read reported later; `remoteId` is the id of the work or of a question. */
  report(remoteId: string, report: PaidReport): void;
}

/** What may have been charged stays so until it is accepted: a refused repeat proves nothing about the first. */
export function nextPaidState(before: PaidState, outcome: PaidEnding['outcome'], attempts: number): PaidState {
  switch (before) {
    case 'accepted':
      return 'accepted';
    case 'unknown':
      return outcome === 'accepted' ? 'accepted' : 'unknown';
    case 'open':
    case 'refused':
    case 'not-sent':
      break;
    default:
      return assertNever(before);
  }
  // An open action with earlier attempts was left by a process that ended during one.
  const wasInterrupted = before === 'open' && attempts > 1;
  return wasInterrupted && outcome !== 'accepted' ? 'unknown' : outcome;
}

const scale = 18;
const unit = 10n ** BigInt(scale);
const decimal = /^(\d{1,18})(?:\.(\d{1,18}))?$/u;

function toUnits(text: string): bigint | null {
  const found = decimal.exec(text);
  if (found === null) return null;
  const [, whole = '0', fraction = ''] = found;
  return BigInt(whole) * unit + BigInt(fraction.padEnd(scale, '0'));
}

const toText = (units: bigint): string => {
  const fraction = String(units % unit)
    .padStart(scale, '0')
    .replace(/0+$/u, '');
  return fraction === '' ? String(units / unit) : `${units / unit}.${fraction}`;
};

/** The exact sum of amounts in decimal text; anything else counts as nothing. */
export const addAmounts = (amounts: readonly string[]): string =>
  toText(amounts.reduce((sum, amount) => sum + (toUnits(amount) ?? 0n), 0n));

/** For `count` units from earlier actions, rounded up to a thousandth of a credit; null without any. */
export function estimateByHistory(
  count: number,
  seen: readonly { readonly count: number; readonly credits: string }[],
): string | null {
  const usable = seen.filter((one) => one.count > 0 && toUnits(one.credits) !== null);
  const counted = usable.reduce((sum, one) => sum + BigInt(Math.round(one.count)), 0n);
  if (counted === 0n || !Number.isFinite(count) || count <= 0) return null;
  const credits = usable.reduce((sum, one) => sum + (toUnits(one.credits) ?? 0n), 0n);
  const step = unit / 1000n;
  const expected = (credits * BigInt(Math.round(count)) + counted - 1n) / counted;
  return toText(((expected + step - 1n) / step) * step);
}

export interface ModelPrices {
  readonly inputPrice: string | null;
  readonly outputPrice: string | null;
  readonly creditsPerUsd: string | null;
}

/** In credits: a token is at least one byte of UTF-8; null when a price is missing. */
export function estimateQuestion(prices: ModelPrices, inputBytes: number, maxOutputTokens: number): string | null {
  const [input, output, perUsd] = [prices.inputPrice, prices.outputPrice, prices.creditsPerUsd].map((text) =>
    text === null ? null : toUnits(text),
  );
  if (input === null || output === null || perUsd === null) return null;
  if (input === undefined || output === undefined || perUsd === undefined) return null;
  const cents = input * BigInt(Math.ceil(inputBytes)) + output * BigInt(Math.ceil(maxOutputTokens));
  // Cents per million tokens, and a hundred cents per dollar.
  return toText((cents * perUsd + unit * 100_000_000n - 1n) / (unit * 100_000_000n));
}
