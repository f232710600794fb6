import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app } from './api/app.ts';
import { BrowserWindow } from './api/browser-window.ts';
import { nativeTheme } from './api/native-theme.ts';
import { sessionByToken } from './api/session.ts';
import { startChromium } from './chromium.ts';
import { findBrowser, hasDisplay } from './find-browser.ts';
import { pagesByNonce } from './page.ts';
import { knownSchemes } from './scheme-urls.ts';
import { startServer } from './server.ts';
import { host } from './state.ts';
import { watchTargets } from './windows.ts';
import { pageOf } from './api/web-contents.ts';

/** The loopback server, started before the app's code runs, so that the browser does not wait for it. */
export async function listen(): Promise<void> {
  host.server = await startServer({
    handlerOf: (token, scheme) => sessionByToken(token)?.protocol.handlers.get(scheme),
    takeSocket: (nonce, socket, origin) => pagesByNonce.get(nonce)?.ipc.take(socket, origin) ?? false,
    answerSync: (nonce, body) => pagesByNonce.get(nonce)?.ipc.answerSync(body) ?? null,
  });
}

/** Starts the browser, then tells the app that it is ready. */
export async function start(): Promise<void> {
  const { switches } = app.commandLine;
  host.headless = switches.has('headless') || process.env['ELECTRON_HOST_HEADLESS'] === '1' || !hasDisplay();
  const executable = findBrowser();
  if (executable === null) {
    process.stderr.write(
      "electron-host: no Chromium or Chrome was found, and Electron's own binary is not there either.\n",
    );
    process.exit(1);
  }
  const profile = join(app.getPath('sessionData'), 'browser-profile');
  mkdirSync(profile, { recursive: true });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());

  const { server } = host;
  if (server === null) throw new Error('electron-host: the server is not there');
  const address = `127.0.0.1:${server.port}`;
  const browser = await startChromium({
    executable,
    profile,
    headless: host.headless,
    // Other names must still resolve, so only the schemes known before ready are mapped.
    hostRules: [...knownSchemes].map((scheme) => `MAP *.${scheme}.localhost ${address}`),
    switches,
  });
  host.browser = browser;
  process.on('exit', browser.kill);
  void browser.ended.then(() => {
    if (app.isQuitting) return;
    process.stderr.write('electron-host: the browser has ended\n');
    for (const window of BrowserWindow.getAllWindows()) window.gone();
    app.exit(1);
  });
  await watchTargets();
  Object.defineProperty(process.versions, 'chrome', { value: browser.product.replace(/^.*\//, ''), enumerable: true });
  app.on('web-contents-created', (_event, contents: Parameters<typeof pageOf>[0]) => {
    const page = pageOf(contents);
    void page.attached.then(() => nativeTheme.apply(page));
  });
  app.becomeReady();
}
