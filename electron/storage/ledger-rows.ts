import type { PaidAsked, PaidReport, PaidState } from '../../shared/domain/ledger/paid-action.ts';
import type { PaidRecord } from '../services/account/ledger.ts';

type Row = Readonly<Record<string, unknown>>;

const states: readonly PaidState[] = ['open', 'accepted', 'refused', 'not-sent', 'unknown'];

/** A state that no version of ours wrote counts as "may have been charged". */
export const stateOf = (value: unknown): PaidState => states.find((state) => state === value) ?? 'unknown';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** One row of `paid_actions`. */
export const readPaidRow = (row: Row): PaidRecord => ({
  id: String(row['id']),
  route: String(row['route']),
  product: String(row['product']),
  asked: askedIn(row['asked']),
  estimate: text(row['estimate']),
  beganAtMs: Number(row['began_at_ms']),
  lastAtMs: Number(row['last_at_ms']),
  endedAtMs: number(row['ended_at_ms']),
  attempts: Number(row['attempts']),
  state: stateOf(row['state']),
  status: number(row['status']),
  row: text(row['row']),
  code: text(row['code']),
  requestId: text(row['request_id']),
  llmRequestId: text(row['llm_request_id']),
  remoteId: text(row['remote_id']),
  report: reportIn(row),
});

function askedIn(value: unknown): PaidAsked {
  try {
    const found: unknown = JSON.parse(String(value));
    return typeof found === 'object' && found !== null ? found : {};
  } catch {
    return {};
  }
}

function reportIn(row: Row): PaidReport | null {
  const report: PaidReport = {
    credits: text(row['credits']),
    characters: number(row['characters']),
    durationMs: number(row['duration_ms']),
    inputTokens: number(row['input_tokens']),
    outputTokens: number(row['output_tokens']),
  };
  return Object.values(report).every((value) => value === null) ? null : report;
}
