import type { Failure, FailureEnvelope, FailureLayer, FailureOutcome, FailureParams } from '../../result/failure.ts';
import { cleanCode, cleanId, cleanMessage, cleanName } from './clean-text.ts';
import { failureNumbers, type FailureKind } from '../../result/failure-kinds.ts';
import { failureRows } from './rows.ts';

/** Facts beyond the kind. Texts are cleaned here, so a caller may pass a server's text unchanged. */
export interface FailureFacts {
  /** Machine code; ours (`snake_case`) when the server gave none. Default: the kind's number as `e_034`. */
  readonly code?: string;
  readonly outcome?: FailureOutcome;
  readonly layer?: FailureLayer;
  readonly envelope?: FailureEnvelope;
  readonly status?: number;
  /** Milliseconds from now. */
  readonly retryAfterMs?: number;
  readonly requestId?: string | null | undefined;
  readonly llmRequestId?: string | null | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly params?: FailureParams | undefined;
  readonly details?: string | undefined;
}

/** The only way to make a failure: the kind decides, the facts refine, texts are cleaned, absent facts stay absent. */
export function makeFailure(kind: FailureKind, facts: FailureFacts = {}): Failure {
  const rule = failureRows[kind];
  const row = failureNumbers[kind];
  const requestId = cleanId(facts.requestId);
  const llmRequestId = cleanId(facts.llmRequestId);
  const details = facts.details === undefined ? '' : cleanMessage(facts.details);
  const fields = cleanFields(facts.fields);
  return {
    kind,
    row,
    code: cleanCode(facts.code) ?? row.toLowerCase().replace('-', '_'),
    outcome: facts.outcome ?? rule.outcome,
    layer: facts.layer ?? rule.layer,
    retry: rule.retry,
    scope: rule.scope,
    envelope: facts.envelope ?? 'none',
    ...(facts.status === undefined ? {} : { status: facts.status }),
    ...(facts.retryAfterMs === undefined ? {} : { retryAfterMs: Math.max(0, facts.retryAfterMs) }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(llmRequestId === undefined ? {} : { llmRequestId }),
    ...(fields === undefined ? {} : { fields }),
    ...(facts.params === undefined ? {} : { params: cleanParams(facts.params) }),
    ...(details === '' ? {} : { details }),
  };
}

function cleanFields(fields: Readonly<Record<string, string>> | undefined): Record<string, string> | undefined {
  const entries = Object.entries(fields ?? {})
    .map(([name, text]) => [cleanMessage(name, 64), cleanMessage(text)] as const)
    .filter(([name]) => name !== '' && name !== '__proto__')
    .slice(0, 32);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Names may come from a disk or a server: cleaned as text, never as an address or a secret. */
function cleanParams(params: FailureParams): FailureParams {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const clean = name === 'name' ? cleanName : cleanMessage;
      return [name, typeof value === 'string' ? clean(value) : value];
    }),
  );
}
