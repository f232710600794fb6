import { app, BrowserWindow, ipcMain, net, protocol, session } from 'electron';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const here = import.meta.dirname;
const userData = process.env.FIXTURE_USER_DATA;
if (userData) app.setPath('userData', userData);

/** What the spec reads and controls through `electronApplication.evaluate`. */
const fixture = {
  log: [],
  second: [],
  allow: new Set(),
  denyNavigation: true,
  keepOpen: false,
  icons: 0,
  utility: path.join(here, 'utility.mjs'),
  thrown(call) {
    try {
      call();
      return null;
    } catch (error) {
      return error.message;
    }
  },
};
globalThis.fixture = fixture;

protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  { scheme: 'odd', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
]);
app.enableSandbox();
fixture.first = app.requestSingleInstanceLock({ from: 'fixture' });
if (!fixture.first) app.quit();
app.on('second-instance', (_event, argv, directory, data) => fixture.second.push({ argv, directory, data }));
for (const name of ['before-quit', 'will-quit', 'quit']) app.on(name, () => process.stdout.write(`event ${name}\n`));

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
ipcMain.on('port-from-page', (event, message) => {
  const [port] = event.ports;
  port.on('message', ({ data }) => port.postMessage({ note: message.note, data }));
  port.on('close', () => fixture.log.push(['port-closed']));
  port.start();
});

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self'";

async function serve(request) {
  const url = new URL(request.url);
  fixture.lastRequest = { url: request.url, method: request.method, origin: request.headers.get('origin') };
  if (url.pathname === '/body') return new Response(`${request.method} ${(await request.text()).length}`);
  if (url.pathname === '/moved')
    return new Response(null, { status: 302, headers: { location: 'app://fixture/other.html' } });
  if (url.pathname === '/fails') throw new Error('the handler failed');
  if (url.pathname === '/favicon.ico') fixture.icons += 1;
  if (url.pathname === '/error') return Response.error();
  const name = url.pathname === '/' ? '/index.html' : url.pathname;
  const file = await net.fetch(pathToFileURL(path.join(here, 'pages', path.basename(name))).href).catch(() => null);
  if (file === null) return new Response('not found', { status: 404 });
  const headers = new Headers(file.headers);
  headers.set('content-security-policy', policy);
  return new Response(file.body, { headers });
}

function createWindow(options = {}) {
  const window = new BrowserWindow({
    width: 900,
    height: 640,
    show: false,
    ...options,
    webPreferences: { preload: path.join(here, 'preload.cjs'), sandbox: true, contextIsolation: true },
  });
  window.once('ready-to-show', () => window.show());
  window.on('close', (event) => {
    fixture.log.push(['close']);
    if (fixture.keepOpen) event.preventDefault();
  });
  return window;
}
fixture.createWindow = createWindow;

if (fixture.first) {
  void app.whenReady().then(async () => {
    protocol.handle('app', serve);
    session.defaultSession.setPermissionRequestHandler((_contents, permission, decide) => {
      fixture.log.push(['request', permission]);
      decide(fixture.allow.has(permission));
    });
    session.defaultSession.setPermissionCheckHandler((_contents, permission) => fixture.allow.has(permission));
    const window = createWindow();
    fixture.window = window;
    await window.loadURL('app://fixture/index.html');
    process.stdout.write('loaded\n');
  });
}
