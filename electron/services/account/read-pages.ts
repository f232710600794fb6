import { ok, type Result } from '../../../shared/result/result.ts';

/** A cursor that was followed before ends the list too: some services repeat one for ever. */
export async function readPages<T>(
  read: (
    cursor: string | null,
    found: number,
  ) => Promise<Result<{ readonly items: readonly T[]; readonly nextCursor: string | null }>>,
  idOf: (item: T) => string | null,
  isEnough: (found: number, pages: number) => boolean,
): Promise<Result<readonly T[]>> {
  const found = new Map<unknown, T>();
  const followed = new Set<string | null>();
  let cursor: string | null = null;
  do {
    followed.add(cursor);
    const page = await read(cursor, found.size);
    if (!page.ok) return page;
    for (const item of page.value.items) found.set(idOf(item) ?? item, item);
    cursor = page.value.nextCursor;
  } while (cursor !== null && !followed.has(cursor) && !isEnough(found.size, followed.size));
  return ok([...found.values()]);
}
