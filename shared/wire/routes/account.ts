import type { Endpoint } from '../endpoint.ts';
import { acting, creating, documented, reading, removing, renaming } from './route-parts.ts';

const account = {
  ...documented,
  credential: 'access-token',
  product: 'account',
  permission: null,
  section: '4.1',
} as const;
const usage = {
  ...documented,
  credential: 'access-token',
  product: 'usage',
  permission: null,
  section: '4.2',
} as const;

/** Keys, usage and request logs of the signed-in account (contract 4.1, 4.2): a user token only. */
export const accountRoutes = {
  'account.permissions': { ...account, ...reading, path: '/api/v1/account/api-key-permissions', assumes: [] },
  'account.scopes': { ...account, ...reading, path: '/api/v1/account/api-key-scopes', assumes: [] },
  'account.keys.create': { ...account, ...creating, path: '/api/v1/account/api-keys', assumes: [] },
  'account.keys.list': { ...account, ...reading, path: '/api/v1/account/api-keys', assumes: [] },
  'account.keys.update': { ...account, ...renaming, path: '/api/v1/account/api-keys/{key_id}', assumes: [] },
  'account.keys.revoke': {
    ...account,
    ...acting,
    path: '/api/v1/account/api-keys/{key_id}/revoke',
    answer: 'none',
    assumes: [],
  },
  'account.keys.remove': { ...account, ...removing, path: '/api/v1/account/api-keys/{key_id}', assumes: [] },
  'usage.analytics': { ...usage, ...reading, path: '/api/v1/account/analytics', assumes: ['usage-entries'] },
  'usage.request-logs': { ...usage, ...reading, path: '/api/v1/account/request-logs', assumes: [] },
} as const satisfies Readonly<Record<string, Endpoint>>;
