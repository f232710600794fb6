/** A key of the account in the form pages get (contract 2.1); null: not in the service's list. */
export interface KeyView {
  readonly id: string;
  readonly name: string | null;
  readonly maskedKey: string | null;
  readonly prefix: string | null;
  readonly permissions: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
  readonly enabled: boolean;
  readonly createdAt: string | null;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly leakedAt: string | null;
  readonly isRestricted: boolean | null;
  readonly creditLimit: number | null;
  readonly allowedIps: readonly string[] | null;
  readonly disablesIfLeaked: boolean | null;
}

export type KeyState = 'active' | 'disabled' | 'revoked' | 'expired' | 'leaked';

export function keyStateOf(
  { enabled, revokedAt, expiresAt, leakedAt }: Pick<KeyView, 'enabled' | 'revokedAt' | 'expiresAt' | 'leakedAt'>,
  nowMs: number,
): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (leakedAt !== null && !enabled) return 'leaked';
  if (!enabled) return 'disabled';
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? 'expired' : 'active';
}

export interface PermissionView {
  readonly id: string;
  readonly name: string | null;
  readonly levels: readonly string[];
  /** Planned ones grant nothing. */
  readonly isImplemented: boolean;
}

/** One request with a developer key (contract 2.5); never its content. */
export interface LogEntryView {
  readonly requestId: string | null;
  readonly at: string | null;
  readonly method: string | null;
  readonly route: string | null;
  readonly status: number | null;
  readonly latencyMs: number | null;
  readonly requestBytes: number | null;
  readonly responseBytes: number | null;
  readonly keyId: string | null;
  readonly keyPrefix: string | null;
  readonly usage: {
    readonly product: string | null;
    readonly operation: string | null;
    readonly characters: number | null;
    readonly durationMs: number | null;
    readonly credits: string | null;
    readonly isBillable: boolean | null;
    readonly firstByteMs: number | null;
    /** Millionths of the currency. */
    readonly costMicros: number | null;
    readonly currency: string | null;
  } | null;
}

export const logPeriods = [1, 7, 30, 90] as const;
export type LogPeriod = (typeof logPeriods)[number];
export const logMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export interface LogFilterView {
  readonly days: LogPeriod;
  readonly status: number | null;
  readonly method: (typeof logMethods)[number] | null;
  readonly route: string | null;
  readonly keyId: string | null;
  readonly isFailedOnly: boolean;
  /** Without the requests that only look something up, most of which the app itself sends. */
  readonly hidesReads: boolean;
  readonly text: string;
}

export function isWanted(
  { status, method, route, requestId }: Pick<LogEntryView, 'status' | 'method' | 'route' | 'requestId'>,
  { isFailedOnly, hidesReads, text }: Pick<LogFilterView, 'isFailedOnly' | 'hidesReads' | 'text'>,
): boolean {
  if (hidesReads && method === 'GET') return false;
  if (isFailedOnly && (status === null || status < 400)) return false;
  const sought = text.trim().toLowerCase();
  return sought === '' || [route, requestId].some((value) => value?.toLowerCase().includes(sought) === true);
}

/** The facts about a request that support needs, as lines to paste: none of them is secret. */
export function supportLines(entry: LogEntryView): string {
  const lines: readonly (readonly [string, string | number | null])[] = [
    ['request_id', entry.requestId],
    ['time', entry.at],
    ['request', entry.method === null || entry.route === null ? null : `${entry.method} ${entry.route}`],
    ['status', entry.status],
    ['latency_ms', entry.latencyMs],
    ['first_byte_ms', entry.usage?.firstByteMs ?? null],
    ['request_bytes', entry.requestBytes],
    ['response_bytes', entry.responseBytes],
    ['api_key_id', entry.keyId],
    ['product', entry.usage?.product ?? null],
    ['operation', entry.usage?.operation ?? null],
    ['credits', entry.usage?.credits ?? null],
  ];
  return lines.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])).join('\n');
}
