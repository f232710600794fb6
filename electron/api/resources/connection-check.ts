import { parseGuardedJson } from '../../../shared/domain/failures/guarded-json.ts';
import {
  explainBeforeSending,
  listAccess,
  readPermissions,
  type Product,
} from '../../../shared/domain/permissions/permission-map.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Endpoint } from '../../../shared/wire/endpoint.ts';
import { defaultWireTable, type WireTable } from '../../../shared/wire/wire-table.ts';
import type { Connection } from '../connection.ts';
import { Secret } from '../../secret/secret.ts';
import type { Call } from '../http/call.ts';
import type { HttpCore } from '../http/http-core.ts';

/** What free reads revealed about an address and a key; same shape as `connectionReport` of the IPC contract. */
export interface ConnectionReport {
  readonly service: 'reached' | 'not-reached' | 'not-this-service';
  /** `legacy-generation`: refused by the current routes and accepted by those of the legacy API. */
  readonly key: 'accepted' | 'refused' | 'missing' | 'not-checked' | 'legacy-generation';
  readonly products: ReturnType<typeof listAccess>;
  /** The clock of the service minus ours, milliseconds; null when the service sent no time. */
  readonly clockOffsetMs: number | null;
  readonly failure: Failure | null;
}

export interface ConnectionCheckInput {
  readonly kind: Connection['kind'];
  /** Origin and optional path prefix, as `Connection.baseUrl`. */
  readonly baseUrl: string;
  /** Null: only the address is checked. */
  readonly key: Secret | null;
  readonly wire?: WireTable;
  readonly signal?: AbortSignal;
}

type Reading =
  | { readonly tag: 'answered' }
  | { readonly tag: 'no-json' }
  | { readonly tag: 'failed'; readonly failure: Failure };

interface FreeRead extends Endpoint {
  readonly product: Product;
}

/** One free read for each product that has one. Dictation has none: its access shows only with the first ticket. */
const freeReads = ({ endpoints }: WireTable): readonly FreeRead[] =>
  (['stt.list', 'speak.languages', 'isolate.list', 'voices.list', 'ask.models'] as const).map(
    (name) => endpoints[name] as FreeRead,
  );

/**
 * Finds out with free reads what answers at an address and what the key may do. Sends nothing that costs and stores
 * nothing. The first read decides whether to go on, so a wrong address costs one request and a wrong key two: the
 * second tries the key on the legacy API, with that API's header.
 */
export async function checkConnection(core: HttpCore, input: ConnectionCheckInput): Promise<ConnectionReport> {
  const { baseUrl, kind, key, wire = defaultWireTable, signal } = input;
  // Without a key the service still answers in its own envelope, which is all that is checked then.
  const connection: Connection = { kind, baseUrl, key: key ?? new Secret('') };
  const checked = core.over(() => connection);
  // A check is meant to show the current state, also while a service in trouble is being left alone.
  checked.allowProbe();
  const report = await ask(checked, wire, key, signal);
  const isLegacy = report.key === 'refused' && (await checkLegacyKey(core, { ...input, wire })) === 'accepted';
  return {
    ...report,
    ...(isLegacy ? { key: 'legacy-generation' as const, failure: null } : {}),
    clockOffsetMs: checked.clockOffsetMs(),
  };
}

type Findings = Omit<ConnectionReport, 'clockOffsetMs'>;

async function ask(
  core: HttpCore,
  wire: WireTable,
  key: Secret | null,
  signal: AbortSignal | undefined,
): Promise<Findings> {
  const [first, ...others] = freeReads(wire);
  if (first === undefined) return report('not-reached', 'not-checked', []);
  // Sent once: a user is waiting, and a wrong address stays wrong.
  const reading = await read(core, first, key !== null, 'once', signal);
  const early = endEarly(reading, key);
  if (early !== null) return early;

  const rest = await Promise.all(others.map((endpoint) => read(core, endpoint, true, 'interactive', signal)));
  const readings = [reading, ...rest];
  const ends = [first, ...others].flatMap(({ product, permission }, at) => {
    const end = readings[at];
    if (end === undefined || end.tag === 'no-json') return [];
    return [{ product, permission, failure: end.tag === 'failed' ? end.failure : null }];
  });
  return report('reached', 'accepted', listAccess(readPermissions(ends)), worthTelling(readings));
}

/**
 * Whether the legacy routes accept the key that was entered for them, by one free read; null: there is none to check.
 */
export async function checkLegacyKey(
  core: HttpCore,
  { baseUrl, kind, key, wire = defaultWireTable, signal }: ConnectionCheckInput,
): Promise<'accepted' | 'refused' | 'not-checked' | null> {
  if (key === null) return null;
  const checked = core.over(() => ({ kind, baseUrl, key, legacyKey: key }));
  const reading = await read(checked, wire.endpoints['legacy.stt.list'], true, 'once', signal);
  if (reading.tag === 'answered') return 'accepted';
  const status = reading.tag === 'failed' ? reading.failure.status : undefined;
  return status === 401 || status === 403 ? 'refused' : 'not-checked';
}

/**
 * Whether the key in use may fetch the results of what it starts, by one free read; null: nothing speaks against it.
 */
export async function readProductAccess(
  core: HttpCore,
  wire: WireTable,
  product: Product,
  signal?: AbortSignal,
): Promise<Failure | null> {
  const endpoint = freeReads(wire).find((one) => one.product === product);
  if (endpoint === undefined) return null;
  const reading = await read(core, endpoint, true, 'once', signal);
  const failure = reading.tag === 'failed' ? reading.failure : null;
  const map = readPermissions([{ product, permission: endpoint.permission, failure }]);
  return explainBeforeSending(map, product);
}

async function read(
  core: HttpCore,
  endpoint: Endpoint,
  sendsKey: boolean,
  attempts: Call['attempts'],
  signal?: AbortSignal,
): Promise<Reading> {
  const reply = await core.call({
    endpoint: sendsKey ? endpoint : { ...endpoint, credential: 'none' },
    target: 'route',
    ...(endpoint.path.endsWith('/transcriptions') ? { query: { limit: 1 } } : {}),
    ...(endpoint.credential === 'legacy-key' ? { query: { page: 1, limit: 1 } } : {}),
    attempts,
    signal,
  });
  if (!reply.ok) return { tag: 'failed', failure: reply.error };
  const json = parseGuardedJson(reply.value.text);
  return { tag: json.isJson && typeof json.value === 'object' && json.value !== null ? 'answered' : 'no-json' };
}

/** The report when the first read settles it; null: the key was accepted and the products are worth checking. */
function endEarly(reading: Reading, key: Secret | null): Findings | null {
  const keyState = key === null ? 'missing' : 'not-checked';
  if (reading.tag === 'no-json') return report('not-this-service', keyState, []);
  if (reading.tag === 'answered') return key === null ? report('reached', 'missing', []) : null;
  const { failure } = reading;
  if (isFromContract(failure)) {
    if (key === null) return report('reached', 'missing', []);
    if (failure.status === 401) return report('reached', 'refused', [], failure);
    if (isAnswerToKey(failure)) return null;
    return report('reached', 'not-checked', [], failure);
  }
  const isElsewhere = failure.status !== undefined && failure.status < 500 && failure.row !== 'E-015';
  return report(isElsewhere ? 'not-this-service' : 'not-reached', keyState, [], failure);
}

/** A failure in the service's own envelope: whatever answers there implements the contract. */
const isFromContract = ({ status = 0, envelope }: Failure): boolean =>
  status >= 400 && (['standard', 'llm', 'legacy'].includes(envelope) || (status === 401 && envelope === 'none'));

/** Refusals that come after the key was recognised: a missing grant, credits, or a product that is not offered. */
const isAnswerToKey = ({ row, status }: Failure): boolean => row === 'E-037' || status === 402 || status === 404;

/** Missing grants show in the list of products; any other failure is reported once. */
function worthTelling(readings: readonly Reading[]): Failure | null {
  const failed = readings.flatMap((reading) => (reading.tag === 'failed' ? [reading.failure] : []));
  return failed.find(({ row }) => row !== 'E-037' && row !== 'E-039') ?? null;
}

const report = (
  service: ConnectionReport['service'],
  key: ConnectionReport['key'],
  products: ConnectionReport['products'],
  failure: Failure | null = null,
): Findings => ({ service, key, products, failure });
