import type { AccountApi } from '../../api/resources/account.ts';
import type { Ledger } from './ledger.ts';

const dayMs = 86_400_000;
/** More requests than these since yesterday are not looked through. */
const mostPages = 5;

/**
 * Looks up in the account's log what requests cost whose answers did not say it; free. Returns at once while an earlier
 * look-up is under way.
 */
export function createCostReader(
  api: Pick<AccountApi, 'requestLogs'>,
  ledger: Pick<Ledger, 'list' | 'reportRequest'>,
  now: () => number,
): () => Promise<void> {
  let isReading = false;

  const read = async (): Promise<void> => {
    const actions = ledger.list({ fromMs: now() - dayMs, toMs: now() + dayMs });
    if (!actions.ok) return;
    const wanted = new Set(
      actions.value.flatMap(({ state, requestId, report }) =>
        state === 'accepted' && requestId !== null && (report?.credits ?? null) === null ? [requestId] : [],
      ),
    );
    let cursor: string | null = null;
    for (let page = 0; page < mostPages && wanted.size > 0; page += 1) {
      const query = {
        from: new Date(now() - dayMs).toISOString().slice(0, 10),
        to: new Date(now() + dayMs).toISOString().slice(0, 10),
        method: 'POST',
      };
      const next = cursor === null ? {} : { cursor };
      // oxlint-disable-next-line no-await-in-loop -- each page names the next one
      const found: Awaited<ReturnType<AccountApi['requestLogs']>> = await api.requestLogs(query, {
        limit: 100,
        ...next,
      });
      if (!found.ok) return;
      for (const { requestId, usage } of found.value.items) {
        // What is only held may still cost less, or nothing.
        if (requestId === null || !wanted.has(requestId) || usage?.credits == null || usage.isBillable === false)
          continue;
        const { credits, characters, durationMs } = usage;
        wanted.delete(requestId);
        ledger.reportRequest(requestId, { credits, characters, durationMs, inputTokens: null, outputTokens: null });
      }
      cursor = found.value.nextCursor;
      if (cursor === null) return;
    }
  };

  return async () => {
    if (isReading) return;
    isReading = true;
    try {
      await read();
    } finally {
      isReading = false;
    }
  };
}
