import { parseGuardedJson } from '../../../shared/domain/failures/guarded-json.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Endpoint, Product } from '../../../shared/wire/endpoint.ts';
import { endpoints } from '../../../shared/wire/endpoints.ts';
import { Secret, type Connection } from '../connection.ts';
import { openHttpCore, type ClientOptions } from '../core/client-options.ts';
import type { Call, HttpCore } from '../core/http-core.ts';

export interface ProductAccess {
  readonly product: Product;
  readonly access: 'allowed' | 'denied' | 'unknown';
  /** The grant that is missing, for example `llm: read`. */
  readonly permission: string | null;
}

/** What free reads told of an address and a key; the same shape as `connectionReport` of the page's contract. */
export interface ConnectionReport {
  readonly service: 'reached' | 'not-reached' | 'not-this-service';
  readonly key: 'accepted' | 'refused' | 'missing' | 'not-checked';
  readonly products: readonly ProductAccess[];
  readonly failure: Failure | null;
}

export interface ConnectionCheckInput extends Omit<ClientOptions, 'connection'> {
  readonly kind: Connection['kind'];
  /** Origin and optional path prefix, as `Connection.baseUrl`. */
  readonly baseUrl: string;
  /** Null: only the address is checked. */
  readonly key: Secret | null;
  readonly signal?: AbortSignal;
}

interface FreeRead extends Endpoint {
  readonly product: Product;
}

/** One free read for each product that has one. Dictation has none: its access shows only with the first ticket. */
const freeReads: readonly FreeRead[] = [
  endpoints['stt.list'],
  endpoints['speak.languages'],
  endpoints['isolate.list'],
  endpoints['voices.list'],
  endpoints['ask.models'],
];

type Reading =
  | { readonly tag: 'answered' }
  | { readonly tag: 'no-json' }
  | { readonly tag: 'failed'; readonly failure: Failure };

/**
 * Asks an address with free reads who is there and what the key may do. Sends nothing that costs; stores nothing. The
 * first read decides whether to go on, so a wrong address or key costs one request.
 */
export async function checkConnection(input: ConnectionCheckInput): Promise<ConnectionReport> {
  const { baseUrl, kind, key, signal, ...client } = input;
  // Without a key the service still answers in its own way, which is all that is asked of it then.
  const connection: Connection = { kind, baseUrl, key: key ?? new Secret('') };
  const { core, close } = openHttpCore({ ...client, connection: () => connection });
  try {
    const [first, ...others] = freeReads;
    if (first === undefined) return report('not-reached', 'not-checked', []);
    // Asked once: a person is waiting, and an address that is wrong stays wrong.
    const reading = await read(core, first, key !== null, 'once', signal);
    const early = endEarly(reading, key);
    if (early !== null) return early;

    const rest = await Promise.all(others.map((endpoint) => read(core, endpoint, true, 'interactive', signal)));
    const readings = [reading, ...rest];
    const products = freeReads.map((endpoint, at) => accessOf(endpoint, readings[at]));
    return report('reached', 'accepted', [...products, dictation], worthTelling(readings));
  } finally {
    await close();
  }
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
    ...(endpoint === endpoints['stt.list'] ? { query: { limit: 1 } } : {}),
    attempts,
    signal,
  });
  if (!reply.ok) return { tag: 'failed', failure: reply.error };
  const json = parseGuardedJson(reply.value.text);
  return { tag: json.isJson && typeof json.value === 'object' && json.value !== null ? 'answered' : 'no-json' };
}

/** What the first read alone settles; null: the key was accepted and the products are worth asking for. */
function endEarly(reading: Reading, key: Secret | null): ConnectionReport | null {
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

/** A failure written in the service's own envelope: somebody there speaks the contract. */
const isFromContract = ({ status = 0, envelope }: Failure): boolean =>
  status >= 400 && (['standard', 'llm', 'older'].includes(envelope) || (status === 401 && envelope === 'none'));

/** Refusals that come after the key was recognised: a missing grant, credits, or a product that is not offered. */
const isAnswerToKey = ({ row, status }: Failure): boolean => row === 'E-037' || status === 402 || status === 404;

const dictation: ProductAccess = { product: 'dictate', access: 'unknown', permission: null };

function accessOf({ product, permission }: FreeRead, reading: Reading | undefined): ProductAccess {
  if (reading?.tag === 'answered') return { product, access: 'allowed', permission: null };
  const isDenied = reading?.tag === 'failed' && reading.failure.row === 'E-037';
  return isDenied ? { product, access: 'denied', permission } : { product, access: 'unknown', permission: null };
}

/** A missing grant is told by the products; anything else that went wrong is told once. */
function worthTelling(readings: readonly Reading[]): Failure | null {
  const failed = readings.flatMap((reading) => (reading.tag === 'failed' ? [reading.failure] : []));
  return failed.find(({ row }) => row !== 'E-037' && row !== 'E-039') ?? null;
}

const report = (
  service: ConnectionReport['service'],
  key: ConnectionReport['key'],
  products: readonly ProductAccess[],
  failure: Failure | null = null,
): ConnectionReport => ({ service, key, products, failure });
