import type { QueryClient } from '@tanstack/react-query';
import { firstRequests, type FirstRequest } from '../../shared/ipc/first-requests.ts';
import type { StudioClient } from './client.ts';
import { appQuery, jobsQuery } from './live-state.tsx';
import { creditRateQuery, usedTodayQuery } from './use-credits.ts';

/** Puts the answers that are already here where the first drawing looks for them. */
export async function takeFirstAnswers(queries: QueryClient, studio: StudioClient): Promise<void> {
  const take = {
    'app.describe': () => queries.prefetchQuery(appQuery(studio)),
    'jobs.list': () => queries.prefetchQuery(jobsQuery(studio)),
    'usage.today': () => queries.prefetchQuery(usedTodayQuery(studio)),
    'usage.rate': () => queries.prefetchQuery(creditRateQuery(studio)),
  } satisfies Record<FirstRequest, () => Promise<void>>;
  await Promise.all(firstRequests.map((request) => take[request]()));
}
