import type { Failure } from '../../shared/result/failure.ts';
import { err } from '../../shared/result/result.ts';

const local = { outcome: 'not_sent', layer: 'local', retry: 'never', envelope: 'none' } as const;

/**
 * The single answer to every illegitimate call: wrong sender, unknown method, wrong shape, too large, too often.
 * Because it is always the same, a hostile page learns nothing from it (S-16).
 */
export const refusal = err<Failure>(Object.freeze({ ...local, row: 'E-231', code: 'refused_call', scope: 'app' }));

/** A bug of ours: the log has `bugId` next to the details. */
export const bugFailure = (bugId: string): Failure => ({
  ...local,
  outcome: 'unknown',
  row: 'E-230',
  code: 'bug',
  scope: 'item',
  params: { bugId },
});

/**
 * Copies only the known fields of a failure, so that a careless spread can't carry a path, a URL or a stack to the page
 * (S-10).
 */
export function rebuildFailure(failure: Failure): Failure {
  const { row, code, outcome, layer, retry, scope, envelope } = failure;
  return {
    row,
    code,
    outcome,
    layer,
    retry,
    scope,
    envelope,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    ...(failure.requestId === undefined ? {} : { requestId: failure.requestId }),
    ...(failure.llmRequestId === undefined ? {} : { llmRequestId: failure.llmRequestId }),
    ...(failure.fields === undefined ? {} : { fields: { ...failure.fields } }),
    ...(failure.params === undefined ? {} : { params: { ...failure.params } }),
    ...(failure.details === undefined ? {} : { details: failure.details }),
  };
}
