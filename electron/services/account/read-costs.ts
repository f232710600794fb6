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

type Phrase = Pick<PaidRecord, 'id' | 'state' | 'asked' | 'report'>;

/** A lane of dictation leaves out at most so many phrases between two of its own: those that took the other one. */
const mostLeftOut = 3;
const mostTries = 20_000;

/** The length of a phrase; one without an answer has the length that was sent. */
const lengthOf = ({ asked, report }: Phrase): number => report?.durationMs ?? asked.audioMs ?? Infinity;

/** The first phrases in order whose lengths add up, with as few left out between them as possible; null: none do. */
function findRun(phrases: readonly Phrase[], durationMs: number): readonly Phrase[] | null {
  let tries = 0;
  const from = (at: number, left: number, leftOut: number): readonly Phrase[] | null => {
    if (left === 0) return [];
    for (let next = at; next <= at + leftOut && next < phrases.length; next += 1) {
      const phrase = phrases[next]!;
      tries += 1;
      if (tries > mostTries) return null;
      if (lengthOf(phrase) > left) continue;
      const rest = from(next + 1, left - lengthOf(phrase), leftOut);
      if (rest !== null) return [phrase, ...rest];
    }
    return null;
  };
  for (let leftOut = 0; leftOut <= mostLeftOut; leftOut += 1) {
    tries = 0;
    for (const [first, phrase] of phrases.entries()) {
      const length = lengthOf(phrase);
      const rest = length > durationMs ? null : from(first + 1, durationMs - length, leftOut);
      if (rest !== null) return [phrase, ...rest];
    }
  }
  return null;
}

/**
 * Shares what connections cost, oldest first, among the phrases without a cost. Each phrase was sent over one of them,
 * and the lengths of its phrases add up to the length of a connection; to one where they don't, another program spoke.
 * Phrases without an answer are taken only where the answered ones are not enough.
 */
export function sharesOf(
  phrases: readonly Phrase[],
  connections: readonly { readonly durationMs: number; readonly credits: number }[],
): readonly (readonly [id: string, credits: string])[] {
  let free = phrases;
  return connections.flatMap(({ durationMs, credits }) => {
    const answered = free.filter(({ state }) => state === 'accepted');
    const run = findRun(answered, durationMs) ?? findRun(free, durationMs) ?? [];
    free = free.filter((phrase) => !run.includes(phrase));
    const open = run.filter(({ report }) => report?.credits == null);
    const known = run.reduce((sum, { report }) => sum + Number(report?.credits ?? 0), 0);
    const share = Math.round(((credits - known) / Math.max(1, open.length)) * 1e6) / 1e6;
    return share < 0 ? [] : open.map(({ id }) => [id, String(share)] as const);
  });
}

/**
 * Looks up in the account's log what requests cost whose answers did not say it; free. Called while a look-up is under
 * way, it returns at once, and another one follows.
 */
export function createCostReader(
  api: Pick<AccountApi, 'requestLogs'>,
  ledger: Pick<Ledger, 'list' | 'reportRequest' | 'reportAction'>,
  { now, dictationRoute }: { readonly now: () => number; readonly dictationRoute: string },
): () => Promise<void> {
  let isReading = false;
  let isWantedAgain = false;
  const period = () => ({
    from: new Date(now() - dayMs).toISOString().slice(0, 10),
    to: new Date(now() + dayMs).toISOString().slice(0, 10),
  });

  /** Phrases have no request of their own: the log has one entry for each connection, with all that was said over it. */
  const readPhrases = async (actions: readonly PaidRecord[]): Promise<void> => {
    const phrases = actions
      .filter(({ product, state }) => product === 'dictate' && (state === 'accepted' || state === 'unknown'))
      .toReversed();
    if (phrases.every(({ report }) => report?.credits != null)) return;
    const found = await api.requestLogs({ ...period(), route: dictationRoute }, { limit: 100 });
    if (!found.ok) return;
    const connections = found.value.items.toReversed().flatMap(({ usage }) => {
      if (usage?.credits == null || usage.durationMs === null || usage.isBillable === false) return [];
      return [{ durationMs: usage.durationMs, credits: Number(usage.credits) }];
    });
    for (const [id, credits] of sharesOf(phrases, connections)) ledger.reportAction(id, { ...nothing, credits });
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
    isWantedAgain = isReading;
    if (isReading) return;
    isReading = true;
    try {
      do {
        isWantedAgain = false;
        // oxlint-disable-next-line no-await-in-loop -- what was paid for meanwhile is not in the answer to the first
        await read();
      } while (isWantedAgain);
    } finally {
      isReading = false;
    }
  };
}
