import type { EndpointName } from './endpoints.ts';
import { isJsonObject, unwrap, type JsonObject } from './json-access.ts';

/** The type of a documented field; with `?` it may also be null or missing. */
type FieldKind = 'text' | 'number' | 'flag' | 'list' | 'object' | 'time' | 'seconds';
type Field = readonly [place: string, kind: FieldKind | `${FieldKind}?`];

const fields = (kind: Field[1], ...places: readonly string[]): readonly Field[] =>
  places.map((place) => [place, kind] as const);
const inside = (prefix: string, list: readonly Field[]): readonly Field[] =>
  list.map(([place, kind]) => [`${prefix}.${place}`, kind] as const);

const requestId = fields('text', 'request_id');
const catalogEntry = fields('text', 'id', 'name', 'description');
const listedKey = [
  ...fields('text', 'id', 'name', 'masked_key'),
  ...fields('object', 'permissions'),
  ...fields('flag', 'enabled'),
  ...fields('time', 'created_at'),
  ...fields('time?', 'expires_at', 'revoked_at'),
];
const key = [...listedKey, ...fields('text', 'prefix'), ...fields('list', 'scopes', 'allowed_ips')];
const logItem = [
  ...fields('text', 'request_id', 'method', 'route', 'api_key_id', 'api_key_prefix'),
  ...fields('time', 'timestamp'),
  ...fields('number', 'status_code', 'latency_ms', 'request_bytes', 'response_bytes'),
  ...fields('object?', 'usage'),
];
const llmFile = [
  ...fields('text', 'id', 'object', 'filename', 'purpose'),
  ...fields('number', 'bytes'),
  ...fields('seconds', 'created_at', 'expires_at'),
];
const webhook = [
  ...fields('text', 'id', 'url', 'secret_suffix'),
  ...fields('list', 'event_types'),
  ...fields('flag', 'enabled'),
  ...fields('number', 'revision'),
  ...fields('time', 'created_at', 'updated_at'),
  ...fields('time?', 'disabled_at'),
];
const delivery = [
  ...fields('text', 'id', 'event_id', 'event_type', 'status'),
  ...fields('number', 'attempt_count'),
  ...fields('number?', 'response_status'),
  ...fields('time', 'created_at', 'updated_at'),
  ...fields('time?', 'delivered_at', 'next_attempt_at'),
];
const pagination = inside('pagination', [
  ...fields('number', 'total', 'total_pages', 'page', 'page_size'),
  ...fields('flag', 'has_next', 'has_previous'),
  ...fields('number?', 'next_page', 'previous_page'),
]);
const enrollment = [
  ...inside('voice_clone', [
    ...fields('text', 'id', 'status', 'language', 'reference_transcript', 'verification_status'),
    ...fields('number', 'verification_attempts'),
    ...fields('flag', 'public_requested'),
    ...fields('time', 'created_at', 'updated_at'),
  ]),
  ...fields('object?', 'labels'),
  ...fields('flag', 'remove_noise'),
  ...requestId,
];
const oneWebhook = [...inside('webhook', webhook), ...requestId];
const oneDelivery = [...inside('delivery', delivery), ...requestId];

/** The documented fields of answers, as far as the contract shows them (contract 2 and 4). */
export const documentedShapes: Readonly<Partial<Record<EndpointName, readonly Field[]>>> = {
  'account.keys.create': [...key, ...fields('text', 'secret')],
  'account.keys.update': key,
  'usage.analytics': [
    ...inside('period', [...fields('time', 'from', 'to'), ...fields('text', 'timezone', 'granularity')]),
    ...inside('summary', [
      ...fields('number', 'total_requests', 'successful_requests', 'failed_requests', 'success_rate'),
      ...fields('number', 'average_latency_ms', 'total_characters', 'total_duration_ms', 'total_credits'),
      ...fields('number', 'billable_requests', 'total_cost_micros'),
      ...fields('text', 'currency'),
    ]),
    ...fields('list', 'series', 'product_usage'),
    ...inside('status_codes[]', [...fields('text', 'key'), ...fields('number', 'value')]),
    ...inside('top_routes[]', [...fields('text', 'key'), ...fields('number', 'value')]),
    ...requestId,
  ],
  'usage.request-logs': [
    ...inside('items[]', logItem),
    ...fields('text?', 'next_cursor'),
    ...fields('object', 'period'),
    ...requestId,
  ],
  'ask.files.upload': llmFile,
  'ask.files.read': llmFile,
  'ask.files.list': [
    ...inside('data[]', llmFile),
    ...fields('text', 'object', 'first_id', 'last_id'),
    ...fields('flag', 'has_more'),
  ],
  'ask.files.remove': [...fields('text', 'id', 'object'), ...fields('flag', 'deleted')],
  'realtime.ticket': [
    ...fields('text', 'ticket', 'service', 'transport', 'websocket_url'),
    ...fields('time', 'expires_at'),
    ...requestId,
  ],
  'webhooks.create': [...oneWebhook, ...fields('text', 'secret')],
  'webhooks.read': oneWebhook,
  'webhooks.update': oneWebhook,
  'webhooks.rotate': [...oneWebhook, ...fields('text', 'secret')],
  'webhooks.list': [...inside('webhooks[]', webhook), ...pagination, ...requestId],
  'webhooks.deliveries': [...inside('deliveries[]', delivery), ...pagination, ...requestId],
  'webhooks.test': oneDelivery,
  'webhooks.retry': oneDelivery,
  'clone.upload': enrollment,
  'clone.approve': enrollment,
  'clone.challenge': [...enrollment, ...fields('text', 'voice_clone.challenge_text')],
  'clone.read': enrollment,
  'clone.verify': [...enrollment, ...fields('number', 'score')],
  'clone.capabilities': [
    ...fields('flag', 'eligible', 'available'),
    ...fields('number', 'min_seconds', 'max_seconds', 'max_bytes'),
  ],
  'account.permissions': inside('permissions[]', [
    ...catalogEntry,
    ...fields('list', 'levels'),
    ...fields('flag', 'implemented'),
  ]),
  'account.scopes': inside('scopes[]', catalogEntry),
  'account.keys.list': inside('keys[]', listedKey),
  'legacy.speak.status': [...fields('text', 'id', 'status'), ...fields('text?', 'audio_path', 'task_id')],
  'legacy.stt.read-long': [...fields('text', 'id', 'status'), ...fields('text?', 'transcript')],
};

/** Lists whose field name is undocumented: entries are searched in any list. */
const unnamedLists = new Set<EndpointName>(['account.permissions', 'account.scopes', 'account.keys.list']);

/**
 * Paths of the documented fields that an answer lacks, or has with another type; empty for an undocumented answer. The
 * first entry of a list stands for all. A wrapper around the whole makes no difference.
 */
export function findDrift(name: EndpointName, body: unknown): readonly string[] {
  const shape = documentedShapes[name];
  if (shape === undefined) return [];
  const roots = unwrap(Array.isArray(body) ? { data: body } : body);
  if (roots.length === 0) return ['body'];
  const found = shape.filter(([place, kind]) => !roots.some((root) => isAsSaid(root, place.split('.'), kind, name)));
  return found.map(([place]) => place.replaceAll('[]', ''));
}

function isAsSaid(
  source: unknown,
  [step = '', ...rest]: readonly string[],
  kind: Field[1],
  name: EndpointName,
): boolean {
  if (!isJsonObject(source)) return false;
  const key = step.replace('[]', '');
  const own = Object.hasOwn(source, key) ? source[key] : undefined;
  const value = own === undefined && step.endsWith('[]') && unnamedLists.has(name) ? anyList(source) : own;
  if (rest.length === 0) return isOfKind(value, kind);
  if (!step.endsWith('[]')) return isAsSaid(value, rest, kind, name);
  if (!Array.isArray(value)) return false;
  const [first]: readonly unknown[] = value;
  return first === undefined || isAsSaid(first, rest, kind, name);
}

const anyList = (source: JsonObject): unknown => Object.values(source).find((value) => Array.isArray(value));

function isOfKind(value: unknown, kind: Field[1]): boolean {
  if (value === undefined || value === null) return kind.endsWith('?');
  switch (kind.replace('?', '') as FieldKind) {
    case 'text':
      return typeof value === 'string';
    case 'time':
      return typeof value === 'string' && Number.isFinite(Date.parse(value));
    case 'number':
    case 'seconds':
      return typeof value === 'number' && Number.isFinite(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
  }
}
