import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useEffect, useState, type Context, type ReactNode } from 'react';
import type { Failure } from '../../shared/result/failure.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { noQueue, type QueueView } from '../../shared/domain/jobs/queue-view.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { RequestOutput } from '../../shared/ipc/derive.ts';
import type { ConnectionState, Settings } from '../../shared/ipc/schemas.ts';
import { failureOf, valueOrThrow } from './request-error.ts';
import type { StudioClient } from './client.ts';
import { createJobsFeed, onNextFrame, readJobs, type JobsFeed } from './jobs-feed.ts';
import type { JobsSnapshot } from './jobs-snapshot.ts';
import { shownSettings, type OptimisticSettings } from './optimistic-settings.ts';
import { useStudio } from './studio-context.tsx';

const live = { staleTime: Infinity, gcTime: Infinity, retry: false } as const;

/** Version, capabilities, settings and connection; read once, then updated by events. */
export const appQuery = (studio: StudioClient) =>
  queryOptions({ ...live, queryKey: ['app'], queryFn: () => valueOrThrow(studio.request('app.describe', {})) });

export const jobsQuery = (studio: StudioClient) =>
  queryOptions({
    ...live,
    // Unchanged rows keep their identity already; comparing thousands of them with each change is a waste.
    structuralSharing: false,
    // Mounting a component that shows the failure would otherwise repeat the request.
    retryOnMount: false,
    queryKey: ['jobs'],
    queryFn: (): Promise<JobsSnapshot> => valueOrThrow(readJobs(studio)),
  });

/** Changes on their way to main; screens read main's settings with these applied. */
const settingsAhead = new WeakMap<QueryClient, OptimisticSettings>();

/** Updates the known settings and the pending changes, and shows the result. */
export function moveSettings(
  queries: QueryClient,
  studio: StudioClient,
  move: (ahead: OptimisticSettings) => OptimisticSettings,
): void {
  queries.setQueryData(appQuery(studio).queryKey, (app) => {
    if (app === undefined) return undefined;
    const ahead = move(settingsAhead.get(queries) ?? { stored: app.settings, waiting: [] });
    settingsAhead.set(queries, ahead);
    return { ...app, settings: shownSettings(ahead) };
  });
}

/** Stores settings that main returned where the screens read them, without waiting for the event. */
export function acceptSettings(queries: QueryClient, studio: StudioClient, settings: Settings): void {
  moveSettings(queries, studio, (ahead) => ({ ...ahead, stored: settings }));
}

export function acceptConnection(queries: QueryClient, studio: StudioClient, connection: ConnectionState): void {
  queries.setQueryData(appQuery(studio).queryKey, (app) => app && { ...app, connection });
  const { mode, serviceAddress } = connection;
  moveSettings(queries, studio, (ahead) => ({ ...ahead, stored: { ...ahead.stored, mode, serviceAddress } }));
}

const FeedContext = createContext<JobsFeed | null>(null);

/**
 * Subscribes first and requests second, so that nothing in between is missed: events before the first answers wait for
 * them, and changes of the queue that those already contain are dropped by their number.
 */
export function LiveState({ children }: { readonly children: ReactNode }) {
  const studio = useStudio();
  const queries = useQueryClient();
  const [feed] = useState(() => {
    const jobs = jobsQuery(studio);
    return createJobsFeed(
      {
        get: () => queries.getQueryData(jobs.queryKey),
        set: (snapshot) => {
          queries.setQueryData(jobs.queryKey, snapshot);
        },
        read: () => queries.prefetchQuery({ ...jobs, staleTime: 0 }),
      },
      onNextFrame,
    );
  });
  useEffect(() => {
    let early: (() => void)[] | null = [];
    const apply = (change: () => void) => {
      if (early) early.push(change);
      else change();
    };
    const stops = [
      () => {
        feed.stop();
      },
      studio.subscribe('jobs.changed', feed.take),
      studio.subscribe('connection.changed', (connection) => {
        apply(() => {
          acceptConnection(queries, studio, connection);
        });
      }),
      studio.subscribe('settings.changed', (settings) => {
        apply(() => {
          acceptSettings(queries, studio, settings);
        });
      }),
      studio.subscribe('window.changed', ({ isMaximized }) => {
        apply(() => {
          queries.setQueryData(appQuery(studio).queryKey, (app) => app && { ...app, isMaximized });
        });
      }),
    ];
    const askFirst = async () => {
      const hasRows = queries.getQueryData(jobsQuery(studio).queryKey) !== undefined;
      await Promise.all([queries.prefetchQuery(appQuery(studio)), hasRows ? null : feed.readAnew()]);
      const waiting = early ?? [];
      early = null;
      for (const change of waiting) change();
    };
    void askFirst();
    return () => {
      for (const stop of stops) stop();
    };
  }, [studio, queries, feed]);
  return <FeedContext value={feed}>{children}</FeedContext>;
}

type AppDescription = RequestOutput<Contract, 'app.describe'>;
const AppContext = createContext<AppDescription | null>(null);
const SettingsContext = createContext<Settings | null>(null);
const ConnectionContext = createContext<ConnectionState | null>(null);

/**
 * Provides main's description in parts, so that a component renders only when its part changes. Main has answered at
 * this point.
 */
export function LiveApp({ children }: { readonly children: ReactNode }) {
  const { data } = useQuery(appQuery(useStudio()));
  if (data === undefined) throw new Error('LiveApp before app.describe was answered');
  return (
    <AppContext value={data}>
      <SettingsContext value={data.settings}>
        <ConnectionContext value={data.connection}>{children}</ConnectionContext>
      </SettingsContext>
    </AppContext>
  );
}

function useLive<T>(context: Context<T | null>): T {
  const value = useContext(context);
  if (value === null) throw new Error('outside of LiveApp');
  return value;
}

export const useApp = () => useLive(AppContext);
export const useSettings = (): Settings => useLive(SettingsContext);
export const useConnection = (): ConnectionState => useLive(ConnectionContext);

const noJobs: readonly JobView[] = [];

/** The rows of the queue, whether the first answer is pending, and why they could not be read. */
export function useJobs(): {
  readonly jobs: readonly JobView[];
  readonly isLoading: boolean;
  readonly failure: Failure | null;
} {
  const { data, isPending, error } = useQuery(jobsQuery(useStudio()));
  return { jobs: (error === null ? data?.jobs : undefined) ?? noJobs, isLoading: isPending, failure: failureOf(error) };
}

/** One fact about the rows, a plain value: the component renders only when the fact changes, not with each row. */
export function useJobsFact<T extends string | number | boolean>(factOf: (jobs: readonly JobView[]) => T): T {
  const { data, error } = useQuery({ ...jobsQuery(useStudio()), select: ({ jobs }) => factOf(jobs) });
  // An unread queue has no rows; an error that is no failure is a bug, and is thrown as one.
  if (error !== null && failureOf(error) === null) throw error;
  return (error === null ? data : undefined) ?? factOf(noJobs);
}

/** Reads the current rows in event handlers, without rendering for them. */
export function useJobsNow(): () => readonly JobView[] {
  const studio = useStudio();
  const queries = useQueryClient();
  return useCallback(() => queries.getQueryData(jobsQuery(studio).queryKey)?.jobs ?? noJobs, [queries, studio]);
}

/** Reads the current settings including pending changes, because keys come faster than renders. */
export function useSettingsNow(): () => Settings {
  const studio = useStudio();
  const queries = useQueryClient();
  const drawn = useSettings();
  return () => queries.getQueryData(appQuery(studio).queryKey)?.settings ?? drawn;
}

/** Requests the rows again after a failure. */
export function useReadJobs(): { readonly isReading: boolean; readonly read: () => void } {
  const feed = useContext(FeedContext);
  const { isFetching } = useQuery(jobsQuery(useStudio()));
  return { isReading: isFetching, read: () => void feed?.readAnew() };
}

/** Whether the rows have been answered, even with a failure. Causes a single render. */
export function useIsQueueAnswered(): boolean {
  const { isPending } = useQuery({ ...jobsQuery(useStudio()), select: () => null });
  return !isPending;
}

/** What holds for the queue as a whole. */
export function useQueue(): QueueView {
  // Selects a part, so that the component does not render for every row that moves.
  const { data } = useQuery({ ...jobsQuery(useStudio()), select: ({ queue }) => queue });
  return data ?? noQueue;
}
