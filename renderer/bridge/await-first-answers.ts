import type { StudioBridge } from '../../shared/ipc/derive.ts';
import { type FirstRequest, firstRequests } from '../../shared/ipc/first-requests.ts';
import type { Result } from '../../shared/result/result.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { StudioClient } from './client.ts';
import { appQuery, jobsQuery } from './live-state.tsx';
import { creditRateQuery, usedTodayQuery } from './use-credits.ts';

/** Main usually answers within a tenth of this; when it is busy, the screen shows the waiting. */
const patienceMs = 250;
/** A longer list is not waited for: the screen comes first, its rows follow. */
const mostParts = 4;

export interface FirstAnswers {
  /** Returns each early answer once, and asks main for everything else. */
  readonly bridge: StudioBridge;
  /** Everything that the first render shows has arrived. */
  readonly areThere: boolean;
}

interface Part {
  readonly number: number;
  readonly partCount: number;
}

const asWhole = firstRequests.filter((method) => method !== 'jobs.list').map((method) => ({ method, input: {} }));
const listJobs = (part?: object) => ({ method: 'jobs.list', input: part === undefined ? {} : { part } });

function partOf(answer: Result<unknown>): Part | null {
  if (!answer.ok || typeof answer.value !== 'object' || answer.value === null) return null;
  const { number, partCount } = answer.value as Partial<Part>;
  return typeof number === 'number' && typeof partCount === 'number' ? { number, partCount } : null;
}

/**
 * Requests what the first screen shows and waits for it, but not for long. Whoever uses the answers validates them:
 * only the number of the list's parts is read here.
 */
export async function awaitFirstAnswers(
  bridge: StudioBridge,
  patience = new Promise<void>((resolve) => setTimeout(resolve, patienceMs)),
): Promise<FirstAnswers> {
  const asked = new Map<string, Promise<Result<unknown>>>();
  const ask = ({ method, input }: { readonly method: string; readonly input: object }) => {
    const answer = bridge.request(method, input);
    asked.set(method + JSON.stringify(input), answer);
    return answer;
  };
  const askRows = async (): Promise<boolean> => {
    const first = partOf(await ask(listJobs()));
    if (first === null || first.partCount > mostParts) return false;
    const rest = Array.from({ length: first.partCount - 1 }, (_, at) =>
      listJobs({ number: first.number, index: at + 1 }),
    );
    await Promise.all(rest.map(ask));
    return true;
  };
  const all = Promise.all([askRows(), ...asWhole.map(ask)]).then(([areRowsThere]) => areRowsThere);
  // A request that failed is repeated by its user, who shows the failure.
  all.catch(() => undefined);
  const areThere = await Promise.race([all.catch(() => false), patience.then(() => false)]);
  return {
    areThere,
    bridge: {
      ...bridge,
      request(method, input) {
        // Only these are small: as text, the peaks of a long recording would hold up the page for a second.
        if (!firstRequests.some((first) => first === method)) return bridge.request(method, input);
        const key = method + JSON.stringify(input);
        const answer = asked.get(key);
        asked.delete(key);
        return answer ?? bridge.request(method, input);
      },
    },
  };
}

/** Puts the answers that have arrived into the query cache for the first render. */
export async function takeFirstAnswers(queries: QueryClient, studio: StudioClient): Promise<void> {
  const take = {
    'app.describe': () => queries.prefetchQuery(appQuery(studio)),
    'jobs.list': () => queries.prefetchQuery(jobsQuery(studio)),
    'usage.today': () => queries.prefetchQuery(usedTodayQuery(studio)),
    'usage.rate': () => queries.prefetchQuery(creditRateQuery(studio)),
  } satisfies Record<FirstRequest, () => Promise<void>>;
  await Promise.all(firstRequests.map((request) => take[request]()));
}
