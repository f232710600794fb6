import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentedShapes, findDrift } from './documented-shapes.ts';
import type { EndpointName } from './endpoints.ts';

const ticket = {
  ticket: 't',
  service: 'stt',
  transport: 'websocket',
  scope: 'stt:realtime',
  expires_at: '2026-01-02T03:04:05Z',
  websocket_url: 'wss://live.example/v1/stt/stream',
  request_id: 'r',
};

test('an answer as documented has no differences, even with additional fields and in a wrapper', () => {
  expect(findDrift('realtime.ticket', ticket)).toEqual([]);
  expect(findDrift('realtime.ticket', { ...ticket, later: [1] })).toEqual([]);
  expect(findDrift('realtime.ticket', { data: ticket })).toEqual([]);
});

test('a field that is missing, null or of another type is named by its place', () => {
  const { expires_at: _time, ...without } = ticket;
  expect(findDrift('realtime.ticket', without)).toEqual(['expires_at']);
  expect(findDrift('realtime.ticket', { ...ticket, ticket: 7, expires_at: 'soon' })).toEqual(['ticket', 'expires_at']);
  expect(findDrift('realtime.ticket', null)).toEqual(['body']);
  const log = { items: [{ request_id: 'a' }], period: {}, request_id: 'r' };
  expect(findDrift('usage.request-logs', log)).toContain('items.status_code');
  expect(findDrift('usage.request-logs', { ...log, items: [] })).toEqual([]);
  expect(findDrift('usage.request-logs', { ...log, items: 'none' })).toContain('items.route');
});

test('an answer without a documented shape can not differ', () => {
  expect(findDrift('stt.read', { anything: 1 })).toEqual([]);
});

test('no answer throws, and only documented places are named', () => {
  const names = Object.keys(documentedShapes) as EndpointName[];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, body) => {
      const places = new Set(documentedShapes[name]?.map(([place]) => place.replaceAll('[]', '')));
      for (const place of findDrift(name, body)) expect(place === 'body' || places.has(place)).toBe(true);
    }),
  );
});
