/** Opaque to whoever gets it: the place in an order that only grows, so that new things move no page. */
export const toCursor = (seq: number): string => Buffer.from(`before:${seq}`).toString('base64url');

/** Null: not one of ours. */
export function fromCursor(cursor: string): number | null {
  const seq = /^before:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  return seq !== undefined && toCursor(Number(seq)) === cursor ? Number(seq) : null;
}
