import electron, { app, BrowserWindow, ipcMain, net, protocol, session } from 'electron';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const here = import.meta.dirname;
const userData = process.env.FIXTURE_USER_DATA;
if (userData) app.setPath('userData', userData);

/** What the spec reads and controls through `electronApplication.evaluate`. */
const fixture = {
  log: [],
  requests: [],
  second: [],
  allow: new Set(),
  denyNavigation: true,
  keepOpen: false,
  named: Object.keys(electron),
  preload: path.join(here, 'preload.cjs'),
  utility: path.join(here, 'utility.mjs'),
};
globalThis.fixture = fixture;

protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
]);
app.enableSandbox();
fixture.first = app.requestSingleInstanceLock({ from: 'fixture' });
if (!fixture.first) app.quit();
app.on('second-instance', (_event, argv, directory, data) => fixture.second.push({ argv, directory, data }));
for (const name of ['before-quit', 'will-quit', 'quit']) app.on(name, () => process.stdout.write(`event ${name}\n`));
app.on('window-all-closed', () => fixture.log.push(['window-all-closed']));

app.on('web-contents-created', (_event, contents) => {
  for (const name of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
    contents.on(name, (event) => {
      fixture.log.push([name, event.url]);
      if (fixture.denyNavigation) event.preventDefault();
    });
  }
  contents.setWindowOpenHandler(({ url }) => {
    fixture.log.push(['open', url]);
    return { action: 'deny' };
  });
});

ipcMain.handle('echo', (_event, value) => value);
ipcMain.handle('sender', (event) => ({
  url: event.senderFrame.url,
  origin: event.senderFrame.origin,
  isTop: event.senderFrame.parent === null,
  contents: event.sender.id,
  window: BrowserWindow.fromWebContents(event.sender)?.id ?? null,
}));
ipcMain.handle('fails', () => {
  throw new TypeError('it broke');
});
ipcMain.on('from-page', (event, ...args) => {
  fixture.log.push(['from-page', ...args]);
  event.reply('to-page', 'reply', ...args);
});
ipcMain.on('sync', (event, value) => {
  event.returnValue = { got: value };
});
ipcMain.on('port-from-page', (event, message) => {
  const [port] = event.ports;
  port.on('message', ({ data }) => port.postMessage({ note: message.note, data }));
  port.on('close', () => fixture.log.push(['port-closed']));
  port.start();
});

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; media-src 'self'; connect-src 'self'; img-src 'self'";

async function media(request) {
  const file = process.env.FIXTURE_MEDIA;
  const { size } = await stat(file);
  const range = /bytes=(\d+)-(\d*)/.exec(request.headers.get('range') ?? '');
  const start = range ? Number(range[1]) : 0;
  const end = range?.[2] ? Number(range[2]) : size - 1;
  fixture.requests.push(request.headers.get('range'));
  return new Response(Readable.toWeb(createReadStream(file, { start, end })), {
    status: range ? 206 : 200,
    headers: {
      'content-type': 'audio/wav',
      'accept-ranges': 'bytes',
      'content-length': String(end - start + 1),
      ...(range && { 'content-range': `bytes ${String(start)}-${String(end)}/${String(size)}` }),
    },
  });
}

async function serve(request) {
  const url = new URL(request.url);
  fixture.lastRequest = { url: request.url, method: request.method, origin: request.headers.get('origin') };
  if (url.pathname === '/media') return media(request);
  if (url.pathname === '/body') return new Response(`${request.method} ${(await request.text()).length}`);
  if (url.pathname === '/moved')
    return new Response(null, { status: 302, headers: { location: 'app://fixture/other.html' } });
  if (url.pathname === '/favicon.ico') return new Response(null, { status: 204 });
  if (url.pathname === '/fails') throw new Error('the handler failed');
  if (url.pathname === '/stream') {
    const parts = ['one ', 'two ', 'three'];
    const body = new ReadableStream({
      async pull(controller) {
        const part = parts.shift();
        if (part === undefined) return controller.close();
        await new Promise((resolve) => setTimeout(resolve, 5));
        controller.enqueue(new TextEncoder().encode(part));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/plain' } });
  }
  const name = url.pathname === '/' ? '/index.html' : url.pathname;
  const file = await net.fetch(pathToFileURL(path.join(here, 'pages', path.basename(name))).href).catch(() => null);
  if (file === null) return new Response('not found', { status: 404 });
  const headers = new Headers(file.headers);
  headers.set('content-security-policy', policy);
  headers.set('x-content-type-options', 'nosniff');
  return new Response(file.body, { headers });
}

function createWindow(options = {}) {
  const { webPreferences, ...rest } = options;
  const window = new BrowserWindow({
    width: 900,
    height: 640,
    show: false,
    ...rest,
    webPreferences: {
      preload: fixture.preload,
      sandbox: true,
      contextIsolation: true,
      additionalArguments: ['--fixture-argument'],
      ...webPreferences,
    },
  });
  window.once('ready-to-show', () => {
    fixture.log.push(['ready-to-show', window.isVisible()]);
    window.show();
  });
  for (const name of [
    'maximize',
    'unmaximize',
    'minimize',
    'restore',
    'resize',
    'focus',
    'blur',
    'closed',
    'show',
    'hide',
  ]) {
    window.on(name, () => fixture.log.push([name]));
  }
  window.on('close', (event) => {
    fixture.log.push(['close']);
    if (fixture.keepOpen) event.preventDefault();
  });
  return window;
}
fixture.createWindow = createWindow;

function guard(target) {
  target.setPermissionRequestHandler((_contents, permission, callback, details) => {
    fixture.log.push(['request', permission, details.mediaTypes ?? null]);
    callback(fixture.allow.has(permission));
  });
  target.setPermissionCheckHandler((_contents, permission) => {
    fixture.checked = [...(fixture.checked ?? []), permission];
    return fixture.allow.has(permission);
  });
}
fixture.guard = guard;
fixture.serve = serve;

if (fixture.first) {
  void app.whenReady().then(async () => {
    protocol.handle('app', serve);
    guard(session.defaultSession);
    const window = createWindow();
    fixture.window = window;
    await window.loadURL('app://fixture/index.html');
    fixture.log.push(['loaded']);
    process.stdout.write('loaded\n');
  });
}
