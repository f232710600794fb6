import {
  newId,
  found,
  json,
  noContent,
  pageOf,
  problem,
  readJson,
  refuse,
  Refusal,
  singleHeader,
  unkeyed,
  type Answer,
  type Exchange,
  type Route,
} from './http.ts';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import {
  grantsOfScopes,
  permissionIds,
  permissions,
  scopeIds,
  scopes,
  scopesOfGrants,
  type Grants,
} from './permissions.ts';
import type { Services } from './services.ts';
import { get, type State } from './state.ts';

/** The settings of a key that its owner chooses. `creditLimit` in credits. */
interface KeySettings {
  name: string;
  permissions: Grants;
  expiresAtMs: number | null;
  restrictKey: boolean;
  creditLimit: number | null;
  allowedIps: readonly string[];
  autoDisableIfLeaked: boolean;
  enabled: boolean;
}

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

const newKeySettings: KeySettings = {
  name: '',
  permissions: {},
  expiresAtMs: null,
  restrictKey: true,
  creditLimit: null,
  allowedIps: [],
  autoDisableIfLeaked: true,
  enabled: true,
};

const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex');

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
export function renewOwnKey(state: State, secret: string, grants: Grants, nowMs: number): void {
  delete state.keys['key_practice'];
  const settings = { ...newKeySettings, name: 'Practice mode', permissions: grants };
  state.keys['key_practice'] = makeKey('key_practice', (state.seq += 1), settings, secret, nowMs);
}

/** What pays for the legacy API: a key that no list shows. */
export const legacyCaller = makeKey('key_practice_older', 0, newKeySettings, mintSecret(), 0);

/** The key of the legacy API opens no other route, and no other key opens its routes. */
export const isLegacyKey = (sent: string | null, { legacyToken }: Services): boolean =>
  sent !== null && timingSafeEqual(Buffer.from(digest(sent)), Buffer.from(digest(legacyToken)));

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

const isAddressOrRange = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
};

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

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The sign-in of the one user of practice mode: a signed token like the one of the real service. */
export function openSession(lifeMs: number, now: () => number) {
  const secret = randomBytes(32);
  const expiresAtMs = now() + lifeMs;
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({
    sub: 'practice',
    iat: Math.floor(now() / 1000),
    exp: Math.floor(expiresAtMs / 1000),
    jti: randomBytes(16).toString('base64url'),
  })}`;
  const signatureOf = (text: string): Buffer => createHmac('sha256', secret).update(text).digest();
  return {
    token: `${content}.${signatureOf(content).toString('base64url')}`,
    /** A developer key does not count as a sign-in. */
    refuseOthers(request: IncomingMessage): void {
      const token = bearerOf(request) ?? '';
      const cut = token.lastIndexOf('.');
      const given = Buffer.from(token.slice(cut + 1), 'base64url');
      const expected = signatureOf(token.slice(0, cut));
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        refuseBearer('session_expired', 'Sign in to the practice account: keys are not accepted here.');
      if (now() >= expiresAtMs) refuseBearer('session_expired', 'The sign-in has expired.');
    },
  };
}

const notFound = problem(404, 'not_found', 'There is no key with this identifier.');

const timestamp = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const asItem = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  masked_key: `${key.prefix}••••••••${key.lastFour}`,
  enabled: key.enabled,
  created_at: timestamp(key.createdAtMs),
  expires_at: timestamp(key.expiresAtMs),
  revoked_at: timestamp(key.revokedAtMs),
  permissions: key.permissions,
});

const asDetail = (key: ApiKey) => ({
  ...asItem(key),
  prefix: key.prefix,
  scopes: scopesOfGrants(key.permissions),
  last_used_at: timestamp(key.lastUsedAtMs),
  restrict_key: key.restrictKey,
  credit_limit: key.creditLimit,
  allowed_ips: key.allowedIps,
  auto_disable_if_leaked: key.autoDisableIfLeaked,
  leaked_at: null,
});

function listPermissions(_exchange: Exchange, { offered }: Services): Answer {
  const entries = permissionIds.map((id) => ({ id, ...permissions[id], implemented: offered.has(id) }));
  return json(200, { data: { permissions: entries } });
}

function listScopes(): Answer {
  const entries = scopeIds.map((id) => {
    const { permission, level } = scopes[id];
    return { id, name: id, description: `${permissions[permission].name}: ${level}` };
  });
  return json(200, { scopes: entries });
}

const grants = z
  .partialRecord(z.enum(permissionIds), z.enum(['none', 'read', 'write', 'access']))
  .superRefine((given, context) => {
    for (const id of permissionIds) {
      const level = given[id];
      const levels: readonly string[] = permissions[id].levels;
      if (level !== undefined && !levels.includes(level))
        context.addIssue({ code: 'custom', path: [id], message: `must be one of ${levels.join(', ')}` });
    }
  });

const fields = {
  name: z
    .string()
    .min(1, 'must not be empty')
    .max(80, 'at most 80 characters')
    .refine((name) => name.trim() !== '' && !/\p{Cc}/u.test(name), { error: 'must be plain text' }),
  permissions: grants.optional(),
  scopes: z.array(z.enum(scopeIds)).optional(),
  expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
  restrict_key: z.boolean().optional(),
  credit_limit: z.int().min(0).nullable().optional(),
  allowed_ips: z
    .array(z.string().refine(isAddressOrRange, { error: 'must be an address or a range in CIDR notation' }))
    .max(100, 'at most 100 entries')
    .optional(),
  auto_disable_if_leaked: z.boolean().optional(),
};
const createBody = z.strictObject(fields);
const updateBody = z.strictObject({ ...fields, name: fields.name.optional(), enabled: z.boolean().optional() });

function wrong(field: string, message: string): never {
  refuse(400, 'validation_error', 'Some fields are not right.', { [field]: message });
}

/** A level of `none` grants nothing and is not stored. */
const withoutNone = (given: z.output<typeof grants>): Grants =>
  Object.fromEntries(Object.entries(given).filter(([, level]) => level !== 'none'));

function merge(known: KeySettings, body: z.output<typeof updateBody>, nowMs: number): KeySettings {
  if (body.permissions !== undefined && body.scopes !== undefined)
    wrong('scopes', 'must be absent when permissions are given');
  const expiresAtMs = typeof body.expires_at === 'string' ? Date.parse(body.expires_at) : body.expires_at;
  if (typeof expiresAtMs === 'number' && expiresAtMs <= nowMs) wrong('expires_at', 'must be in the future');
  const granted = body.scopes === undefined ? known.permissions : grantsOfScopes(body.scopes);
  return {
    name: body.name ?? known.name,
    permissions: body.permissions === undefined ? granted : withoutNone(body.permissions),
    expiresAtMs: expiresAtMs === undefined ? known.expiresAtMs : expiresAtMs,
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
  found(get(state.keys, id), notFound);
  const body = await readJson(request, updateBody);
  // Read again, because the key may have been changed or deleted while the body came in.
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
  unkeyed('access-token', 'GET', `${account}/api-key-permissions`, listPermissions),
  unkeyed('access-token', 'GET', `${account}/api-key-scopes`, listScopes),
  unkeyed('access-token', 'POST', `${account}/api-keys`, createKey),
  unkeyed('access-token', 'GET', `${account}/api-keys`, listKeys),
  unkeyed('access-token', 'PATCH', oneKey, updateKey),
  unkeyed('access-token', 'POST', `${oneKey}/revoke`, revokeKey),
  unkeyed('access-token', 'DELETE', oneKey, deleteKey),
];
