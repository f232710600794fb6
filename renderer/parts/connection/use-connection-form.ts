import type { ModeId } from '../../../shared/domain/modes.ts';
import { useQuery, useQueryClient, queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '../../../shared/result/failure.ts';
import { acceptConnection, useConnection } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { ConnectionReport, ConnectionState } from '../../bridge/types.ts';
import { valueOrThrow } from '../../bridge/request-error.ts';
import type { StudioClient } from '../../bridge/client.ts';

/** The state of the check of address and key. */
export type CheckState =
  | { readonly tag: 'idle' }
  | { readonly tag: 'checking' }
  | { readonly tag: 'checked'; readonly report: ConnectionReport };

type KeyRequest = 'connection.pasteKey' | 'connection.forgetKey' | 'connection.recheckKey' | 'legacyKey.adopt';

/** Address and key as a form: the edited address, the stored one, the check, and failures. */
export function useConnectionForm() {
  const studio = useStudio();
  const queries = useQueryClient();
  const connection = useConnection();
  const [draft, setDraft] = useState<string | null>(null);
  const [addressFailure, setAddressFailure] = useState<Failure | null>(null);
  const [keyFailure, setKeyFailure] = useState<Failure | null>(null);
  const [isAskedFor, setIsAskedFor] = useState(false);
  const { data, isFetching, refetch } = useQuery(connectionReportQuery(studio, connection));

  /** Stores the address if it changed. Resolves with the connection, or null when there is no valid address. */
  const saveAddress = async (): Promise<ConnectionState | null> => {
    const typed = (draft ?? connection.serviceAddress).trim();
    if (typed === '') return null;
    if (typed === connection.serviceAddress) {
      setAddressFailure(null);
      return connection;
    }
    const answer = await studio.request('connection.setAddress', { serviceAddress: typed });
    if (!answer.ok) {
      setAddressFailure(answer.error);
      return null;
    }
    setAddressFailure(null);
    setDraft(null);
    acceptConnection(queries, studio, answer.value);
    return answer.value;
  };
  const askKey = async (method: KeyRequest) => {
    setKeyFailure(null);
    const answer = await studio.request(method, {});
    if (answer.ok) {
      acceptConnection(queries, studio, answer.value);
      await queries.invalidateQueries({ queryKey: ['connection-report'] });
    } else setKeyFailure(answer.error);
  };
  const enterKey = async () => {
    setKeyFailure(null);
    const answer = await studio.request('connection.enterKey', {});
    if (!answer.ok) setKeyFailure(answer.error);
  };
  const check: CheckState = isFetching
    ? { tag: 'checking' }
    : data
      ? { tag: 'checked', report: data }
      : { tag: 'idle' };

  return {
    connection,
    address: draft ?? connection.serviceAddress,
    setAddress: (text: string) => {
      setDraft(text);
      setAddressFailure(null);
    },
    addressFailure,
    keyFailure,
    /** True once the user tried to continue with something missing; the fields then say what they need. */
    isAskedFor,
    askFor: () => {
      setIsAskedFor(true);
    },
    check,
    checkAgain: () => void refetch(),
    saveAddress,
    enterKey,
    askKey,
    /** Moves a key of the legacy API to its own entry; the result is shown at the key. */
    adoptLegacy: () => void askKey('legacyKey.adopt'),
  };
}

export type ConnectionFormState = ReturnType<typeof useConnectionForm>;

/** The free reads for the stored address and key; repeated when either changes. */
export const connectionReportQuery = (studio: StudioClient, { serviceAddress, key }: ConnectionState) =>
  queryOptions({
    queryKey: ['connection-report', serviceAddress, key.present, key.maskedSuffix, key.store],
    queryFn: () => valueOrThrow(studio.request('connection.check', { serviceAddress: '' })),
    enabled: serviceAddress !== '',
    staleTime: 60_000,
    retry: false,
  });

/** Completes the first screen, or switches between the service and practice. */
export function useChooseMode() {
  const studio = useStudio();
  const queries = useQueryClient();
  const [isChoosing, setIsChoosing] = useState(false);
  const { serviceAddress, key } = useConnection();
  const now = JSON.stringify([serviceAddress, key.present, key.maskedSuffix]);
  const [failedWith, setFailedWith] = useState(now);
  const [failure, setFailure] = useState<Failure | null>(null);
  // A failure is about the address and key of its time.
  if (failedWith !== now) {
    setFailedWith(now);
    setFailure(null);
  }
  const choose = async (mode: ModeId) => {
    setIsChoosing(true);
    setFailure(null);
    const answer = await studio.request('connection.choose', { mode });
    if (answer.ok) {
      acceptConnection(queries, studio, answer.value);
      await queries.invalidateQueries({ queryKey: ['jobs'] });
    } else setFailure(answer.error);
    setIsChoosing(false);
  };
  return { choose, isChoosing, failure };
}
