import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, expect, test } from '@playwright/test';
import { startPracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state.ts';
import { findBrowser } from '../electron-host/src/find-browser.ts';

/** F-57: pages of other origins in a real browser attack the practice service with the right key. */
const executablePath = findBrowser();
test.skip(executablePath === null, 'no browser is here to attack from');

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
  const idempotent = { ...authorization, 'idempotency-key': crypto.randomUUID?.() ?? 'x' };
  const plain = { 'content-type': 'text/plain' };
  navigator.sendBeacon(`${to}/v1/stt`, 'language=en');
  return Promise.all([
    read(target),
    read(target, { headers: authorization, credentials: 'include' }),
    read(target, { mode: 'no-cors' }),
    read(`${to}/v1/stt`, { method: 'POST', body: upload, mode: 'no-cors' }),
    read(`${to}/v1/stt`, { method: 'POST', body: upload, headers: idempotent }),
    read(`${to}/v1/stt`, { method: 'POST', mode: 'no-cors', body: '{"language":"en"}', headers: plain }),
    read(`${to}/v1/stt/transcriptions/x`, { method: 'DELETE', headers: authorization }),
    byForm(),
    ...['img', 'script', 'iframe'].map((tag) => loads(tag, { src: target })),
    loads('link', { rel: 'stylesheet', href: target }),
    bySocket('/v1/stt', []),
    bySocket(`/v1/stt?ticket=${key}`, [`bearer.${key.replaceAll(/[^\w]/g, '')}`]),
  ]);
};

test('a page reads nothing and changes nothing, though it has the key, from any origin and by any name of this computer (F-57)', async () => {
  const service = await startPracticeServer();
  const port = new URL(service.url).port;
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>A page of somebody else</title><body></body>');
  });
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
  const sitePort = (site.address() as AddressInfo).port;
  const rules = ['evil.example', 'rebind.example'].map((name) => `MAP ${name} 127.0.0.1`).join(',');
  const browser = await chromium.launch({
    executablePath: executablePath ?? '',
    // The browser's own protection of loopback is switched off, so that ours is tested.
    args: [
      `--host-resolver-rules=${rules}`,
      '--no-sandbox',
      '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
    ],
  });
  try {
    for (const [from, to] of [
      [`http://evil.example:${sitePort}/`, '127.0.0.1'],
      [`http://127.0.0.1:${sitePort}/`, '127.0.0.1'],
      [`http://evil.example:${sitePort}/`, 'localhost'],
      [`http://evil.example:${sitePort}/`, '0.0.0.0'],
      [`http://evil.example:${sitePort}/`, 'rebind.example'],
      ['data:text/html,<body>', '127.0.0.1'],
    ] as const) {
      const page = await browser.newPage();
      await page.goto(from);
      // What the browser received from the service, which a page itself may not see.
      const seen: { readonly status: number; readonly headers: readonly string[] }[] = [];
      page.on('response', (response) => {
        if (new URL(response.url()).port !== port) return;
        seen.push({ status: response.status(), headers: Object.keys(response.headers()) });
      });
      const host = `${to}:${port}`;
      const got = await page.evaluate(attack, [`http://${host}`, `ws://${host}`, service.token] as const);
      expect([from, to, got.filter((each) => each !== null)]).toEqual([from, to, []]);
      expect(seen.length).toBeGreaterThan(2);
      expect(seen.filter(({ status }) => status !== 403 && status !== 401)).toEqual([]);
      expect(seen.flatMap(({ headers }) => headers.filter((header) => header.startsWith('access-control')))).toEqual(
        [],
      );
      expect(readLedger(service.stateDir)).toEqual([]);
      await page.close();
    }

    // For the browser a rebound page is of the same origin as the service; it is refused by its name.
    const page = await browser.newPage();
    const shown = await page.goto(`http://rebind.example:${port}/v1/stt/transcriptions`);
    expect(shown?.status()).toBe(403);
    const same = await page.evaluate(async (key) => {
      const answer = await fetch('/v1/stt/transcriptions', { headers: { authorization: `Bearer ${key}` } });
      return [answer.status, await answer.text()];
    }, service.token);
    expect(same[0]).toBe(403);
    expect(same[1]).toContain('host_forbidden');

    // What refuses the pages is not a dead service.
    const answer = await fetch(`${service.url}/v1/stt/transcriptions`, {
      headers: { authorization: `Bearer ${service.token}` },
    });
    expect(answer.status).toBe(200);
  } finally {
    await browser.close();
    await service.close();
    site.close();
  }
});
