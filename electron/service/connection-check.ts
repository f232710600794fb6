import { parseGuardedJson } from '../../shared/domain/failures/guarded-json.ts';
import {
  explainBeforeSending,
  listAccess,
  readPermissions,
  type Product,
} from '../../shared/domain/permissions/permission-map.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { endpoints, type Endpoint } from './endpoints.ts';
import type { Connection } from './connection.ts';
import { Secret } from '../secret/secret.ts';
import type { Call, HttpCore } from './http.ts';

export interface ConnectionReport {
  readonly service: 'reached' | 'not-reached' | 'not-this-service';
  readonly key: 'accepted' | 'refused' | 'missing' | 'not-checked' | 'legacy-generation';
  readonly products: ReturnType<typeof listAccess>;
  readonly clockOffsetMs: number | null;
  readonly failure: Failure | null;
}

export interface ConnectionCheckInput {
  readonly kind: Connection['kind'];
  readonly baseUrl: string;
  readonly key: Secret | null;
  readonly signal?: AbortSignal;
}

type Reading =
  | { readonly tag: 'answered' }
  | { readonly tag: 'no-json' }
  | { readonly tag: 'failed'; readonly failure: Failure };

interface FreeRead {
  readonly product: Product;
  readonly endpoint: Endpoint;
}

/** One free read for each product that has one. Dictation has none: its access shows only with the first ticket. */
const freeReads: readonly FreeRead[] = [
  { product: 'transcribe', endpoint: endpoints['stt.list'] },
  { product: 'speak', endpoint: endpoints['speak.languages'] },
  { product: 'isolate', endpoint: endpoints['isolate.list'] },
  { product: 'voices', endpoint: endpoints['voices.list'] },
  { product: 'ask', endpoint: endpoints['ask.models'] },
];

/** Free reads only. The first decides, so a wrong address costs one request and a wrong key two. */
export async function checkConnection(core: HttpCore, input: ConnectionCheckInput): Promise<ConnectionReport> {
  const { baseUrl, kind, key, signal } = input;
  // Without a key the service still answers in its own envelope, which is all that is checked then.
  const connection: Connection = { kind, baseUrl, key: key ?? new Secret('') };
  const checked = core.over(() => connection);
  // A check is meant to show the current state, also while a service in trouble is being left alone.
  checked.allowProbe();
  const report = await ask(checked, key, signal);
  const isLegacy = report.key === 'refused' && (await checkLegacyKey(core, input)) === 'accepted';
  return {
    ...report,
    ...(isLegacy ? { key: 'legacy-generation' as const, failure: null } : {}),
    clockOffsetMs: checked.clockOffsetMs(),
  };
}

type Findings = Omit<ConnectionReport, 'clockOffsetMs'>;

async function ask(core: HttpCore, key: Secret | null, signal: AbortSignal | undefined): Promise<Findings> {
  const [first, ...others] = freeReads;
  if (first === undefined) return report('not-reached', 'not-checked', []);
  // Sent once: a user is waiting, and a wrong address stays wrong.
  const reading = await read(core, first.endpoint, key !== null, 'once', signal);
  const early = endEarly(reading, key);
  if (early !== null) return early;

  const rest = await Promise.all(others.map(({ endpoint }) => read(core, endpoint, true, 'interactive', signal)));
  const readings = [reading, ...rest];
  const ends = [first, ...others].flatMap(({ product, endpoint: { permission } }, at) => {
    const end = readings[at];
    if (end === undefined || end.tag === 'no-json') return [];
    return [{ product, permission, failure: end.tag === 'failed' ? end.failure : null }];
  });
  return report('reached', 'accepted', listAccess(readPermissions(ends)), worthTelling(readings));
}

/** One free read; null: there is no key to check. */
export async function checkLegacyKey(
  core: HttpCore,
  { baseUrl, kind, key, signal }: ConnectionCheckInput,
): Promise<'accepted' | 'refused' | 'not-checked' | null> {
  if (key === null) return null;
  const checked = core.over(() => ({ kind, baseUrl, key, legacyKey: key }));
  const reading = await read(checked, endpoints['legacy.stt.list'], true, 'once', signal);
  if (reading.tag === 'answered') return 'accepted';
  const status = reading.tag === 'failed' ? reading.failure.status : undefined;
  return status === 401 || status === 403 ? 'refused' : 'not-checked';
}

/** One free read; null: nothing speaks against it. */
export async function readProductAccess(
  core: HttpCore,
  product: Product,
  signal?: AbortSignal,
): Promise<Failure | null> {
  const endpoint = freeReads.find((one) => one.product === product)?.endpoint;
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
    ...(endpoint.path.endsWith('/transcriptions') ? { query: { limit: 1 } } : {}),
    ...(endpoint.credential === 'legacy-key' ? { query: { page: 1, limit: 1 } } : {}),
    attempts,
    signal,
  });
  if (!reply.ok) return { tag: 'failed', failure: reply.error };
  const json = parseGuardedJson(reply.value.text);
  return { tag: json.isJson && typeof json.value === 'object' && json.value !== null ? 'answered' : 'no-json' };
}

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
  const isElsewhere = failure.status !== undefined && failure.status < 500 && failure.kind !== 'answer-truncated';
  return report(isElsewhere ? 'not-this-service' : 'not-reached', keyState, [], failure);
}

const isFromContract = ({ status = 0, envelope }: Failure): boolean =>
  status >= 400 && (['standard', 'llm', 'legacy'].includes(envelope) || (status === 401 && envelope === 'none'));

const isAnswerToKey = ({ kind, status }: Failure): boolean =>
  kind === 'permission-missing' || status === 402 || status === 404;

function worthTelling(readings: readonly Reading[]): Failure | null {
  const failed = readings.flatMap((reading) => (reading.tag === 'failed' ? [reading.failure] : []));
  return failed.find(({ kind }) => kind !== 'permission-missing' && kind !== 'not-offered') ?? null;
}

const report = (
  service: ConnectionReport['service'],
  key: ConnectionReport['key'],
  products: ConnectionReport['products'],
  failure: Failure | null = null,
): Findings => ({ service, key, products, failure });
