import type { Endpoint } from './endpoint.ts';
import { endpoints, type EndpointName } from './endpoints.ts';

/** The unit a route is charged by (contract 8, billing rules); `free`: it costs nothing. */
export type Meter = 'characters' | 'audio' | 'tokens' | 'free';

/** The unit of every route: a new route without one is a compiler error. */
const meters = {
  'account.permissions': 'free',
  'account.scopes': 'free',
  'account.keys.create': 'free',
  'account.keys.list': 'free',
  'account.keys.update': 'free',
  'account.keys.revoke': 'free',
  'account.keys.remove': 'free',
  'usage.analytics': 'free',
  'usage.request-logs': 'free',
  'ask.models': 'free',
  'ask.complete': 'tokens',
  'ask.request': 'free',
  'ask.files.upload': 'free',
  'ask.files.list': 'free',
  'ask.files.read': 'free',
  'ask.files.remove': 'free',
  'speak.generate': 'characters',
  'speak.languages': 'free',
  'speak.list': 'free',
  'speak.read': 'free',
  'speak.remove': 'free',
  'speak.stream': 'characters',
  'voices.list': 'free',
  'stt.submit': 'audio',
  'stt.list': 'free',
  'stt.read': 'free',
  'stt.rename': 'free',
  'stt.save-editor': 'free',
  'stt.remove': 'free',
  'stt.export': 'free',
  'realtime.ticket': 'free',
  'dictate.stream': 'audio',
  'isolate.submit': 'audio',
  'isolate.batch': 'audio',
  'isolate.list': 'free',
  'isolate.read': 'free',
  'isolate.remove': 'free',
  'isolate.exports.create': 'free',
  'isolate.exports.read': 'free',
  'webhooks.create': 'free',
  'webhooks.list': 'free',
  'webhooks.read': 'free',
  'webhooks.update': 'free',
  'webhooks.remove': 'free',
  'webhooks.rotate': 'free',
  'webhooks.test': 'free',
  'webhooks.deliveries': 'free',
  'webhooks.retry': 'free',
  'clone.upload': 'free',
  'clone.approve': 'free',
  'clone.verify': 'free',
  'clone.challenge': 'free',
  'clone.read': 'free',
  'clone.capabilities': 'free',
  'clone.metadata.read': 'free',
  'clone.metadata.replace': 'free',
  'clone.remove': 'free',
  'legacy.speak.submit': 'characters',
  'legacy.speak.status': 'free',
  'legacy.speak.list': 'free',
  'legacy.speak.stream': 'characters',
  'legacy.speak.call': 'characters',
  'legacy.stt.submit': 'audio',
  'legacy.stt.list': 'free',
  'legacy.stt.audios': 'free',
  'legacy.stt.submit-long': 'audio',
  'legacy.stt.list-long': 'free',
  'legacy.stt.read-long': 'free',
} as const satisfies Readonly<Record<EndpointName, Meter>>;

/** What a route is charged by. */
export const meterOf = (name: EndpointName): Meter => meters[name];

const paid = (Object.keys(meters) as EndpointName[])
  .filter((name) => meters[name] !== 'free')
  .map((name) => ({ name, ...endpoints[name] }));

/**
 * The name of this paid route, or null for a free one. Matched by method and address: all of them are documented, so no
 * correction can hide one.
 */
export const paidRoute = ({ transport, method, path }: Endpoint): EndpointName | null =>
  paid.find((row) => row.transport === transport && row.method === method && row.path === path)?.name ?? null;
