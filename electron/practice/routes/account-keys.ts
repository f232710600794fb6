import { z } from 'zod';
import { isAddressOrRange } from '../http/authenticate.ts';
import {
  grantsOfScopes,
  permissionIds,
  permissions,
  scopeIds,
  scopes,
  scopesOfGrants,
  type Grants,
} from '../access/permissions.ts';
import { mintSecret, newKeySettings, type ApiKey, type KeySettings } from '../account/api-keys.ts';
import { json, noContent, problem, type Answer } from '../http/answer.ts';
import { cutPage, readPageQuery } from '../http/page-query.ts';
import { readJson } from '../http/read-json.ts';
import type { Exchange } from '../http/route.ts';
import type { Services } from '../services.ts';

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

/** GET /api/v1/account/api-key-permissions */
export function listPermissions(_exchange: Exchange, { offered }: Services): Answer {
  const entries = permissionIds.map((id) => ({ id, ...permissions[id], implemented: offered.has(id) }));
  return json(200, { data: { permissions: entries } });
}

/** GET /api/v1/account/api-key-scopes */
export function listScopes(): Answer {
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
type Update = z.output<typeof updateBody>;

const wrong = (field: string, message: string): Answer =>
  problem(400, 'validation_error', 'Some fields are not right.', { [field]: message });

/** A level of `none` grants nothing and is not stored. */
const withoutNone = (given: z.output<typeof grants>): Grants =>
  Object.fromEntries(Object.entries(given).filter(([, level]) => level !== 'none'));

/** An absent field stays as it is; an answer instead of null when fields contradict each other. */
function merge(known: KeySettings, body: Update, nowMs: number): KeySettings | Answer {
  if (body.permissions !== undefined && body.scopes !== undefined)
    return wrong('scopes', 'must be absent when permissions are given');
  const expiresAtMs = typeof body.expires_at === 'string' ? Date.parse(body.expires_at) : body.expires_at;
  if (typeof expiresAtMs === 'number' && expiresAtMs <= nowMs) return wrong('expires_at', 'must be in the future');
  return {
    name: body.name ?? known.name,
    permissions:
      body.permissions !== undefined
        ? withoutNone(body.permissions)
        : body.scopes !== undefined
          ? grantsOfScopes(body.scopes)
          : known.permissions,
    expiresAtMs: expiresAtMs === undefined ? known.expiresAtMs : expiresAtMs,
    restrictKey: body.restrict_key ?? known.restrictKey,
    creditLimit: body.credit_limit === undefined ? known.creditLimit : body.credit_limit,
    allowedIps: body.allowed_ips ?? known.allowedIps,
    autoDisableIfLeaked: body.auto_disable_if_leaked ?? known.autoDisableIfLeaked,
    enabled: body.enabled ?? known.enabled,
  };
}

const isAnswer = (merged: KeySettings | Answer): merged is Answer => 'kind' in merged;

/** POST /api/v1/account/api-keys: the only answer that holds the secret */
export async function createKey({ request }: Exchange, { keys, now }: Services): Promise<Answer> {
  const body = await readJson(request, createBody);
  if (!body.ok) return body.error;
  const settings = merge(newKeySettings, body.value, now());
  if (isAnswer(settings)) return settings;
  const secret = mintSecret();
  return json(201, { data: { key: asDetail(keys.create(settings, secret, now())), secret } });
}

/** GET /api/v1/account/api-keys, newest first */
export function listKeys({ query }: Exchange, { keys }: Services): Answer {
  const page = readPageQuery(
    query,
    { usual: 50, most: 100 },
    { limit: 'invalid_pagination', cursor: 'invalid_pagination' },
  );
  if (!page.ok) return page.error;
  const { limit, beforeSeq } = page.value;
  const { items, nextCursor } = cutPage(keys.page(limit + 1, beforeSeq), limit);
  return json(200, { data: { keys: items.map(asItem), next_cursor: nextCursor } });
}

/** PATCH /api/v1/account/api-keys/{key_id} */
export async function updateKey({ request, params }: Exchange, { keys, now }: Services): Promise<Answer> {
  const id = params['keyId'] ?? '';
  if (keys.read(id) === null) return notFound;
  const body = await readJson(request, updateBody);
  if (!body.ok) return body.error;
  // Read again, because the key may have been changed or deleted while the body came in.
  const known = keys.read(id);
  if (known === null) return notFound;
  const settings = merge(known, body.value, now());
  if (isAnswer(settings)) return settings;
  const updated = keys.update(id, settings);
  return updated === null ? notFound : json(200, { data: { key: asDetail(updated) } });
}

/** POST /api/v1/account/api-keys/{key_id}/revoke */
export function revokeKey({ params }: Exchange, { keys, now }: Services): Answer {
  return keys.revoke(params['keyId'] ?? '', now()) ? noContent : notFound;
}

/** DELETE /api/v1/account/api-keys/{key_id} */
export function deleteKey({ params }: Exchange, { keys, credits }: Services): Answer {
  const id = params['keyId'] ?? '';
  if (keys.read(id) === null) return notFound;
  if (credits.isKeyInUse(id)) return problem(409, 'api_key_in_use', 'Work was done with this key. Revoke it instead.');
  return keys.remove(id) ? noContent : notFound;
}
