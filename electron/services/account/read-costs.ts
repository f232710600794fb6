import type { AccountApi } from '../../api/resources/account.ts';
import type { PaidReport } from '../../../shared/domain/ledger/paid-action.ts';
import type { Ledger, PaidRecord } from './ledger.ts';

const dayMs = 86_400_000;
/** More requests than these since yesterday are not looked through. */
const mostPages = 5;

const nothing: PaidReport = {
  credits: null,
  characters: null,
  durationMs: null,
  inputTokens: null,
  outputTokens: null,
};

/**
 * Shares what a connection cost among the phrases without a cost, whose successive lengths add up to its length; none
 * where no phrases do, because then they were said by another program.
 */
export function sharesOf(
  phrases: readonly Pick<PaidRecord, 'id' | 'report'>[],
  durationMs: number,
  credits: number,
): readonly (readonly [id: string, credits: string])[] {
  for (const first of phrases.keys()) {
    let length = 0;
    for (let end = first; end < phrases.length && length < durationMs; end += 1) {
      length += phrases[end]?.report?.durationMs ?? Infinity;
      if (length !== durationMs) continue;
      const run = phrases.slice(first, end + 1);
      const open = run.filter(({ report }) => report?.credits == null);
      const known = run.reduce((sum, { report }) => sum + Number(report?.credits ?? 0), 0);
      const share = Math.round(((credits - known) / Math.max(1, open.length)) * 1e6) / 1e6;
      return share < 0 ? [] : open.map(({ id }) => [id, String(share)] as const);
    }
  }
  return [];
}

/**
 * Looks up in the account's log what requests cost whose answers did not say it; free. Returns at once while an earlier
 * look-up is under way.
 */
export function createCostReader(
  api: Pick<AccountApi, 'requestLogs'>,
  ledger: Pick<Ledger, 'list' | 'reportRequest' | 'reportAction'>,
  { now, dictationRoute }: { readonly now: () => number; readonly dictationRoute: string },
): () => Promise<void> {
  let isReading = false;
  const period = () => ({
    from: new Date(now() - dayMs).toISOString().slice(0, 10),
    to: new Date(now() + dayMs).toISOString().slice(0, 10),
  });

  /** Phrases have no request of their own: the log has one entry for each connection, with all that was said over it. */
  const readPhrases = async (actions: readonly PaidRecord[]): Promise<void> => {
    const phrases = actions.filter(({ product, state }) => product === 'dictate' && state === 'accepted').toReversed();
    if (phrases.every(({ report }) => report?.credits != null)) return;
    const found = await api.requestLogs({ ...period(), route: dictationRoute }, { limit: 100 });
    if (!found.ok) return;
    for (const { usage } of found.value.items.toReversed()) {
      if (usage?.credits == null || usage.durationMs === null || usage.isBillable === false) continue;
      for (const [id, credits] of sharesOf(phrases, usage.durationMs, Number(usage.credits)))
        ledger.reportAction(id, { ...nothing, credits });
    }
  };

  const read = async (): Promise<void> => {
    const actions = ledger.list({ fromMs: now() - dayMs, toMs: now() + dayMs });
    if (!actions.ok) return;
    await readPhrases(actions.value);
    const wanted = new Set(
      actions.value.flatMap(({ state, requestId, report }) =>
        state === 'accepted' && requestId !== null && (report?.credits ?? null) === null ? [requestId] : [],
      ),
    );
    let cursor: string | null = null;
    for (let page = 0; page < mostPages && wanted.size > 0; page += 1) {
      const query = { ...period(), method: 'POST' };
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
        ledger.reportRequest(requestId, { ...nothing, credits, characters, durationMs });
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
