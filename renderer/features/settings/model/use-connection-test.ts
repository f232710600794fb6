import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { ConnectionReport, ConnectionState } from '../../../bridge/types.ts';
import { connectionReportQuery } from '../../../parts/connection/use-connection-form.ts';

/** A test with its input: the report stays valid while address and key change below it. */
export interface TestedConnection {
  readonly atMs: number;
  readonly serviceAddress: string;
  readonly isOnline: boolean;
  /** Null when the address was invalid; `failure` then has the reason. */
  readonly report: ConnectionReport | null;
  readonly failure: Failure | null;
}

/** Asks the service on each press; the form above shows the same answer. */
export function useConnectionTest() {
  const studio = useStudio();
  const queries = useQueryClient();
  const [isTesting, setIsTesting] = useState(false);
  const [tested, setTested] = useState<TestedConnection | null>(null);
  const test = async (connection: ConnectionState) => {
    setIsTesting(true);
    const answer = await studio.request('connection.check', { serviceAddress: '' });
    if (answer.ok) queries.setQueryData(connectionReportQuery(studio, connection).queryKey, answer.value);
    setTested({
      atMs: Date.now(),
      serviceAddress: connection.serviceAddress,
      isOnline: connection.isOnline,
      report: answer.ok ? answer.value : null,
      failure: answer.ok ? answer.value.failure : answer.error,
    });
    setIsTesting(false);
  };
  return { test, isTesting, tested };
}
