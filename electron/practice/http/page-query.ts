import { err, ok, type Result } from '../../../shared/result/result.ts';
import { problem, type Answer } from './answer.ts';

export interface PageQuery {
  readonly limit: number;
  /** Null: from the newest on. */
  readonly beforeSeq: number | null;
}

/** `limit` and `cursor` of a list; the failure is the answer to send. */
export function readPageQuery(
  query: URLSearchParams,
  limits: { readonly usual: number; readonly most: number },
  codes: { readonly limit: string; readonly cursor: string } = {
    limit: 'invalid_pagination',
    cursor: 'invalid_cursor',
  },
): Result<PageQuery, Answer> {
  const text = query.get('limit') ?? String(limits.usual);
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > limits.most) {
    const range = `1 to ${limits.most}`;
    return err(problem(400, codes.limit, `limit is a number from ${range}.`, { limit: `must be ${range}` }));
  }
  const cursor = query.get('cursor');
  const beforeSeq = cursor === null ? null : fromCursor(cursor);
  if (cursor !== null && beforeSeq === null)
    return err(problem(400, codes.cursor, 'This cursor was not given by this service.'));
  return ok({ limit, beforeSeq });
}

/** The first `limit` of the rows (one more was fetched, if there is one) and the cursor for the rest. */
export function cutPage<T extends { readonly seq: number }>(
  found: readonly T[],
  limit: number,
): { readonly items: readonly T[]; readonly nextCursor: string | null } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: found.length > limit && last !== undefined ? toCursor(last.seq) : null };
}

/** Opaque to clients: a position in an order that only grows, so that new rows shift no page. */
const toCursor = (seq: number): string => Buffer.from(`before:${seq}`).toString('base64url');

/** Null: not one of ours. */
function fromCursor(cursor: string): number | null {
  const seq = /^before:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  return seq !== undefined && toCursor(Number(seq)) === cursor ? Number(seq) : null;
}
