import type { Endpoint } from '../endpoint.ts';
import { assumed, creating, documented, reading, removing, renaming } from './route-parts.ts';

const webhooks = {
  credential: 'api-key',
  product: 'webhooks',
  section: '4.11',
  permission: 'webhooks: access',
} as const;
const one = { path: '/v1/webhooks/{webhook_id}' } as const;

/** Subscriptions and deliveries (contract 4.11). Only the path of the creation is shown there. */
export const webhookRoutes = {
  'webhooks.create': { ...webhooks, ...documented, ...creating, path: '/v1/webhooks', assumes: [] },
  'webhooks.list': { ...webhooks, ...assumed, ...reading, path: '/v1/webhooks', assumes: ['webhook-paths'] },
  'webhooks.read': { ...webhooks, ...assumed, ...reading, ...one, assumes: ['webhook-paths'] },
  'webhooks.update': { ...webhooks, ...assumed, ...renaming, ...one, assumes: ['webhook-paths'] },
  'webhooks.remove': { ...webhooks, ...assumed, ...removing, ...one, assumes: ['webhook-paths'] },
  'webhooks.rotate': {
    ...webhooks,
    ...assumed,
    ...creating,
    path: '/v1/webhooks/{webhook_id}/rotate-secret',
    assumes: ['webhook-paths', 'webhook-actions'],
  },
  'webhooks.test': {
    ...webhooks,
    ...assumed,
    ...creating,
    path: '/v1/webhooks/{webhook_id}/test',
    assumes: ['webhook-paths', 'webhook-actions'],
  },
  'webhooks.deliveries': {
    ...webhooks,
    ...assumed,
    ...reading,
    path: '/v1/webhooks/{webhook_id}/deliveries',
    assumes: ['webhook-paths', 'webhook-deliveries'],
  },
  'webhooks.retry': {
    ...webhooks,
    ...assumed,
    ...creating,
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
    assumes: ['webhook-paths', 'webhook-deliveries'],
  },
} as const satisfies Readonly<Record<string, Endpoint>>;
