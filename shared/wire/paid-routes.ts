import { endpoints, type Endpoint, type EndpointName } from './endpoints.ts';
import { cleanId } from '../domain/failures/clean-text.ts';
import type { PaidReport } from '../domain/ledger/paid-action.ts';
import { asId, asJsonObject, pickFrom, unwrap, objectsIn, asCount, asDecimal, exactCredits } from './values.ts';

/** The unit a route is charged by (contract 8, billing rules); `free`: it costs nothing. */
export type Meter = 'characters' | 'audio' | 'tokens' | 'free';

/** Reads, changes and deletions are free. */
type MayCost = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { method: 'POST' } | { transport: 'websocket' }
    ? Name
    : never;
}[EndpointName];

/** The unit of every other route: a new one without it is a compiler error. */
const meters: Readonly<Partial<Record<EndpointName, Meter>>> = {
  'account.keys.create': 'free',
  'account.keys.revoke': 'free',
  'ask.complete': 'tokens',
  'ask.files.upload': 'free',
  'speak.generate': 'characters',
  'speak.stream': 'characters',
  'stt.submit': 'audio',
  'realtime.ticket': 'free',
  'dictate.stream': 'audio',
  'isolate.submit': 'audio',
  'isolate.batch': 'audio',
  'isolate.exports.create': 'free',
  'webhooks.create': 'free',
  'webhooks.rotate': 'free',
  'webhooks.test': 'free',
  'webhooks.retry': 'free',
  'clone.upload': 'free',
  'clone.approve': 'free',
  'clone.verify': 'free',
  'clone.challenge': 'free',
  'legacy.speak.submit': 'characters',
  'legacy.speak.stream': 'characters',
  'legacy.speak.call': 'characters',
  'legacy.stt.submit': 'audio',
  'legacy.stt.submit-long': 'audio',
} satisfies Record<MayCost, Meter>;

/** What a route is charged by. */
export const meterOf = (name: EndpointName): Meter => meters[name] ?? 'free';

const paid = (Object.keys(meters) as EndpointName[])
  .filter((name) => meterOf(name) !== 'free')
  .map((name) => ({ name, ...endpoints[name] }));

/** The name of this paid route, or null for a free one. Matched by method and address. */
export const paidRoute = ({ transport, method, path }: Endpoint): EndpointName | null =>
  paid.find((row) => row.transport === transport && row.method === method && row.path === path)?.name ?? null;

const wrappers = [
  'voice_isolation',
  'isolation',
  'generation',
  'transcription',
  'request',
  'llm_request',
  'job',
  'file',
];
const idNames = ['transcription_id', 'generation_id', 'isolation_id', 'voice_isolation_id', 'id', 'task_id'];

/** What any answer of the service contains about its own cost, its id, and the id of the work. */
export function readReported(body: unknown) {
  const sources = unwrap(body).flatMap((source) => [source, ...objectsIn(source, wrappers)]);
  const places = sources.flatMap((source) => [...objectsIn(source, ['usage', 'billing']), source]);
  const report: PaidReport = {
    credits: exactCredits(places) ?? pickFrom(places, ['credits_debited'], asDecimal) ?? null,
    characters: pickFrom(places, ['characters', 'character_count'], asCount) ?? null,
    durationMs: pickFrom(places, ['duration_ms'], asCount) ?? null,
    inputTokens: pickFrom(places, ['prompt_tokens', 'input_tokens'], asCount) ?? null,
    outputTokens: pickFrom(places, ['completion_tokens', 'output_tokens'], asCount) ?? null,
  };
  const named = sources
    .flatMap((source) => objectsIn(source, wrappers))
    .filter((found) => asJsonObject(found) !== undefined);
  const remoteId = cleanId(pickFrom([...named, ...sources], idNames, asId)) ?? null;
  const requestId = cleanId(pickFrom(unwrap(body), ['request_id'], asId)) ?? null;
  return { requestId, remoteId, report: Object.values(report).every((value) => value === null) ? null : report };
}
