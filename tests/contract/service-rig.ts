import { Secret } from '../../electron/secret/secret.ts';
import type { TransportLimits } from '../../electron/api/http/transport.ts';
import { openServiceClient, type ServiceClient } from '../../electron/api/service-client.ts';
import type { LogEntry } from '../../shared/domain/diagnostics/log-entry.ts';
import type { WireTable } from '../../shared/wire/wire-table.ts';
import { testKey } from './client-rig.ts';

/** A complete client as the app creates it, with its log. Retries are immediate. */
export function openService(
  baseUrl: string,
  more: { readonly limits?: Partial<TransportLimits>; readonly wire?: WireTable; readonly streamIdleMs?: number } = {},
): ServiceClient & { readonly lines: readonly LogEntry[] } {
  const lines: LogEntry[] = [];
  const client = openServiceClient({
    connection: () => ({
      kind: 'practice',
      baseUrl,
      key: new Secret(testKey),
      accessToken: new Secret('jwt_CANARY_0123456789abcdef'),
      legacyKey: new Secret('old_CANARY_0123456789abcdef'),
    }),
    log: { write: (entry) => void lines.push(entry) },
    allowsLoopbackHttp: true,
    random: () => 0,
    ...more,
  });
  return { ...client, lines };
}
