import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useEffect, type Context, type ReactNode } from 'react';
import type { Failure } from '../../shared/result/failure.ts';
import { noQueue, type JobView, type QueueView } from '../../shared/domain/jobs/job-view.ts';
import type { ConnectionState, RequestOutput, Settings, RequestInput } from './types.ts';
import { failureOf, valueOrThrow } from './request-error.ts';
import type { StudioClient } from './client.ts';
import { followJobs, jobsQuery } from './jobs-list.ts';
import { useStudio } from './studio-context.tsx';

const live = { staleTime: Infinity, gcTime: Infinity, retry: false } as const;

export const appQuery = (studio: StudioClient) =>
  queryOptions({ ...live, queryKey: ['app'], queryFn: () => valueOrThrow(studio.request('app.describe', {})) });

/** Screens read main's settings with these applied. */
const settingsAhead = new WeakMap<QueryClient, OptimisticSettings>();

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

/** Main's answer is shown without waiting for its event. */
export function acceptSettings(queries: QueryClient, studio: StudioClient, settings: Settings): void {
  moveSettings(queries, studio, (ahead) => ({ ...ahead, stored: settings }));
}

export function acceptConnection(queries: QueryClient, studio: StudioClient, connection: ConnectionState): void {
  queries.setQueryData(appQuery(studio).queryKey, (app) => app && { ...app, connection });
  const { mode, serviceAddress } = connection;
  moveSettings(queries, studio, (ahead) => ({ ...ahead, stored: { ...ahead.stored, mode, serviceAddress } }));
}

/** Subscribes before it asks, so that nothing in between is missed. */
export function LiveState({ children }: { readonly children: ReactNode }) {
  const studio = useStudio();
  const queries = useQueryClient();
  useEffect(() => {
    let early: (() => void)[] | null = [];
    const apply = (change: () => void) => {
      if (early) early.push(change);
      else change();
    };
    const stops = [
      followJobs(queries, studio),
      studio.subscribe('connection.changed', (connection) => {
        apply(() => acceptConnection(queries, studio, connection));
      }),
      studio.subscribe('settings.changed', (settings) => {
        apply(() => acceptSettings(queries, studio, settings));
      }),
      studio.subscribe('window.changed', ({ isMaximized }) => {
        apply(() => queries.setQueryData(appQuery(studio).queryKey, (app) => app && { ...app, isMaximized }));
      }),
    ];
    const askFirst = async () => {
      await queries.prefetchQuery(appQuery(studio));
      const waiting = early ?? [];
      early = null;
      for (const change of waiting) change();
    };
    void askFirst();
    return () => {
      for (const stop of stops) stop();
    };
  }, [studio, queries]);
  return children;
}

type AppDescription = RequestOutput<'app.describe'>;
const AppContext = createContext<AppDescription | null>(null);
const SettingsContext = createContext<Settings | null>(null);
const ConnectionContext = createContext<ConnectionState | null>(null);

/** In parts, so that a component renders only when its part changes. */
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

export function useJobs(): {
  readonly jobs: readonly JobView[];
  readonly isLoading: boolean;
  readonly failure: Failure | null;
} {
  const { data, isPending, error } = useQuery(jobsQuery(useStudio()));
  return { jobs: (error === null ? data?.jobs : undefined) ?? noJobs, isLoading: isPending, failure: failureOf(error) };
}

/** A plain value: the component renders only when it changes, not with each row. */
export function useJobsFact<T extends string | number | boolean>(factOf: (jobs: readonly JobView[]) => T): T {
  const { data, error } = useQuery({ ...jobsQuery(useStudio()), select: ({ jobs }) => factOf(jobs) });
  // An unread queue has no rows; an error that is no failure is a bug, and is thrown as one.
  if (error !== null && failureOf(error) === null) throw error;
  return (error === null ? data : undefined) ?? factOf(noJobs);
}

/** For event handlers, without rendering. */
export function useJobsNow(): () => readonly JobView[] {
  const studio = useStudio();
  const queries = useQueryClient();
  return useCallback(() => queries.getQueryData(jobsQuery(studio).queryKey)?.jobs ?? noJobs, [queries, studio]);
}

/** With pending changes, because keys come faster than renders. */
export function useSettingsNow(): () => Settings {
  const studio = useStudio();
  const queries = useQueryClient();
  const drawn = useSettings();
  return () => queries.getQueryData(appQuery(studio).queryKey)?.settings ?? drawn;
}

export function useReadJobs(): { readonly isReading: boolean; readonly read: () => void } {
  const { isFetching, refetch } = useQuery(jobsQuery(useStudio()));
  return { isReading: isFetching, read: () => void refetch() };
}

export function useIsQueueAnswered(): boolean {
  const { isPending } = useQuery({ ...jobsQuery(useStudio()), select: () => null });
  return !isPending;
}

export function useQueue(): QueueView {
  // Selects a part, so that the component does not render for every row that moves.
  const { data } = useQuery({ ...jobsQuery(useStudio()), select: ({ queue }) => queue });
  return data ?? noQueue;
}

export type SettingsChange = RequestInput<'settings.update'>;

export interface OptimisticSettings {
  readonly stored: Settings;
  readonly waiting: readonly SettingsChange[];
}

/** A switch reacts at once, without waiting for main's disk. */
export const shownSettings = ({ stored, waiting }: OptimisticSettings): Settings =>
  waiting.reduce<Settings>((settings, change) => {
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    return { ...settings, ...Object.fromEntries(given) };
  }, stored);

export const withChange = (ahead: OptimisticSettings, change: SettingsChange): OptimisticSettings => ({
  ...ahead,
  waiting: [...ahead.waiting, change],
});

/** A refusal has no settings, so main's earlier ones are shown again. */
export const withAnswer = (
  ahead: OptimisticSettings,
  change: SettingsChange,
  answer: Settings | null,
): OptimisticSettings => ({
  stored: answer ?? ahead.stored,
  waiting: ahead.waiting.filter((other) => other !== change),
});
