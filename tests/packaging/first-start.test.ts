import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.ts';
import { folderOfFile } from '../support/test-folders.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const tls = new URL('../fixtures/tls/', import.meta.url);
const work = folderOfFile();
const wayOut = 'OVOZ_SHELL=host npm start starts without Electron.';

beforeAll(buildIfStale, 120_000);

/** What `npm start` says on standard error, with its exit code. */
function start(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly said: string; readonly code: number | null }> {
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, OVOZ_BROWSER: _browser, ...rest } = process.env;
  const inherited = Object.fromEntries(Object.entries(rest).filter(([name]) => !/proxy|^npm_/i.test(name)));
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { ...inherited, OVOZ_DATA_DIR: join(work, 'data'), electron_config_cache: join(work, 'cache'), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ said, code })));
}

let copies = 0;
/** A program in Electron's place that prints what Electron prints, and ends as it ends. */
function electronThat(prints: string, ends: string): Record<string, string> {
  const folder = join(work, `electron-${(copies += 1)}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'said'), prints);
  writeFileSync(join(folder, 'electron'), `#!/bin/sh\ncat "${folder}/said" >&2\n${ends}\n`);
  chmodSync(join(folder, 'electron'), 0o755);
  return { OVOZ_SHELL: 'electron', ELECTRON_OVERRIDE_DIST_PATH: folder };
}

describe.skipIf(process.platform !== 'linux')(
  'Electron is here and does not start: one sentence says why and what to do',
  () => {
    it('no display', async () => {
      const { said, code } = await start(
        electronThat(
          '[5895:1130/093832.347907:ERROR:ui/ozone/platform/x11/ozone_platform_x11.cc:257] Missing X server or $DISPLAY\n' +
            '[5895:1130/093832.347965:ERROR:ui/aura/env.cc:246] The platform failed to initialize.  Exiting.\n',
          'kill -SEGV $$',
        ),
      );
      expect(said).toContain('Missing X server or $DISPLAY');
      expect(said.trimEnd().split('\n').at(-1)).toBe(
        `Electron could not start: there is no display. Start it in a desktop, or run: xvfb-run -a npm start. ${wayOut}`,
      );
      expect(code).toBe(139);
    });

    it.each([
      "[77996:0908/150845.938417:FATAL:sandbox/linux/suid/client/setuid_sandbox_host.cc:166] The SUID sandbox helper binary was found, but is not configured correctly. Rather than run without sandboxing I'm aborting now. You need to make sure that /x/chrome-sandbox is owned by root and has mode 4755.",
      '[4317:0206/185050.022641:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:128] No usable sandbox! If you are running on Ubuntu 23.10+ or another Linux distro that has disabled unprivileged user namespaces with AppArmor, see https://chromium.googlesource.com/chromium/src/+/main/docs/security/apparmor-userns-restrictions.md.',
    ])('the sandbox refused: %.100s', async (prints) => {
      const env = electronThat(`${prints}\n`, 'kill -TRAP $$');
      const { said, code } = await start(env);
      const helper = `"${env['ELECTRON_OVERRIDE_DIST_PATH']}/chrome-sandbox"`;
      expect(said.trimEnd().split('\n').at(-1)).toBe(
        `Electron could not start: the system refuses its sandbox. Run: sudo chown root ${helper} && sudo chmod 4755 ${helper}. ${wayOut}`,
      );
      expect(code).toBe(133);
    });

    it('a library missing', async () => {
      const { said, code } = await start(
        electronThat(
          '/x/electron: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory\n',
          'exit 127',
        ),
      );
      expect(said.trimEnd().split('\n').at(-1)).toMatch(
        /^Electron could not start: libnss3[.]so is missing[.] Run: .*nss.* OVOZ_SHELL=host npm start starts without Electron[.]$/,
      );
      expect(code).toBe(127);
    });

    it('a crash, and a program that may not be run', async () => {
      const crashed = await start(electronThat('', 'kill -ABRT $$'));
      expect(crashed.said).toMatch(/^Electron crashed \(SIGABRT\)[.] .*install-electron.* OVOZ_SHELL=host npm start/m);
      const env = electronThat('', '');
      chmodSync(join(String(env['ELECTRON_OVERRIDE_DIST_PATH']), 'electron'), 0o644);
      const refused = await start(env);
      expect(refused.said).toMatch(/^Electron could not start: spawn .* OVOZ_SHELL=host npm start starts/m);
      expect(refused.code).toBe(1);
    });

    it('an end that the user wanted says nothing', async () => {
      expect(await start(electronThat('a warning\n', 'exit 0'))).toEqual({ said: 'a warning\n', code: 0 });
      expect(await start(electronThat('a warning\n', 'exit 3'))).toEqual({ said: 'a warning\n', code: 3 });
    });
  },
);

describe('Electron is not here and cannot be fetched by its own installer', () => {
  const empty = join(work, 'empty');
  const servers: Server[] = [];
  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return (server.address() as AddressInfo).port;
  };
  const answer: RequestListener = (_request, response) => response.writeHead(403).end();
  afterAll(() => servers.forEach((server) => server.close()));

  const fetchBy = async (mirror: string, env: Readonly<Record<string, string>> = {}) => {
    const from = { ELECTRON_MIRROR: mirror, ELECTRON_OVERRIDE_DIST_PATH: empty };
    const { said, code } = await start({ OVOZ_SHELL: 'electron', ...from, ...env });
    expect(code).toBe(1);
    const [sentence = '', ...others] = said
      .trimEnd()
      .split('\n')
      .filter((line) => line !== 'Fetching Electron…');
    expect(others).toEqual([]);
    expect(sentence).toMatch(
      /^Electron could not be fetched: .* then run "npx install-electron"[.] OVOZ_SHELL=host npm/,
    );
    return sentence;
  };

  it('address not found', async () => {
    expect(await fetchBy('https://nowhere.invalid/')).toContain('the address of the download was not found');
  });

  it('connection refused', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((closed) => server.close(closed));
    expect(await fetchBy(`https://127.0.0.1:${port}/`)).toContain('the connection was refused or cut');
  });

  it('download forbidden', async () => {
    const port = await listen(createServer(answer));
    expect(await fetchBy(`http://127.0.0.1:${port}/`)).toContain('this network forbids the download. Have github.com');
  });

  it('a proxy that asks for a password', async () => {
    const proxy = createServer(answer);
    proxy.on('connect', (_request, socket) =>
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n'),
    );
    const address = `http://127.0.0.1:${await listen(proxy)}`;
    const said = await fetchBy('https://example.invalid/', { HTTPS_PROXY: address, HTTP_PROXY: address });
    expect(said).toContain('the proxy asks for a name and a password. Put them into HTTPS_PROXY');
  });

  it('a certificate of the network', async () => {
    const [key, cert] = ['key', 'cert'].map((kind) => readFileSync(new URL(`self-signed.${kind}.pem`, tls)));
    const port = await listen(createSecureServer({ key, cert }, answer));
    expect(await fetchBy(`https://localhost:${port}/`)).toContain('root certificate in NODE_EXTRA_CA_CERTS');
  });

  it('nobody asked for Electron: the sentence, and the studio on the stand-in', async () => {
    const browser = join(work, 'browser');
    writeFileSync(browser, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const { said } = await start({
      ELECTRON_MIRROR: 'https://nowhere.invalid/',
      ELECTRON_OVERRIDE_DIST_PATH: empty,
      OVOZ_BROWSER: browser,
      OVOZ_SHELL: '',
    });
    const [why, where] = said.split('\n').filter((line) => line.startsWith('Electron') || line.startsWith('Without'));
    expect(why).toContain('the address of the download was not found');
    expect(where).toBe(
      `Without Electron: running the studio in ${browser} without a window, because there is no display.`,
    );
  });
});
