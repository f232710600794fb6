import { expect, test } from '@playwright/test';
import { launchFixture, type Fixture } from './launch-fixture.ts';

let run: Fixture;
test.beforeAll(async () => {
  run = await launchFixture();
});
test.afterAll(() => run.close());

const log = () => run.app.evaluate(() => globalThis.fixture.log.splice(0));
const clearLog = () => run.app.evaluate(() => void globalThis.fixture.log.splice(0));
const waitForLog = (name: string) =>
  expect
    .poll(() => run.app.evaluate((_electron, wanted) => globalThis.fixture.log.some(([one]) => one === wanted), name))
    .toBe(true);

test('the scheme’s handler gets the app’s own address, method and body', async () => {
  const answer = await run.page.evaluate(async () => {
    const response = await fetch('/body?x=1', { method: 'POST', body: 'x'.repeat(100_000) });
    return [response.status, await response.text()];
  });
  expect(answer).toEqual([200, 'POST 100000']);
  const request = await run.app.evaluate(() => globalThis.fixture.lastRequest);
  expect(request).toEqual({ url: 'app://fixture/body?x=1', method: 'POST', origin: 'app://fixture' });
});

test('answers stream, redirect, miss and fail', async () => {
  const seen = await run.page.evaluate(async () => ({
    stream: await fetch('/stream').then((response) => response.text()),
    moved: await fetch('/moved').then((response) => response.text().then((text) => text.includes('Another page'))),
    missing: await fetch('/no-such-file').then((response) => response.status),
    failed: await fetch('/fails').then(
      () => 'answered',
      (error: Error) => error.name,
    ),
    nosniff: await fetch('/index.html').then((response) => response.headers.get('x-content-type-options')),
  }));
  expect(seen).toEqual({ stream: 'one two three', moved: true, missing: 404, failed: 'TypeError', nosniff: 'nosniff' });
});

test('main reaches its own scheme by net.fetch', async () => {
  const text = await run.app.evaluate(async ({ net }) => (await net.fetch('app://fixture/other.html')).text());
  expect(text).toContain('Another page');
});

test('media plays from a range of the file', async () => {
  await run.app.evaluate(() => void globalThis.fixture.requests.splice(0));
  const seen = await run.page.evaluate(async () => {
    const audio = document.querySelector('audio') as HTMLAudioElement;
    const once = (name: string) =>
      new Promise((resolve, reject) => {
        audio.addEventListener(name, resolve, { once: true });
        audio.addEventListener('error', () => reject(new Error(audio.error?.message)), { once: true });
      });
    audio.src = '/media';
    await once('loadedmetadata');
    audio.currentTime = 110;
    await once('seeked');
    await audio.play();
    await once('timeupdate');
    audio.pause();
    const part = await fetch('/media', { headers: { range: 'bytes=4-7' } });
    return {
      duration: Math.round(audio.duration),
      later: audio.currentTime >= 110,
      part: [part.status, (await part.arrayBuffer()).byteLength],
    };
  });
  expect(seen).toEqual({ duration: 120, later: true, part: [206, 4] });
  const ranges = await run.app.evaluate(() => globalThis.fixture.requests);
  expect(ranges.filter((range) => range !== null).length).toBeGreaterThan(1);
});

test('the policy of the header applies: inline, eval and other origins', async () => {
  const seen = await run.page.evaluate(async () => {
    const violations: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
    const script = document.createElement('script');
    script.textContent = 'window.probe = 1';
    document.body.append(script);
    // Later and not here: code evaluated by a DevTools client may use eval whatever the policy says.
    const evaluated = await new Promise((resolve) =>
      setTimeout(() => {
        try {
          // oxlint-disable-next-line no-eval -- the very thing that must not work
          resolve(String((0, eval)('1 + 1')));
        } catch {
          resolve('blocked');
        }
      }),
    );
    const foreign = await fetch('https://example.invalid/').then(
      () => 'reached',
      () => 'blocked',
    );
    const socket = await new Promise((resolve) => {
      try {
        const ws = new WebSocket('ws://127.0.0.1:9/');
        ws.addEventListener('open', () => resolve('open'));
        ws.addEventListener('error', () => resolve('blocked'));
      } catch {
        resolve('blocked');
      }
    });
    await new Promise((resolve) => setTimeout(resolve));
    return {
      inline: window.inlineRan,
      probe: window.probe,
      evaluated,
      foreign,
      socket,
      violations: [...new Set(violations)].toSorted(),
    };
  });
  expect(seen).toMatchObject({
    inline: undefined,
    probe: undefined,
    evaluated: 'blocked',
    foreign: 'blocked',
    socket: 'blocked',
  });
  expect(seen.violations).toEqual(expect.arrayContaining(['connect-src', 'script-src-elem']));
});

const stay = async () => {
  await expect
    .poll(() => run.app.evaluate(() => globalThis.fixture.window.webContents.getURL()))
    .toBe('app://fixture/index.html');
  expect(await run.page.evaluate(() => window.fixture.add(1, 1))).toBe(2);
};
const ways: readonly (readonly [string, () => void])[] = [
  ['a link of the same origin', () => document.querySelector<HTMLElement>('#link')?.click()],
  ['a link to another origin', () => document.querySelector<HTMLElement>('#away')?.click()],
  ['location', () => (location.href = 'https://example.invalid/location')],
  ['location.replace', () => location.replace('/other.html')],
  ['a form', () => document.querySelector<HTMLFormElement>('#form')?.requestSubmit()],
  [
    'a refresh by meta',
    () => document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="0;url=/other.html">'),
  ],
  ['about:blank', () => (location.href = 'about:blank')],
  ['a blob', () => (location.href = URL.createObjectURL(new Blob(['<p>blob</p>'], { type: 'text/html' })))],
  ['mailto', () => document.querySelector<HTMLElement>('#mail')?.click()],
];
for (const [name, leave] of ways) {
  test(`a page cannot leave by ${name} when will-navigate prevents it`, async () => {
    await clearLog();
    await run.page.evaluate(leave);
    await waitForLog('will-frame-navigate');
    await stay();
    expect((await log()).every(([event]) => event !== 'loaded')).toBe(true);
  });
}

test('will-redirect can stop what will-navigate allowed', async () => {
  await clearLog();
  await run.app.evaluate(() => {
    globalThis.fixture.denyNavigation = false;
    globalThis.fixture.window.webContents.once('will-redirect', (event) => event.preventDefault());
  });
  await run.page.evaluate(() => void (location.href = '/moved'));
  await waitForLog('will-redirect');
  await stay();
  await run.app.evaluate(() => void (globalThis.fixture.denyNavigation = true));
});

test('an allowed navigation proceeds, with a preload of its own, and main may load any page', async () => {
  await run.app.evaluate(() => void (globalThis.fixture.denyNavigation = false));
  await run.page.evaluate(() => void (location.href = '/other.html'));
  await expect
    .poll(() => run.app.evaluate(() => globalThis.fixture.window.webContents.getURL()))
    .toBe('app://fixture/other.html');
  await run.page.waitForFunction(() => document.title === 'Other' && window.fixture.add(2, 2) === 4);
  await run.app.evaluate(() => void (globalThis.fixture.denyNavigation = true));
  await clearLog();
  await run.app.evaluate(() => globalThis.fixture.window.loadURL('app://fixture/index.html'));
  await run.page.waitForFunction(() => document.title === 'Fixture');
  expect((await log()).filter(([name]) => name.startsWith('will-'))).toEqual([]);
});

test('a reload by the user or a spec is not checked', async () => {
  await clearLog();
  await run.page.reload();
  await run.page.waitForFunction(() => window.fixture.add(1, 2) === 3);
  expect((await log()).filter(([name]) => name === 'will-navigate')).toEqual([]);
});

test('window.open and target=_blank are decided by the handler', async () => {
  await clearLog();
  const opened = await run.page.evaluate(() => window.open('https://example.invalid/opened'));
  expect(opened).toBeNull();
  await run.page.click('#blank');
  await expect
    .poll(() =>
      run.app.evaluate(() => globalThis.fixture.log.filter(([name]) => name === 'open').map(([, url]) => url)),
    )
    .toEqual(['https://example.invalid/opened', 'https://example.invalid/blank']);
  expect(await run.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  await stay();
});

test('a failed load reports its error', async () => {
  const seen = await run.app.evaluate(async () => {
    const window = globalThis.fixture.createWindow();
    const failures: unknown[] = [];
    window.webContents.on('did-fail-load', (_event, code, text) => failures.push([code, text]));
    const message = await window.loadURL('http://127.0.0.1:1/').then(String, (error: Error) => error.message);
    window.destroy();
    return { message, failures };
  });
  expect(seen.message).toMatch(/^ERR_[A-Z_]+ \(-\d+\) loading 'http:\/\/127\.0\.0\.1:1\/'$/);
  expect(seen.failures).toHaveLength(1);
});

const outcomeOf = (name: string) =>
  run.page.evaluate(async (asked) => {
    const calls: Record<string, () => Promise<unknown>> = {
      microphone: () => navigator.mediaDevices.getUserMedia({ audio: true }),
      clipboard: () => navigator.clipboard.writeText('text'),
      read: () => navigator.clipboard.readText(),
      notifications: () =>
        Notification.requestPermission().then((answer) =>
          answer === 'granted' ? answer : Promise.reject(new DOMException('', 'NotAllowedError')),
        ),
      geolocation: () =>
        new Promise((resolve, reject) =>
          navigator.geolocation.getCurrentPosition(resolve, () => reject(new DOMException('', 'NotAllowedError'))),
        ),
    };
    return calls[asked]?.().then(
      () => 'granted',
      (error: Error) => error.name,
    );
  }, name);

for (const [call, permission] of [
  ['microphone', 'media'],
  ['clipboard', 'clipboard-sanitized-write'],
  ['read', 'clipboard-read'],
  ['notifications', 'notifications'],
  ['geolocation', 'geolocation'],
] as const) {
  test(`${permission} is denied when the request handler denies it`, async () => {
    await clearLog();
    await run.page.bringToFront();
    expect(await outcomeOf(call)).toBe('NotAllowedError');
    expect((await log()).some(([name, asked]) => name === 'request' && asked === permission)).toBe(true);
  });
}

test('what the handler grants is granted', async () => {
  await run.app.evaluate(
    () => void globalThis.fixture.allow.add('clipboard-sanitized-write').add('media').add('notifications'),
  );
  await run.page.bringToFront();
  expect(await outcomeOf('clipboard')).toBe('granted');
  expect(await outcomeOf('notifications')).toBe('granted');
  // There may be no microphone; what matters is that permission is no longer the reason.
  expect(await outcomeOf('microphone')).toMatch(/^(granted|NotFoundError)$/);
  const requests = (await log()).filter(([name]) => name === 'request');
  expect(requests).toContainEqual(['request', 'media', ['audio']]);
});

test('permissions.query asks the check handler', async () => {
  const states = await run.page.evaluate(async () => [
    (await navigator.permissions.query({ name: 'notifications' })).state,
    (await navigator.permissions.query({ name: 'geolocation' })).state,
  ]);
  expect(states).toEqual(['granted', 'denied']);
  expect(await run.app.evaluate(() => globalThis.fixture.checked)).toEqual(
    expect.arrayContaining(['notifications', 'geolocation']),
  );
});

test('screens and devices are never given', async () => {
  const names = await run.page.evaluate(() =>
    navigator.mediaDevices.getDisplayMedia().then(
      () => 'given',
      (error: Error) => error.name,
    ),
  );
  expect(names).toMatch(/^Not(Supported|Allowed)Error$|^InvalidStateError$/);
});
