import { queryOptions } from '@tanstack/react-query';
import { valueOrThrow } from '../../bridge/request-error.ts';
import type { StudioClient } from '../../bridge/client.ts';
import type { ConnectionState } from '../../bridge/types.ts';

/** What free reads tell of the stored address and key; asked anew when either changes. */
export const connectionReportQuery = (studio: StudioClient, { serviceAddress, key }: ConnectionState) =>
  queryOptions({
    queryKey: ['connection-report', serviceAddress, key.present, key.maskedSuffix, key.store],
    queryFn: () => valueOrThrow(studio.request('connection.check', { serviceAddress: '' })),
    enabled: serviceAddress !== '',
    staleTime: 60_000,
    retry: false,
  });
