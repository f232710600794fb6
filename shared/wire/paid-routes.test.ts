import { expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { endpoints, type EndpointName } from './endpoints.ts';
import { meterOf, paidRoute } from './paid-routes.ts';

const rows = Object.entries(endpoints) as [EndpointName, Endpoint][];

test('a creation with a key of its own costs something, so each is metered', () => {
  for (const [name, { retry }] of rows) {
    if (retry === 'with-idempotency-key') expect([name, meterOf(name)]).not.toEqual([name, 'free']);
  }
});

test('paid routes are documented, so that no correction hides them from the ledger', () => {
  for (const [name, row] of rows) {
    const isPaid = meterOf(name) !== 'free';
    expect([name, paidRoute(row)]).toEqual([name, isPaid ? name : null]);
    if (isPaid) expect([name, row.evidence]).toEqual([name, 'documented']);
  }
});

test('plain reads are free', () => {
  for (const [name, { method, transport }] of rows) {
    if (method === 'GET' && transport === 'http') expect([name, meterOf(name)]).toEqual([name, 'free']);
  }
});
