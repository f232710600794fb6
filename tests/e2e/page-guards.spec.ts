import { expect, test, type Page } from '@playwright/test';
import type { StudioBridge } from '../../electron/ipc/bridge.ts';
import { toneWav } from '../support/wav-files.ts';
import { ask } from './support/ask.ts';
import { menuItem } from './support/menu-item.ts';
import { removeDataDir, startStudio, type Studio } from './support/studio.ts';

let studio: Studio;
test.beforeAll(async () => {
  studio = await startStudio();
});
test.afterAll(async () => {
  await studio.quit();
  removeDataDir(studio.dataDir);
});

test('the page has nothing of Node or Electron except its frozen bridge (S-01, S-13)', async () => {
  const seen = await studio.page.evaluate(() => {
    const { studio: bridge } = window as unknown as { studio: StudioBridge };
    const foreign = ['require', 'process', 'Buffer', 'module', 'global', 'ipcRenderer', 'keyEntry'].filter(
      (name) => name in window,
    );
    return {
      foreign,
      names: Object.keys(bridge).toSorted(),
      isFrozen: Object.isFrozen(bridge),
      types: Object.values(bridge).map((value) => typeof value),
    };
  });
  expect(seen).toEqual({
    foreign: [],
    names: ['fileTokenFor', 'on', 'openStream', 'request'],
    isFrozen: true,
    types: ['function', 'function', 'function', 'function'],
  });
});

test('a page has something pasted only after a press or a key of the user, once for each (S-68)', async () => {
  const { page } = studio;
  const paste = () =>
    page.evaluate(async () => {
      const { studio: bridge } = window as unknown as { studio: StudioBridge };
      const answer = await bridge.request('window.paste', {});
      return answer.ok ? 'pasted' : answer.error.kind;
    });
  expect(await paste()).toBe('not-asked-for');
  await page.evaluate(() => {
    const field = Object.assign(document.createElement('input'), { id: 'pasted-into', value: 'oʻqish' });
    document.body.append(field);
    field.select();
  });
  await page.keyboard.press('ControlOrMeta+c');
  await page.keyboard.press('End');
  expect(await paste()).toBe('pasted');
  const field = page.locator('#pasted-into');
  await expect(field).toHaveValue('oʻqishoʻqish');
  expect(await paste()).toBe('not-asked-for');
  await expect(field).toHaveValue('oʻqishoʻqish');
  await field.evaluate((element) => {
    element.remove();
  });
});

test('a file token comes from a file on disk only, never from a path or a file made in memory (S-14)', async () => {
  const answers = await studio.page.evaluate(async () => {
    const { studio: bridge } = window as unknown as { studio: StudioBridge };
    const tried = [new File(['x'], 'memory.wav'), '/etc/passwd', null, { path: '/etc/passwd' }];
    const results = await Promise.all(tried.map((each) => bridge.fileTokenFor(each)));
    return results.map((each) => (each.ok ? 'token' : each.error.kind));
  });
  expect(answers).toEqual(['file-unreadable', 'file-unreadable', 'file-unreadable', 'file-unreadable']);
});

test('forbidden calls all get the same answer (S-16)', async () => {
  const answers = await studio.page.evaluate(async () => {
    const { studio: bridge } = window as unknown as { studio: StudioBridge };
    const calls: [string, unknown][] = [
      ['constructor', {}],
      ['fs.readFile', { path: '/etc/passwd' }],
      ['jobs.list', { more: 1 }],
      ['jobs.retry', { jobId: 7 }],
      ['jobs.retry', { jobId: 'x'.repeat(400_000) }],
    ];
    return Promise.all(calls.map(async ([method, input]) => JSON.stringify(await bridge.request(method, input))));
  });
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain('refused_call');
});

test('of all permissions that the page can ask about, only writing text to the clipboard is granted (S-19)', async () => {
  const { page } = studio;
  const answers = await page.evaluate(async () => {
    const nameOf = (error: unknown) => (error as Error).name;
    const media = (request: MediaStreamConstraints) =>
      navigator.mediaDevices.getUserMedia(request).then(() => 'granted', nameOf);
    return {
      microphone: await media({ audio: true }),
      camera: await media({ video: true }),
      place: await new Promise((tell) =>
        navigator.geolocation.getCurrentPosition(
          () => tell('granted'),
          () => tell('denied'),
        ),
      ),
      reading: await navigator.clipboard.readText().then(() => 'granted', nameOf),
    };
  });
  expect(answers).toEqual({
    microphone: 'NotAllowedError',
    camera: 'NotAllowedError',
    place: 'denied',
    reading: 'NotAllowedError',
  });

  const states = await page.evaluate(async () => {
    // Those that Electron asks its handlers about; the others belong to the browser and give a page nothing by
    // themselves.
    const names = [
      'camera',
      'clipboard-read',
      'clipboard-write',
      'display-capture',
      'geolocation',
      'idle-detection',
      'local-fonts',
      'microphone',
      'midi',
      'notifications',
      'persistent-storage',
      'screen-wake-lock',
      'window-management',
    ];
    const ask = (name: string) =>
      navigator.permissions.query({ name: name as PermissionName }).then(
        ({ state }) => state as string,
        () => 'unknown',
      );
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await ask(name)] as const)));
  });
  const granted = Object.keys(states).filter((name) => states[name] === 'granted');
  expect(Object.values(states).filter((state) => state !== 'unknown').length).toBeGreaterThan(10);
  expect(granted).toEqual(['clipboard-write']);
});

const elsewhere = 'https://example.com/';
/** Source of a script that creates an element, adds it to the page and clicks it. */
const press = (tag: string, attributes: Readonly<Record<string, string>>) =>
  `(() => { const made = Object.assign(document.createElement('${tag}'), ${JSON.stringify(attributes)});
    document.body.append(made); made.click?.(); made.submit?.(); })()`;
const form = (attributes: Readonly<Record<string, string>>) => press('form', attributes);
const go = (to: string) => `location.href = ${JSON.stringify(to)}`;

const scripted: Readonly<Record<string, string>> = {
  'setting the location': go(elsewhere),
  'the location of a loopback port': go('http://127.0.0.1:1/'),
  'location.assign': `location.assign('${elsewhere}')`,
  'location.replace': `location.replace('${elsewhere}')`,
  'another host of our scheme': go('app://evil/'),
  'the key window’s page': go('/key.html'),
  'a recording as a page': go('/media/aaaaaaaaaaaaaaaaaaaaaaaa'),
  'a file: address': go('file:///etc/passwd'),
  'a data: address': go('data:text/html,<h1>x'),
  'a blob: address': `location.href = URL.createObjectURL(new Blob(['<h1>x'], { type: 'text/html' }))`,
  'a javascript: address': go('javascript:window.hacked=true'),
  'about:blank': go('about:blank'),
  'a mailto: address': go('mailto:a@example.com'),
  'view-source:': go('view-source:https://example.com/'),
  'a PDF': go('https://example.com/a.pdf'),
  'a smb: address': go('smb://host/share'),
  'an ms-settings: address': go('ms-settings:privacy'),
  'window.open': `window.open('${elsewhere}')`,
  'window.open into this window': `window.open('${elsewhere}', '_self')`,
  'window.open of our own page': `window.open('/index.html')`,
  'window.open of nothing': `window.open()?.document.write('x')`,
  'a link': press('a', { href: elsewhere }),
  'a link to a new window': press('a', { href: elsewhere, target: '_blank' }),
  'a link that downloads': press('a', { href: elsewhere, download: 'x.exe' }),
  'a form': form({ action: elsewhere }),
  'a form that posts': form({ action: elsewhere, method: 'post' }),
  'a form to a new window': form({ action: elsewhere, target: '_blank' }),
  'a refresh': `document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '0;url=${elsewhere}' }))`,
  'a base address': `document.head.append(Object.assign(document.createElement('base'), { href: '${elsewhere}' })); ${press('a', { href: 'x' })}`,
  'a frame': press('iframe', { src: elsewhere }),
  'a frame with a document of its own': press('iframe', {
    srcdoc: '<script>parent.hacked = true; parent.location = "https://example.com/"</script>',
  }),
  'an object': press('object', { data: elsewhere }),
  'a webview': press('webview', { src: elsewhere }),
  'history to another place': `history.pushState({}, '', '${elsewhere}')`,
  'the navigation API': `navigation.navigate('${elsewhere}')`,
};

/** Attempts by hand, which need a real pointer or real drag events. */
const byHand: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'a middle click': async (page) => {
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('a'), { href: '${elsewhere}', id: 'middle', textContent: 'x', style: 'position:fixed;left:0;top:0;z-index:9999' }))`,
    );
    await page.locator('#middle').click({ button: 'middle', force: true, timeout: 1000 });
  },
  'an address dragged in': async (page) => {
    const session = await page.context().newCDPSession(page);
    const items = ['text/uri-list', 'text/plain'].map((mimeType) => ({ mimeType, data: elsewhere }));
    const data = { items, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
    }
    await session.detach();
  },
};

test(`${Object.keys(scripted).length + Object.keys(byHand).length} ways to leave the page lead nowhere, and no other window opens (S-17)`, async () => {
  const { app, page } = studio;
  const home = page.url();
  await page.evaluate(() => Object.assign(window, { documentMark: 'first' }));
  const ways = [
    ...Object.entries(scripted).map(([name, script]) => [name, () => page.evaluate(script)] as const),
    ...Object.entries(byHand).map(([name, leave]) => [name, () => leave(page)] as const),
  ];
  for (const [name, leave] of ways) {
    await leave().catch(() => undefined);
    // An allowed navigation would have started by then: main has answered and two frames have been drawn.
    await ask(page, 'jobs.list', {});
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect([name, page.url(), app.windows().length]).toEqual([name, home, 1]);
    expect([name, await page.evaluate(() => (window as { documentMark?: string }).documentMark)]).toEqual([
      name,
      'first',
    ]);
  }
  // Check the slowest of them once more at the end.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  expect([page.url(), app.windows().length]).toEqual([home, 1]);
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  expect(page.frames().filter((frame) => /^https?:\/\/example/.test(frame.url()))).toEqual([]);
});

/** The stand-in for Electron allows its own socket. */
const standIn = / ws:\/\/127\.0\.0\.1:\d+ http:\/\/127\.0\.0\.1:\d+\/__electron-host\/sync/;

test('the policy comes as a header with every answer and is that of the rules (S-20)', async () => {
  const seen = await studio.page.evaluate(async () => {
    const addresses = ['/', '/index.html', '/key.html', '/nothing', '/favicon.ico'];
    return Promise.all(
      addresses.map(async (address) => {
        const { headers } = await fetch(address);
        return [
          address,
          headers.get('content-security-policy'),
          headers.get('cross-origin-opener-policy'),
          headers.get('referrer-policy'),
          headers.get('x-content-type-options'),
          headers.get('permissions-policy'),
        ] as const;
      }),
    );
  });
  for (const [address, policy, opener, referrer, sniffing, permissions] of seen) {
    expect(policy?.replace(/'nonce-[^']+'/, "'nonce-{N}'").replace(standIn, ''), address).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{N}'; img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob: app-media:; connect-src 'self'; worker-src 'self'; object-src 'none'; frame-src 'none'; child-src 'none'; manifest-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect([opener, referrer, sniffing], address).toEqual(['same-origin', 'no-referrer', 'nosniff']);
    expect(permissions, address).toContain('camera=(), geolocation=(), usb=(), hid=(), serial=(), display-capture=()');
  }
  expect(new Set(seen.map(([, policy]) => policy)).size).toBe(seen.length);
  expect(await studio.page.locator('meta[http-equiv="Content-Security-Policy"]').count()).toBe(0);
});

test('in the real page each probe of 5.2 gives the result of the rules', async () => {
  const results = await studio.page.evaluate(
    async (tone) => {
      const works = (promise: Promise<unknown>) =>
        promise.then(
          () => 'works',
          () => 'blocked',
        );
      const loaded = (made: HTMLElement, event = 'load') =>
        new Promise<string>((tell) => {
          made.addEventListener(event, () => tell('works'));
          made.addEventListener('error', () => tell('blocked'));
        });
      const picture = (source: string) => {
        const made = new Image();
        const told = loaded(made);
        made.src = source;
        return told;
      };
      const script = (give: (made: HTMLScriptElement) => void) => {
        const made = document.createElement('script');
        give(made);
        document.body.append(made);
        return made;
      };
      const mark = (name: string) => (name in window ? 'works' : 'blocked');
      const blobOf = (text: string, type: string) => URL.createObjectURL(new Blob([text], { type }));

      script((made) => (made.textContent = 'window.inlineRan = true'));
      const fromBlob = script((made) => (made.src = blobOf('window.blobRan = true', 'text/javascript')));
      const handler = document.createElement('img');
      handler.setAttribute('onerror', 'window.handlerRan = true');
      handler.src = '/nothing.png';
      document.body.append(handler);
      const audio = document.createElement('audio');
      const soundLoads = loaded(audio, 'loadedmetadata');
      audio.src = URL.createObjectURL(new Blob([new Uint8Array(tone)], { type: 'audio/wav' }));
      const styled = document.createElement('p');
      styled.style.color = 'rgb(1, 2, 3)';
      document.body.append(styled);
      const style = document.createElement('style');
      style.textContent = '#never { color: red }';
      document.head.append(style);
      const context = new OfflineAudioContext(1, 128, 8000);
      const answer = {
        'audio from a blob': await soundLoads,
        'element style': getComputedStyle(styled).color === 'rgb(1, 2, 3)' ? 'works' : 'blocked',
        'a style element without the nonce': style.sheet === null ? 'blocked' : 'works',
        'a worklet from a blob': await works(context.audioWorklet.addModule(blobOf('', 'text/javascript'))),
        'a worker from a blob': await new Promise<string>((tell) => {
          try {
            const worker = new Worker(blobOf('postMessage(1)', 'text/javascript'));
            worker.addEventListener('message', () => tell('works'));
            worker.addEventListener('error', () => tell('blocked'));
          } catch {
            tell('blocked');
          }
        }),
        'an inline script': mark('inlineRan'),
        'a script from a blob': await Promise.race([
          loaded(fromBlob),
          new Promise<string>((tell) => setTimeout(() => tell(mark('blobRan')), 300)),
        ]),
        'an inline handler': mark('handlerRan'),
        'code from text': await works((async () => Reflect.construct(Function, ['return 1']) as unknown)()),
        WebAssembly: await works(WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))),
        'a foreign picture': await picture('https://example.com/x.png'),
        'a foreign fetch': await works(fetch('https://example.com/', { mode: 'no-cors' })),
        'a fetch from loopback': await works(fetch('http://127.0.0.1:1/', { mode: 'no-cors' })),
        'a foreign beacon': await new Promise<string>((tell) => {
          document.addEventListener('securitypolicyviolation', () => tell('blocked'), { once: true });
          navigator.sendBeacon('https://example.com/', 'x');
          setTimeout(() => tell('works'), 500);
        }),
        'a foreign socket': await new Promise<string>((tell) => {
          try {
            const socket = new WebSocket('wss://example.com/');
            socket.addEventListener('open', () => tell('works'));
            socket.addEventListener('error', () => tell('blocked'));
          } catch {
            tell('blocked');
          }
        }),
      };
      handler.remove();
      styled.remove();
      return answer;
    },
    [...toneWav(440, 0.1)],
  );
  const working = ['audio from a blob', 'element style'];
  expect(results).toEqual(
    Object.fromEntries(Object.keys(results).map((name) => [name, working.includes(name) ? 'works' : 'blocked'])),
  );
});

interface RecordedTray {
  readonly contextMenu: { readonly items: readonly { readonly id: string; click(): void }[] };
}

const pressMenu = ({ app }: Studio, id: string): Promise<void> =>
  app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click(), id);

test('the menu uses the chosen language, the user’s keys and the state of the commands; it and the tray run them', async () => {
  const { page, app } = studio;
  await expect.poll(() => menuItem(studio, 'files.add')).toMatchObject({ enabled: false });
  await ask(page, 'connection.choose', { mode: 'practice' });
  await ask(page, 'settings.update', { interfaceLanguage: 'ru', shortcuts: { 'files.add': 'Mod+KeyI' } });
  await expect
    .poll(() => menuItem(studio, 'files.add'))
    .toEqual({ label: 'Добавить файлы…', accelerator: 'CommandOrControl+I', enabled: true });
  await expect.poll(() => menuItem(studio, 'samples.add')).toMatchObject({ enabled: true });
  expect(await menuItem(studio, 'transcript.export')).toMatchObject({ enabled: false });
  // What only an open transcript has is in no menu here; macOS greys it out.
  if (process.platform !== 'darwin') expect(await menuItem(studio, 'playback.back')).toBeNull();
  await pressMenu(studio, 'settings.open');
  await expect.poll(() => page.evaluate(() => window.location.hash)).toContain('/settings');

  // The tray pauses the queue; only the stand-in keeps what a tray shows.
  const isPressed = await app.evaluate(({ Tray }) => {
    const { recorded } = Tray as unknown as { readonly recorded?: readonly RecordedTray[] };
    const item = recorded?.[0]?.contextMenu.items.find(({ id }) => id === 'pause');
    item?.click();
    return item !== undefined;
  });
  if (!isPressed) return;
  const isHeld = async () => {
    const list = await ask(page, 'jobs.list', {});
    return list.ok && list.value.queue.isHeld;
  };
  await expect.poll(isHeld).toBe(true);
});
