import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client, credentials, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissions, scopes } from '../../../electron/practice/access/permissions.ts';
import { routes } from '../../../electron/practice/routes/route-table.ts';
import { findSpeechProgram } from '../../../electron/practice/speech/speech-program.ts';
import { endpoints, type EndpointName } from '../../../shared/wire/endpoints.ts';
import type { Endpoint } from '../../../shared/wire/endpoint.ts';
import { codeProbes } from './code-probes.ts';
import type { DocumentRow } from './document-row.ts';
import { documentRows } from './document.ts';
import { eventProbes } from './event-probes.ts';
import { limitProbes } from './limit-probes.ts';
import { asPerson, connect, openRig, type Rig } from './rig.ts';
import { stateProbes } from './state-probes.ts';

const program = await findSpeechProgram(process.env['PATH'] ?? '');
const rowsOf = (kind: DocumentRow['kind']): readonly DocumentRow[] => documentRows.filter((row) => row.kind === kind);
const nameOf = (limit: string): string => limit.slice(0, limit.indexOf(' = '));

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());

/** Limits that do not apply to the practice service: those of a tool server, and of a service with many accounts. */
const limitsOfOthers = new Set(['toolRequestBytes', 'attachment.concurrentPerReplica']);

test('every row of the document has a proof here, and no proof is of a row that is gone', () => {
  const proofs: Readonly<Record<string, ReadonlySet<string>>> = {
    code: new Set(Object.keys(codeProbes)),
    state: new Set(Object.keys(stateProbes)),
    event: new Set(Object.keys(eventProbes)),
    limit: new Set([...Object.keys(limitProbes), ...limitsOfOthers]),
  };
  for (const [kind, known] of Object.entries(proofs)) {
    const names = new Set(
      rowsOf(kind as DocumentRow['kind']).map(({ name }) => (kind === 'limit' ? nameOf(name) : name)),
    );
    expect([kind, [...names].filter((name) => !known.has(name))]).toEqual([kind, []]);
    expect([kind, [...known].filter((name) => !names.has(name))]).toEqual([kind, []]);
  }
});

const httpRoutes = rowsOf('route')
  .filter(({ name }) => !/^(?:WSS|GRPC) /.test(name))
  .map(({ section, name }) => {
    const shown = Object.entries<Endpoint>(endpoints).find(([, { method, path }]) => `${method} ${path}` === name);
    const endpoint = shown?.[1] ?? endpoints[name.replace('not shown: ', '') as EndpointName];
    return { section, name, endpoint: endpoint as Endpoint | undefined };
  });
const streams = rowsOf('route').filter(({ name }) => name.startsWith('WSS '));
const calls = rowsOf('route').filter(({ name }) => name.startsWith('GRPC '));

describe('routes', () => {
  test.each(httpRoutes)('$section: $name is served', async ({ endpoint }) => {
    const { method = '', path = '', credential = '' } = endpoint ?? {};
    const secrets: Readonly<Record<string, Record<string, string>>> = {
      'api-key': { authorization: `Bearer ${rig.main.token}` },
      'access-token': { authorization: `Bearer ${asPerson(rig.main).token}` },
      'legacy-key': { 'x-api-key': rig.main.legacyToken },
    };
    // For a method that an existing address does not accept, the answer lists the accepted ones.
    const answer = await fetch(`${rig.main.url}${path.replaceAll(/\{\w+\}/g, 'none')}`, {
      method: 'OPTIONS',
      headers: secrets[credential] ?? {},
    });
    expect([answer.status, answer.headers.get('allow')?.split(', ')]).toEqual([405, expect.arrayContaining([method])]);
  });

  test.each(streams)('$section: $name is served to keys with its permission', async ({ name }) => {
    const address = `${rig.main.url.replace('http', 'ws')}${name.slice('WSS '.length)}`;
    const statusAt = (place: string): Promise<number> =>
      connect(place).then(
        () => 101,
        (refusal: { readonly status: number }) => refusal.status,
      );
    expect([await statusAt(address), await statusAt(`${address}/none`)]).toEqual([401, 404]);
  });

  test.each(calls)('$section: $name is served to those who may', async ({ name }) => {
    const channel = new Client(rig.main.callHost, credentials.createInsecure());
    const codeOf = (path: string): Promise<status> =>
      new Promise((resolve) => {
        const same = (bytes: Buffer): Buffer => bytes;
        const call = channel.makeBidiStreamRequest(path, same, same);
        call.on('error', () => undefined);
        call.on('status', ({ code }) => resolve(code));
        call.resume();
        call.end();
      });
    const path = name.slice('GRPC '.length);
    const codes = [await codeOf(path), await codeOf(`${path}None`)];
    channel.close();
    expect(codes[0]).not.toBe(status.UNIMPLEMENTED);
    expect(codes[1]).toBe(status.UNIMPLEMENTED);
  });

  test('each is for the permission that the table of the client names', () => {
    const plain = (path: string): string => path.replaceAll(/:\w+|\{\w+\}/g, '{}');
    for (const [name, { transport, method, path, permission, credential }] of Object.entries<Endpoint>(endpoints)) {
      if (transport !== 'http' || credential !== 'api-key' || permission === null) continue;
      const route = routes.find((one) => one.method === method && plain(one.path) === plain(path));
      const due = route?.credential === 'api-key' ? route.permission.replace(':', ': ') : null;
      const isTicket = name.startsWith('live.ticket') || path === '/v1/ticket';
      if (!isTicket) expect([name, due]).toEqual([name, permission]);
    }
  });
});

test.each(rowsOf('permission'))('$section: permission $name is in the catalogue', ({ name }) => {
  const [id = '', levels = ''] = name.split(': ');
  const known = Object.entries(permissions)
    .find(([one]) => one === id)?.[1]
    .levels.filter((level) => level !== 'none');
  expect(known).toEqual(levels.split(' ').filter((level) => level !== 'none'));
});

test.each(rowsOf('scope'))('$section: $name', ({ name }) => {
  const [scope = '', grant = ''] = name.split(' = ');
  const known = Object.entries(scopes).find(([one]) => one === scope)?.[1];
  expect(`${known?.permission}: ${known?.level}`).toBe(grant);
});

describe('codes', () => {
  test.each(rowsOf('code'))('$section: $name is returned', async ({ name }) => {
    expect(await codeProbes[name]?.(rig)).toBe(name);
  });
});

describe('states', () => {
  test.each(rowsOf('state'))('$section: $name is reached', async ({ name }) => {
    expect(await stateProbes[name]?.(rig)).toBe(name.slice(name.indexOf(': ') + 2));
  });
});

describe('events', () => {
  test.each(rowsOf('event'))('$section: $name happens', async ({ name }) => {
    // Only speech that was really spoken is reported.
    if (name.startsWith('tts.') && program === null) return;
    expect(await eventProbes[name]?.(rig)).toBe(name);
  });
});

describe('limits', () => {
  const kept = rowsOf('limit').filter(({ name }) => !limitsOfOthers.has(nameOf(name)));
  test.each(kept)('$section: $name is enforced exactly', async ({ name }) => {
    const probe = limitProbes[nameOf(name)];
    if (typeof probe === 'function') expect(await probe(rig)).toEqual({ within: true, beyond: false });
    else {
      const file = fileURLToPath(new URL(`../../../${probe?.file}`, import.meta.url));
      expect(readFileSync(file, 'utf8')).toContain(probe?.words);
    }
  });
});
