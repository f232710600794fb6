import type {
  EarlierPayment,
  PaidAsked,
  PaidLedger,
  PaidReport,
  PaidState,
} from '../../../shared/domain/ledger/paid-action.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, type Result } from '../../../shared/result/result.ts';
import type { AccountApi } from '../../service/account.ts';
import type { SameContent } from '../library/store.ts';

/** One paid action as recorded: counts, choices, ids of the service; never what was said or sent. */
export interface PaidRecord {
  readonly id: string;
  readonly route: string;
  readonly product: string;
  readonly asked: PaidAsked;
  readonly estimate: string | null;
  readonly beganAtMs: number;
  readonly lastAtMs: number;
  readonly endedAtMs: number | null;
  readonly attempts: number;
  readonly state: PaidState;
  readonly status: number | null;
  readonly row: string | null;
  readonly code: string | null;
  readonly requestId: string | null;
  readonly llmRequestId: string | null;
  readonly remoteId: string | null;
  readonly report: PaidReport | null;
}

export interface LedgerQuery {
  readonly fromMs: number;
  readonly toMs: number;
  readonly product?: string;
  /** Only what this account paid, and what earlier versions recorded without one. */
  readonly account?: string;
  readonly limit?: number;
}

/** The user does not have its result yet; `fingerprint` stands for the whole request. */
export interface OpenPaidRequest {
  readonly fingerprint: string;
  readonly actionId: string;
  readonly createdAtMs: number;
  readonly remoteId: string | null;
}

/** Everything that costs, on disk; several processes may have it open. */
export interface Ledger extends PaidLedger {
  list(query: LedgerQuery): Result<readonly PaidRecord[]>;
  expectedCredits(route: string, asked: PaidAsked): string | null;
  findPaid(content: SameContent): EarlierPayment | null;
  /** By what earlier questions cost of the most that they could; credits as decimal text. */
  usualCost(most: string): string | null;
  creditsByRemoteId(): ReadonlyMap<string, string>;
  reportRequest(requestId: string, report: PaidReport): void;
  reportAction(id: string, report: PaidReport): void;
  forgetContents(sha256s: readonly string[]): void;
  fingerprint(parts: readonly string[]): string;
  /** Durable when it returns. job-not-found where an earlier one may have been lost with a damaged ledger. */
  openRequest(fingerprint: string, newId: string, sendsAgain: boolean): Result<OpenPaidRequest>;
  noteRemoteId(fingerprint: string, remoteId: string): void;
  /** The user has the result, or the request was refused: the same command is a new request from now on. */
  closeRequest(fingerprint: string): void;
  close(): void;
}

export function costsOfPhrases(
  { list }: Pick<Ledger, 'list'>,
  product: 'dictate' | 'transcribe' = 'dictate',
): ReadonlyMap<string, string> {
  const phrases = list({ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, product });
  return new Map(
    (phrases.ok ? phrases.value : []).flatMap(({ id, report }) =>
      report?.credits == null ? [] : [[id, report.credits] as const],
    ),
  );
}

/** Everything free keeps working; what costs is refused before anything is sent. */
export const unusableLedger = (failure: Failure): Ledger => ({
  begin: () => err(failure),
  end: () => undefined,
  report: () => undefined,
  list: () => err(failure),
  expectedCredits: () => null,
  findPaid: () => null,
  usualCost: () => null,
  creditsByRemoteId: () => new Map(),
  reportRequest: () => undefined,
  reportAction: () => undefined,
  forgetContents: () => undefined,
  fingerprint: () => '',
  openRequest: () => err(failure),
  noteRemoteId: () => undefined,
  closeRequest: () => undefined,
  close: () => undefined,
});

const dayMs = 86_400_000;
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

/** Each phrase went over one connection, whose length is that of its phrases together. */
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

/** Looks up in the account's log what requests cost whose answers did not say it; free. */
export function createCostReader(
  api: Pick<AccountApi, 'requestLogs'>,
  ledger: Pick<Ledger, 'list' | 'reportRequest' | 'reportAction'>,
  {
    now,
    account,
    dictationRoute,
  }: { readonly now: () => number; readonly account?: () => string; readonly dictationRoute: string },
): () => Promise<void> {
  /** What the log said of questions: it rounds up what their answers said, and is what is charged. */
  const logged = new Map<string, string>();
  const questions = new Set<string>();
  let isReading = false;
  let isWantedAgain = false;
  const period = () => ({
    from: new Date(now() - dayMs).toISOString().slice(0, 10),
    to: new Date(now() + dayMs).toISOString().slice(0, 10),
  });

  /** Phrases have no request of their own: the log has one entry for each connection, with all that was said over it. */
  const readPhrases = async (actions: readonly PaidRecord[]): Promise<void> => {
    const phrases = actions
      .filter(({ route, state }) => route === 'dictate.stream' && (state === 'accepted' || state === 'unknown'))
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
    const payer = account === undefined ? {} : { account: account() };
    const actions = ledger.list({ fromMs: now() - dayMs, toMs: now() + dayMs, ...payer });
    if (!actions.ok) return;
    await readPhrases(actions.value);
    const wanted = new Set<string>();
    for (const { state, product, requestId, report } of actions.value) {
      if ((state !== 'accepted' && state !== 'unknown') || requestId === null) continue;
      const told = logged.get(requestId);
      if (told === undefined && (product === 'ask' || report?.credits == null)) wanted.add(requestId);
      // What an answer said of itself came after it.
      else if (told !== undefined && told !== report?.credits)
        ledger.reportRequest(requestId, { ...nothing, credits: told });
      if (product === 'ask') questions.add(requestId);
    }
    let cursor: string | null = null;
    for (let page = 0; page < mostPages && wanted.size > 0; page += 1) {
      const query = { ...period(), method: 'POST' };
      const next = cursor === null ? {} : { cursor };
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
        if (questions.has(requestId)) logged.set(requestId, credits);
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
        await read();
      } while (isWantedAgain);
    } finally {
      isReading = false;
    }
  };
}
