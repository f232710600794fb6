import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import {
  digest,
  found,
  json,
  newId,
  noContent,
  pageOf,
  problem,
  readJson,
  refuse,
  Refusal,
  route,
  singleHeader,
  type Answer,
  type Exchange,
  type Route,
} from './http.ts';
import type { Services } from './services.ts';
import { get, wire, type State } from './state.ts';

const readAndWrite = ['none', 'read', 'write', 'access'] as const;
const allOrNothing = ['none', 'access'] as const;

/** The permissions of contract 2.2; `voices` has the levels that cloning uses as well. */
const permissions = {
  text_to_speech: { name: 'Text to speech', description: 'Speech from text, and its history', levels: readAndWrite },
  tts_realtime: { name: 'Realtime text to speech', description: 'Speech as a stream', levels: allOrNothing },
  speech_to_text: { name: 'Speech to text', description: 'Saved transcriptions', levels: readAndWrite },
  stt_realtime: { name: 'Realtime speech to text', description: 'Dictation as a stream', levels: allOrNothing },
  audio_isolation: { name: 'Voice isolation', description: 'Noise taken out of recordings', levels: readAndWrite },
  llm: { name: 'Language models', description: 'Models, completions and files for them', levels: readAndWrite },
  voices: { name: 'Voices', description: 'The catalogue of voices, and voices of your own', levels: readAndWrite },
  webhooks: { name: 'Webhooks', description: 'Events told to an address of yours', levels: allOrNothing },
} as const;
type PermissionId = keyof typeof permissions;
const permissionIds = Object.keys(permissions) as [PermissionId, ...PermissionId[]];

/** `access` is reading and writing together, or all there is for a realtime product. */
type Level = (typeof readAndWrite)[number];
type Granted = Readonly<Partial<Record<PermissionId, Level>>>;
export type Need = `${PermissionId}:${Exclude<Level, 'none'>}`;

/** Writing does not include reading: a key that only writes sees no status. */
function isGranted(granted: Granted, need: Need): boolean {
  const [id, level] = need.split(':') as [PermissionId, Level];
  return granted[id] === level || granted[id] === 'access';
}

/** Whether a key may do what a route needs. */
export const grants = ({ restrictKey, permissions: granted }: ApiKey, need: Need): boolean =>
  !restrictKey || isGranted(granted, need);

/** The scopes of contract 2.3, and what each grants. */
const scopes = {
  'tts:read': 'text_to_speech:read',
  'tts:write': 'text_to_speech:write',
  'tts:realtime': 'tts_realtime:access',
  'stt:read': 'speech_to_text:read',
  'stt:write': 'speech_to_text:write',
  'stt:realtime': 'stt_realtime:access',
  'llm:read': 'llm:read',
  'llm:write': 'llm:write',
  'voices:read': 'voices:read',
  'audio_isolation:read': 'audio_isolation:read',
  'audio_isolation:write': 'audio_isolation:write',
  'webhooks:write': 'webhooks:access',
} as const satisfies Readonly<Record<string, Need>>;
type Scope = keyof typeof scopes;
const scopeIds = Object.keys(scopes) as [Scope, ...Scope[]];

/** What a list of scopes grants; two levels of one permission are `access`. */
function grantedBy(given: readonly Scope[]): Granted {
  const granted: Partial<Record<PermissionId, Level>> = {};
  for (const scope of given) {
    const [id, level] = scopes[scope].split(':') as [PermissionId, Level];
    granted[id] = (granted[id] ?? level) === level ? level : 'access';
  }
  return granted;
}

/** What the owner of a key chooses, as it is when nothing was chosen. `creditLimit` in credits. */
const newKeySettings = {
  name: '',
  permissions: {} as Granted,
  expiresAtMs: null as number | null,
  restrictKey: true,
  creditLimit: null as number | null,
  allowedIps: [] as readonly string[],
  autoDisableIfLeaked: true,
  enabled: true,
};
type KeySettings = typeof newKeySettings;

export interface ApiKey extends KeySettings {
  readonly seq: number;
  readonly id: string;
  readonly secretSha256: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAtMs: number;
  lastUsedAtMs: number | null;
  revokedAtMs: number | null;
}

/** 256 bits, with a prefix that shows people where the key belongs. */
export const mintSecret = (prefix = 'practice_'): string => `${prefix}${randomBytes(32).toString('base64url')}`;

const makeKey = (id: string, seq: number, settings: KeySettings, secret: string, createdAtMs: number): ApiKey => ({
  ...settings,
  seq,
  id,
  secretSha256: digest(secret),
  prefix: secret.slice(0, 13),
  lastFour: secret.slice(-4),
  createdAtMs,
  lastUsedAtMs: null,
  revokedAtMs: null,
});

/** The key that is handed to the process that started the service; each start renews it. */
export function renewOwnKey(state: State, secret: string, nowMs: number): void {
  delete state.keys['key_practice'];
  const all: Granted = Object.fromEntries(permissionIds.map((id) => [id, 'access']));
  const settings = { ...newKeySettings, name: 'Practice mode', permissions: all };
  state.keys['key_practice'] = makeKey('key_practice', (state.seq += 1), settings, secret, nowMs);
}

/** What pays for the legacy API: a key that no list shows. */
export const legacyCaller = makeKey('key_practice_older', 0, newKeySettings, mintSecret(), 0);

const isSecret = (sent: string | null, secret: string): boolean =>
  sent !== null && timingSafeEqual(Buffer.from(digest(sent)), Buffer.from(digest(secret)));

/** The key of the legacy API opens no other route, and no other key opens its routes. */
export const isLegacyKey = (sent: string | null, { legacyToken }: Services): boolean => isSecret(sent, legacyToken);

function refuseBearer(code: string, message: string): never {
  refuse(401, code, message, undefined, { 'www-authenticate': 'Bearer' });
}

const bearerOf = (request: IncomingMessage): string | null => {
  const header = singleHeader(request, 'authorization');
  return header === null ? null : (/^Bearer +(\S+)$/i.exec(header)?.[1] ?? '');
};

/** Why a known key can't be used now; null: it can. */
export function keyTrouble(key: ApiKey, nowMs: number): string | null {
  if (key.revokedAtMs !== null) return 'This key was revoked.';
  if (!key.enabled) return 'This key is disabled.';
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'This key has expired.' : null;
}

/** An empty list allows everybody. */
function isAllowedAddress(allowed: readonly string[], address: string): boolean {
  if (allowed.length === 0) return true;
  const list = new BlockList();
  for (const entry of allowed) {
    const [network = '', prefix] = entry.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(prefix), family);
  }
  // A dual-stack socket reports IPv4 callers as IPv6 addresses.
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

/** A key of the real service is rejected here with a clear message; nothing of it is stored or repeated. */
export function authenticate(request: IncomingMessage, services: Services, secret = bearerOf(request)): ApiKey {
  if (secret === null)
    return refuseBearer('invalid_api_key', 'Send the practice key as "Authorization: Bearer <key>".');
  // Searched by its hash, so that the timing reveals nothing about a secret.
  const hash = digest(secret);
  const key = Object.values(services.state.keys).find(({ secretSha256 }) => secretSha256 === hash);
  if (key === undefined)
    return refuseBearer(
      'invalid_api_key',
      'This is the practice service and it only knows the keys that it made itself. Keys of the real service and tokens of people do not belong here.',
    );
  const trouble = keyTrouble(key, services.now());
  if (trouble !== null) refuseBearer('invalid_api_key', `${trouble} This is the practice service.`);
  if (!isAllowedAddress(key.allowedIps, request.socket.remoteAddress ?? ''))
    refuse(403, 'ip_forbidden', 'This key may not be used from this address.');
  return key;
}

const jsonPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The sign-in of the one user of practice mode: a signed token, as at the real service. A developer key does not count as one. */
export function openSession(lifeMs: number, now: () => number) {
  const token = `${jsonPart({ alg: 'HS256', typ: 'JWT' })}.${jsonPart({ sub: 'practice' })}.${mintSecret('')}`;
  const expiresAtMs = now() + lifeMs;
  return {
    token,
    refuseOthers(request: IncomingMessage): void {
      if (!isSecret(bearerOf(request), token))
        refuseBearer('session_expired', 'Sign in to the practice account: keys are not accepted here.');
      if (now() >= expiresAtMs) refuseBearer('session_expired', 'The sign-in has expired.');
    },
  };
}

const notFound = problem(404, 'not_found', 'There is no key with this identifier.');

const asItem = ({
  id,
  name,
  enabled,
  createdAtMs,
  expiresAtMs,
  revokedAtMs,
  permissions: granted,
  ...key
}: ApiKey) => ({
  ...wire({ id, name, enabled, createdAtMs, expiresAtMs, revokedAtMs, permissions: granted }),
  masked_key: `${key.prefix}••••••••${key.lastFour}`,
});

function asDetail(key: ApiKey) {
  const { seq: _seq, secretSha256: _hash, lastFour: _end, ...shown } = key;
  const equal = scopeIds.filter((scope) => isGranted(key.permissions, scopes[scope]));
  return { ...wire(shown), ...asItem(key), scopes: equal, leaked_at: null };
}

function listPermissions(): Answer {
  const entries = permissionIds.map((id) => ({ id, ...permissions[id], implemented: true }));
  return json(200, { data: { permissions: entries } });
}

const listScopes = (): Answer =>
  json(200, { scopes: scopeIds.map((id) => ({ id, name: id, description: `Grants ${scopes[id]}` })) });

/** A level of `none` grants nothing and is not stored. */
const levels = z
  .strictObject(Object.fromEntries(permissionIds.map((id) => [id, z.enum(permissions[id].levels).optional()])))
  .transform((given): Granted => Object.fromEntries(Object.entries(given).filter(([, level]) => level !== 'none')));

const fields = {
  name: z
    .string()
    .min(1, 'must not be empty')
    .max(80, 'at most 80 characters')
    .refine((name) => name.trim() !== '' && !/\p{Cc}/u.test(name), { error: 'must be plain text' }),
  permissions: levels.optional(),
  scopes: z.array(z.enum(scopeIds)).optional(),
  expires_at: z.iso.datetime({ offset: true }).transform(Date.parse).nullable().optional(),
  restrict_key: z.boolean().optional(),
  credit_limit: z.int().min(0).nullable().optional(),
  allowed_ips: z
    .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'must be an address or a range' }))
    .max(100, 'at most 100 entries')
    .optional(),
  auto_disable_if_leaked: z.boolean().optional(),
};
const createBody = z.strictObject(fields);
const updateBody = z.strictObject({ ...fields, name: fields.name.optional(), enabled: z.boolean().optional() });

function wrong(field: string, message: string): never {
  refuse(400, 'validation_error', 'Some fields are not right.', { [field]: message });
}

function merge(known: KeySettings, body: z.output<typeof updateBody>, nowMs: number): KeySettings {
  const { permissions: given, scopes: listed, expires_at: expiresAtMs = known.expiresAtMs } = body;
  if (given !== undefined && listed !== undefined) wrong('scopes', 'must be absent when permissions are given');
  if (typeof body.expires_at === 'number' && body.expires_at <= nowMs) wrong('expires_at', 'must be in the future');
  return {
    name: body.name ?? known.name,
    permissions: given ?? (listed === undefined ? known.permissions : grantedBy(listed)),
    expiresAtMs,
    restrictKey: body.restrict_key ?? known.restrictKey,
    creditLimit: body.credit_limit === undefined ? known.creditLimit : body.credit_limit,
    allowedIps: body.allowed_ips ?? known.allowedIps,
    autoDisableIfLeaked: body.auto_disable_if_leaked ?? known.autoDisableIfLeaked,
    enabled: body.enabled ?? known.enabled,
  };
}

/** The only answer that holds the secret. */
async function createKey({ request }: Exchange, { state, save, now }: Services): Promise<Answer> {
  const settings = merge(newKeySettings, await readJson(request, createBody), now());
  const secret = mintSecret();
  const key = makeKey(newId('key'), (state.seq += 1), settings, secret, now());
  state.keys[key.id] = key;
  save();
  return json(201, { data: { key: asDetail(key), secret } });
}

function listKeys({ query }: Exchange, { state }: Services): Answer {
  const limits = { usual: 50, most: 100, cursorCode: 'invalid_pagination' };
  const { items, nextCursor } = pageOf(Object.values(state.keys), query, limits);
  return json(200, { data: { keys: items.map(asItem), next_cursor: nextCursor } });
}

async function updateKey({ request, id }: Exchange, { state, save, now }: Services): Promise<Answer> {
  const body = await readJson(request, updateBody);
  const key = found(get(state.keys, id), notFound);
  Object.assign(key, merge(key, body, now()));
  save();
  return json(200, { data: { key: asDetail(key) } });
}

/** Revoking again keeps the time of the first revocation. */
function revokeKey({ id }: Exchange, { state, save, now }: Services): Answer {
  found(get(state.keys, id), notFound).revokedAtMs ??= now();
  save();
  return noContent;
}

function deleteKey({ id }: Exchange, { state, save }: Services): Answer {
  found(get(state.keys, id), notFound);
  if (Object.values(state.charges).some(({ keyId }) => keyId === id))
    throw new Refusal(problem(409, 'api_key_in_use', 'Work was done with this key. Revoke it instead.'));
  delete state.keys[id];
  save();
  return noContent;
}

const account = '/api/v1/account';
const oneKey = `${account}/api-keys/:keyId`;

export const keyRoutes: readonly Route[] = [
  route('GET', `${account}/api-key-permissions`, listPermissions),
  route('GET', `${account}/api-key-scopes`, listScopes),
  route('POST', `${account}/api-keys`, createKey),
  route('GET', `${account}/api-keys`, listKeys),
  route('PATCH', oneKey, updateKey),
  route('POST', `${oneKey}/revoke`, revokeKey),
  route('DELETE', oneKey, deleteKey),
];
