import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, expect, test, type Browser, type Page } from '@playwright/test';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state/ledger.ts';
import { findBrowser } from '../electron-host/src/find-browser.ts';

/** F-57: pages of other origins in a real browser attack the practice service with the right key. */
const executablePath = findBrowser();
test.skip(executablePath === null, 'no browser is here to attack from');

let service: PracticeServer;
let browser: Browser;
let site: Server;
let sitePort = 0;
const port = () => new URL(service.url).port;

test.beforeAll(async () => {
  service = await startPracticeServer();
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>A page of somebody else</title><body></body>');
  });
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
  sitePort = (site.address() as AddressInfo).port;
  const rules = ['evil.example', 'rebind.example'].map((name) => `MAP ${name} 127.0.0.1`).join(',');
  browser = await chromium.launch({
    executablePath: executablePath ?? '',
    // The browser's own protection of loopback is switched off, so that ours is tested.
    args: [
      `--host-resolver-rules=${rules}`,
      '--no-sandbox',
      '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
    ],
  });
});
test.afterAll(async () => {
  await browser.close();
  await service.close();
  site.close();
});

interface Seen {
  readonly status: number;
  readonly origin: string | null;
  readonly headers: readonly string[];
}

/** Records what the browser received from the service, which a page itself may not see. */
function watch(page: Page): readonly Seen[] {
  const seen: Seen[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).port !== port()) return;
    const headers = Object.keys(response.headers());
    seen.push({ status: response.status(), origin: response.request().headers()['origin'] ?? null, headers });
  });
  return seen;
}

/** What a page tries; each returns what the page could read, or null. */
const attack = ([to, socket, key]: readonly [string, string, string]) => {
  const target = `${to}/v1/stt/transcriptions`;
  const authorization = { authorization: `Bearer ${key}` };
  const read = (input: string, init: RequestInit = {}) =>
    fetch(input, init).then(
      async (response) => (response.type === 'opaque' ? null : await response.text()),
      () => null,
    );
  const loads = (tag: string, attributes: Record<string, string>) =>
    new Promise<string | null>((tell) => {
      const made = Object.assign(document.createElement(tag), attributes);
      made.addEventListener('load', () => tell(tag === 'iframe' ? null : `${tag} loaded`));
      made.addEventListener('error', () => tell(null));
      document.body.append(made);
    });
  const upload = new FormData();
  upload.append('file', new Blob([new Uint8Array(2000)]), 'a.wav');
  upload.append('language', 'en');
  const request = new XMLHttpRequest();
  const byRequest = new Promise<string | null>((tell) => {
    request.addEventListener('load', () => tell(request.responseText));
    request.addEventListener('error', () => tell(null));
    request.open('GET', target);
    request.setRequestHeader('authorization', authorization.authorization);
    request.send();
  });
  const byForm = () => {
    const frame = Object.assign(document.createElement('iframe'), { name: 'form' });
    const form = Object.assign(document.createElement('form'), {
      action: `${to}/v1/stt`,
      method: 'post',
      target: 'form',
      enctype: 'multipart/form-data',
    });
    form.append(Object.assign(document.createElement('input'), { name: 'language', value: 'en' }));
    const done = new Promise<string | null>((tell) => frame.addEventListener('load', () => tell(null)));
    document.body.append(frame, form);
    form.submit();
    return done;
  };
  const bySocket = (path: string, protocols: string[]) =>
    new Promise<string | null>((tell) => {
      const made = new WebSocket(`${socket}${path}`, protocols);
      made.addEventListener('open', () => tell('socket opened'));
      made.addEventListener('error', () => tell(null));
    });
  return Promise.all([
    read(target),
    read(target, { headers: authorization }),
    read(target, { headers: authorization, credentials: 'include' }),
    read(target, { mode: 'no-cors' }),
    read(`${to}/v1/stt`, { method: 'POST', body: upload }),
    read(`${to}/v1/stt`, { method: 'POST', body: upload, mode: 'no-cors' }),
    read(`${to}/v1/stt`, {
      method: 'POST',
      body: upload,
      headers: { ...authorization, 'idempotency-key': crypto.randomUUID?.() ?? 'x' },
    }),
    read(`${to}/v1/stt`, {
      method: 'POST',
      mode: 'no-cors',
      body: '{"language":"en"}',
      headers: { 'content-type': 'text/plain' },
    }),
    read(target, { method: 'OPTIONS', headers: authorization }),
    read(`${to}/v1/stt/transcriptions/x`, { method: 'DELETE', headers: authorization }),
    byRequest,
    byForm(),
    loads('img', { src: target }),
    loads('script', { src: target }),
    loads('iframe', { src: target }),
    loads('link', { rel: 'stylesheet', href: target }),
    bySocket('/v1/stt', []),
    bySocket(`/v1/stt?ticket=${key}`, [`bearer.${key.replaceAll(/[^\w]/g, '')}`]),
    Promise.resolve(navigator.sendBeacon(`${to}/v1/stt`, 'language=en') ? null : null),
  ]);
};

const origins: readonly (readonly [string, () => string, () => string])[] = [
  ['another origin', () => `http://evil.example:${sitePort}/`, () => `127.0.0.1:${port()}`],
  ['another port of this computer', () => `http://127.0.0.1:${sitePort}/`, () => `127.0.0.1:${port()}`],
  ['localhost in place of the address', () => `http://evil.example:${sitePort}/`, () => `localhost:${port()}`],
  ['all interfaces in place of the address', () => `http://evil.example:${sitePort}/`, () => `0.0.0.0:${port()}`],
  [
    'a name that was bound to this computer',
    () => `http://evil.example:${sitePort}/`,
    () => `rebind.example:${port()}`,
  ],
  ['a page without an origin', () => 'data:text/html,<body>', () => `127.0.0.1:${port()}`],
];

for (const [name, from, to] of origins) {
  test(`a page reads nothing and changes nothing, though it has the key: ${name} (F-57)`, async () => {
    const page = await browser.newPage();
    try {
      await page.goto(from());
      const seen = watch(page);
      const got = await page.evaluate(attack, [`http://${to()}`, `ws://${to()}`, service.token] as const);
      expect(got.filter((each) => each !== null)).toEqual([]);
      expect(seen.length).toBeGreaterThan(2);
      expect(seen.filter(({ status }) => status !== 403 && status !== 401)).toEqual([]);
      expect(seen.flatMap(({ headers }) => headers.filter((header) => header.startsWith('access-control')))).toEqual(
        [],
      );
      expect(readLedger(service.stateDir)).toEqual([]);
    } finally {
      await page.close();
    }
  });
}

test('a rebound page is of the same origin as the service for the browser, and is refused by its name (F-57)', async () => {
  const page = await browser.newPage();
  try {
    const shown = await page.goto(`http://rebind.example:${port()}/v1/stt/transcriptions`);
    expect(shown?.status()).toBe(403);
    const same = await page.evaluate(async (key) => {
      const answer = await fetch('/v1/stt/transcriptions', { headers: { authorization: `Bearer ${key}` } });
      return [answer.status, await answer.text()];
    }, service.token);
    expect(same[0]).toBe(403);
    expect(same[1]).toContain('host_forbidden');
  } finally {
    await page.close();
  }
});

test('the same attack from a program with the key is answered: what refuses the pages is not a dead service', async () => {
  const answer = await fetch(`${service.url}/v1/stt/transcriptions`, {
    headers: { authorization: `Bearer ${service.token}` },
  });
  expect(answer.status).toBe(200);
});
