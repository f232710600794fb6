import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPackage, extractAll, extractFile, listPackage } from '@electron/asar';
import { _electron, type ElectronApplication } from '@playwright/test';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { locateDataFolder } from '../../electron/platform/node/data-folder.ts';
import { startPracticeServer } from '../../electron/practice/server.ts';
import { hostShell } from '../../scripts/find-shell.ts';
import { ask } from '../e2e/support/ask.ts';
import { toolNames, withToolServer, writeSettings } from '../cli/tool-server-rig.ts';
import { appSources } from '../security/app-sources.ts';
import { buildIfStale } from '../../scripts/build.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'packaging-'));
const unpacked = join(work, 'release', 'linux-unpacked');
const archive = join(unpacked, 'resources', 'app.asar');

/** Where Electron has its fuses inside its binary: a mark, a version, a count, one character each. */
const fuseMark = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const fuseNames = Object.values(FuseV1Options).filter((name) => typeof name === 'string');

/** Stands in for Electron's binary where it is missing: not runnable, but with fuses that can be set and read. */
function writeStandIn(folder: string): void {
  for (const path of ['resources', 'locales']) mkdirSync(join(folder, path), { recursive: true });
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version']) writeFileSync(join(folder, name), '');
  const wire = Buffer.from([1, fuseNames.length, ...fuseNames.map(() => FuseState.ENABLE)]);
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from(`stand-in ${fuseMark}`), wire, Buffer.alloc(64)]));
  chmodSync(join(folder, 'electron'), 0o755);
}

/** A package that a workflow has built for its own system; the rest is read from one that is built here. */
const built = process.env['OVOZ_PACKAGE'];
/** What electron-builder makes of its settings for the targets that need a download. */
const desktopFile = join(work, 'app.desktop');
const describeDesktop = `module.exports = async ({ packager }) => {
  const { LinuxTargetHelper } = require(${JSON.stringify(join(root, 'node_modules/app-builder-lib/out/targets/LinuxTargetHelper.js'))});
  const entry = new LinuxTargetHelper(packager).computeDesktopEntry(packager.platformSpecificBuildOptions);
  require('node:fs').writeFileSync(${JSON.stringify(desktopFile)}, await entry);
};`;
/** The package's parts where Electron would find them. */
const layout = join(work, 'layout', 'resources', 'app.asar');

let files: readonly string[] = [];

beforeAll(async () => {
  if (built !== undefined) return;
  await buildIfStale();
  const standIn = join(work, 'electron');
  writeStandIn(standIn);
  const builder = join(root, 'node_modules', 'electron-builder', 'out', 'cli', 'cli.js');
  const settings = [`-c.electronDist=${standIn}`, `-c.directories.output=${join(work, 'release')}`];
  writeFileSync(join(work, 'describe.cjs'), describeDesktop);
  settings.push(`-c.afterPack=${join(work, 'describe.cjs')}`);
  await run(process.execPath, [builder, '--linux', '--x64', '--dir', ...settings], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  files = listFiles(archive);
  extractAll(archive, layout);
}, 120_000);
afterAll(() => rmSync(work, { recursive: true, force: true }));

const listFiles = (packed: string): readonly string[] =>
  listPackage(packed, { isPack: false }).map((path) => path.replaceAll('\\', '/'));

/** What an archive lacks, and what it has besides. */
function differencesOf(packed: readonly string[]) {
  const isBuilt = /^[/]dist[/](main|preload|renderer)[/].*[.]/;
  const made = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
    .map((path) => `/dist/${path.replaceAll('\\', '/')}`)
    .filter((path) => isBuilt.test(path) && !path.endsWith('.map'));
  const samples = readdirSync(join(root, 'assets', 'samples'))
    .filter((name) => /[.](json|wav|mp3|m4a|ogg|flac)$/.test(name))
    .map((name) => `/assets/samples/${name}`);
  const allowed =
    /^\/(dist|assets|node_modules)$|^\/(package\.json|LICENSE)$|^\/dist\/(main|preload|renderer)(\/|$)|^\/assets\/(samples|noisy|icons)(\/|$)|^\/node_modules\/keytar(\/|$)/;
  const refused = /\.(ts|tsx|map|md|log|gyp|cc|h)$|\.env|\.test\./;
  return {
    missing: [...new Set([...needed, ...made, ...samples])].filter((path) => !packed.includes(path)),
    besides: packed.filter((path) => !allowed.test(path) || refused.test(path)),
  };
}

/** Without these it does not start, or does not do its work. */
const needed = [
  '/dist/main/index.js',
  '/dist/main/practice.js',
  '/dist/main/audio-worker.js',
  '/dist/main/decoder-worker.js',
  '/dist/main/library-worker.js',
  '/dist/main/chunks/ort-wasm-simd-threaded.mjs',
  '/dist/main/chunks/ort-wasm-simd-threaded.wasm',
  '/dist/preload/index.cjs',
  '/dist/preload/key.cjs',
  '/dist/preload/overlay.cjs',
  '/dist/renderer/index.html',
  '/dist/renderer/key.html',
  '/dist/renderer/overlay.html',
  '/assets/icons/icon.png',
  '/assets/icons/tray/tray.png',
  '/assets/samples/lecture-ru.ogg',
  '/assets/samples/lecture-ru.json',
  '/package.json',
  '/LICENSE',
];

describe.skipIf(built !== undefined)('what ships', () => {
  it('is all that was built, the samples and the icons, and no source, test, map, environment file or tool', () => {
    expect(differencesOf(files)).toEqual({ missing: [], besides: [] });
  });

  it('packed without a needed file, or with a map, it is found out', async () => {
    const spoilt = join(work, 'spoilt.asar');
    const network = '/dist/main/chunks/ort-wasm-simd-threaded.wasm';
    const map = '/dist/preload/index.cjs.map';
    renameSync(join(layout, network), join(work, 'network.wasm'));
    writeFileSync(join(layout, map), '{}');
    await createPackage(layout, spoilt);
    renameSync(join(work, 'network.wasm'), join(layout, network));
    rmSync(join(layout, map));
    expect(differencesOf(listFiles(spoilt))).toEqual({ missing: [network], besides: [map] });
  });

  it('contains no key, no pointer to a map and no path of the machine that built it', () => {
    const texts = files.filter((path) => /[.](c?js|mjs|html|css|json)$/.test(path));
    expect(texts.length).toBeGreaterThan(60);
    const told = texts.filter((path) => {
      const text = extractFile(archive, path.slice(1)).toString();
      return /sourceMappingURL=|BEGIN [A-Z ]*PRIVATE KEY/.test(text) || text.includes(root);
    });
    expect(told).toEqual([]);
  });

  it('every part that one of its scripts imports is there', () => {
    const scripts = files.filter((path) => /^[/]dist[/]main[/].*[.]m?js$/.test(path));
    const loads =
      /^(?:import|export)\b[^"'\n;]*["'](\.[^"']+)["'];?$|(?<!\{|typeof )\bimport\(["'](\.[^"']+\.m?js)["']\)/gm;
    const wanted = scripts.flatMap((path) =>
      [...extractFile(archive, path.slice(1)).toString().matchAll(loads)].map(
        ([, first, later]) => new URL(String(first ?? later), `file://${path}`).pathname,
      ),
    );
    expect(wanted.length).toBeGreaterThan(40);
    expect([...new Set(wanted)].filter((path) => !files.includes(path))).toEqual([]);
  });

  it('contains keytar as the only package, with the addon of this platform as a separate file', () => {
    const addons = files.filter((path) => path.endsWith('.node'));
    expect(addons).toEqual(['/node_modules/keytar/prebuilds/linux-x64/keytar.node']);
    expect(existsSync(`${archive}.unpacked${addons[0]}`)).toBe(true);
    const outside = readdirSync(`${archive}.unpacked`, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(outside.map(({ name }) => name)).toEqual(['keytar.node']);
  });

  it('describes what it is and nothing of how it was made', () => {
    const description = JSON.parse(extractFile(archive, 'package.json').toString()) as Record<string, unknown>;
    expect(description).toMatchObject({
      name: 'ovoz-studio',
      productName: 'Ovoz Studio',
      main: 'dist/main/index.js',
      type: 'module',
      // Wayland finds the window's icon by it.
      desktopName: 'ovoz-studio.desktop',
    });
    expect(Object.keys(description)).not.toContain('devDependencies');
    const desktop = readFileSync(desktopFile, 'utf8').trim().split('\n');
    expect(desktop).toEqual([
      '[Desktop Entry]',
      'Name=Ovoz Studio',
      'Exec="/opt/Ovoz Studio/ovoz-studio" %U',
      'Terminal=false',
      'Type=Application',
      'Icon=ovoz-studio',
      'StartupWMClass=ovoz-studio',
      'Comment=Turn recorded speech in Uzbek, Russian and English into text you can trust',
      'Categories=AudioVideo;',
    ]);
    const sideOf = (path: string) => readFileSync(join(root, 'assets', 'icons', path)).readUInt32BE(16);
    for (const side of [16, 32, 48, 128, 256, 512]) expect(sideOf(`linux/${side}x${side}.png`)).toBe(side);
    // macOS wants 512, Windows 256.
    expect(sideOf('icon.png')).toBeGreaterThanOrEqual(512);
  });

  it('tells the licence of everything in it', () => {
    const text = readFileSync(join(unpacked, 'resources', 'LICENSES.txt'), 'utf8');
    const parts = text.split(`\n${'='.repeat(80)}\n\n`).map((part) => {
      const [title = '', , ...licence] = part.split('\n');
      return { title, licence: licence.join('\n') };
    });
    const named = new Set(parts.map(({ title }) => title.replace(/ [\d.]+.*$/, '')));
    // What the sources import, and what the unminified code says it came from.
    const imported = /from '((?:@[\w-]+\/)?[\w][\w.-]*)(?:\/[^']*)?'/g;
    const ours = [...appSources.values()].flatMap((text) =>
      [...text.replaceAll(/import type [^;]*;/g, '').matchAll(imported)].map(([, name]) => String(name)),
    );
    const code = files.filter((path) => /^[/]dist[/](main|preload)[/].*js$/.test(path));
    const inside = code.flatMap((path) =>
      [
        ...extractFile(archive, path.slice(1))
          .toString()
          .matchAll(/^\/\/ (?:\.\.\/)*node_modules\/((?:@[^/]+\/)?[^/\n]+)/gm),
      ].map(([, name]) => String(name)),
    );
    expect(inside.length).toBeGreaterThan(100);
    const known = new Set(['electron', 'keytar']);
    const missing = [...new Set([...ours, ...inside])].filter((name) => !known.has(name) && !named.has(name));
    expect(missing).toEqual([]);
    expect(parts.filter(({ licence }) => !/permi|licen|copying/i.test(licence)).map(({ title }) => title)).toEqual([]);
    expect([...named]).toEqual(expect.arrayContaining(['dictionary-ru', 'onnxruntime-web', 'react', '@github/keytar']));
    const allowed =
      /\((MIT|ISC|Apache-2\.0|BSD-3-Clause|MPL-2\.0|Unlicense|OFL-1\.1|\((MIT|Apache-2\.0) AND BSD(-3-Clause)?\))\)$/;
    const others = parts.map(({ title }) => title).filter((title) => !allowed.test(title));
    // A part of the FLAC and Vorbis decoders; its source is in its package, unchanged.
    expect(others).toEqual([expect.stringMatching(/^codec-parser .*\(LGPL-3\.0-or-later\)$/)]);
  });
});

it.skipIf(built !== undefined)(
  'what is packed serves the tools without a window, and ends with its client',
  async () => {
    const practice = await startPracticeServer();
    const place = { dataDir: join(work, 'data'), url: practice.url, key: practice.token };
    try {
      const pid = await withToolServer({ ...place, program: [hostShell.executable, layout] }, async (server) => {
        const { tools } = await server.client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(toolNames));
        expect(await server.call('list_models')).toMatchObject({ isError: false, value: { object: 'list' } });
        // Nothing is paid for while nobody can be asked.
        const spoken = await server.call('text_to_speech', { text: 'Salom', language: 'uz', voice_id: 'v' });
        expect(spoken).toMatchObject({ isError: true, value: { code: 'nobody_to_ask', outcome: 'not_sent' } });
        return server.pid() ?? 0;
      });
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 10_000);
    } finally {
      await practice.close();
    }
  },
  60_000,
);

/** Whether the library has noted a folder that is watched. */
function isWatching(path: string): boolean {
  const library = new DatabaseSync(path, { readOnly: true });
  try {
    return library.prepare("SELECT 1 FROM automation WHERE outcome = 'there-before'").get() !== undefined;
  } finally {
    library.close();
  }
}

/** What the way of a recording does not start: the other windows with their preloads, and the thread that decodes. */
async function startTheRest(studio: ElectronApplication): Promise<void> {
  studio.context().setDefaultTimeout(60_000);
  const page = await studio.firstWindow();
  const [keyWindow] = await Promise.all([studio.waitForEvent('window'), ask(page, 'connection.enterKey', {})]);
  await keyWindow.waitForSelector('#key:focus');
  // Closed before the key is released.
  await Promise.all([keyWindow.waitForEvent('close'), keyWindow.keyboard.press('Escape').catch(() => undefined)]);
  // The app opens it where there are global keys, and the stand-in has none.
  const openOverlay = studio.evaluate(
    ({ BrowserWindow }, preload) => {
      void new BrowserWindow({ webPreferences: { preload, sandbox: true } }).loadURL('app://studio/overlay.html');
    },
    join(layout, 'dist', 'preload', 'overlay.cjs'),
  );
  const [overlay] = await Promise.all([studio.waitForEvent('window'), openOverlay]);
  await overlay.waitForFunction(() => 'overlay' in window);
  await page.getByRole('row').filter({ hasText: 'lecture-ru' }).getByRole('button', { name: 'Open' }).click();
  await page.waitForURL(/transcripts[/]/);
  const transcriptId = /transcripts[/]([^/]+)/.exec(page.url())?.[1] ?? '';
  const opened = await ask(page, 'transcripts.open', { transcriptId });
  const media = opened.ok ? opened.value.mediaUrl : opened.error.kind;
  const peaks = `fetch('${media}/peaks').then((answer) => answer.arrayBuffer()).then((bytes) => bytes.byteLength)`;
  expect(await page.evaluate(peaks)).toBeGreaterThan(100);
}

it('what is packed shows its windows, and its threads turn a recording into text', async () => {
  const home = built === undefined ? work : homedir();
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(OVOZ_(?!BROWSER)|NODE_)/.test(name)),
  ) as Record<string, string>;
  if (built === undefined) Object.assign(env, { HOME: home, XDG_CONFIG_HOME: join(home, 'config') });
  env['OVOZ_LOCAL_MODEL'] = join(root, 'tests', 'fixtures', 'recogniser');
  const { root: data } = locateDataFolder(null, { platform: process.platform, env, home });
  expect(existsSync(data), `${data} belongs to somebody`).toBe(false);
  const [heard, written] = [join(work, 'heard'), join(work, 'written')];
  for (const folder of [heard, written]) mkdirSync(folder);
  writeSettings(data, {
    mode: 'local',
    interfaceLanguage: 'en',
    speechLanguage: 'ru',
    watchFolders: [heard],
    savesCopies: true,
    copyFolder: written,
  });
  const inHost = { executablePath: hostShell.executable, args: [layout], env, colorScheme: null, timeout: 120_000 };
  const studio = built === undefined ? await _electron.launch(inHost) : null;
  const app = studio?.process() ?? spawn(String(built), { env, stdio: 'inherit' });
  const ended = new Promise((resolve) => app.once('exit', resolve));
  const log = () => {
    const path = join(data, 'logs', 'studio.log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  try {
    // The page has started, and main answers it through the preload.
    await vi.waitFor(() => expect(log()).toMatch(/"ipc-call".*"route":"jobs/), 120_000);
    // What is in the folder before it is watched is left alone.
    await vi.waitFor(() => expect(isWatching(join(data, 'library.db'))).toBe(true), 60_000);
    // The first four seconds: an Ogg file may end after any of its pages.
    const sample = readFileSync(join(root, 'assets', 'samples', 'lecture-ru.ogg'));
    writeFileSync(join(heard, 'lecture-ru.ogg'), sample.subarray(0, sample.indexOf('OggS', 16_000)));
    const texts = () => readdirSync(written).map((name) => readFileSync(join(written, name), 'utf8'));
    await vi.waitFor(() => expect(texts().join('\n')).toContain('сегодня на лекции'), 180_000);
    if (studio !== null) await startTheRest(studio);
    expect(log()).not.toMatch(/page-gone|ipc-bug|job-bug|library-bug/);
  } finally {
    app.kill();
    await ended;
    if (built !== undefined) rmSync(data, { recursive: true, force: true, maxRetries: 20 });
  }
  if (process.platform !== 'win32') expect(log()).toContain('"app-stop"');
}, 480_000);

it.skipIf(built !== undefined)(
  'the fuses are those of the rules, and every fuse of the installed tool has been decided',
  async () => {
    const wire = await getCurrentFuseWire(join(unpacked, 'ovoz-studio'));
    const fuses = Object.fromEntries(
      fuseNames.map((name) => [name, wire[FuseV1Options[name as keyof typeof FuseV1Options]] === FuseState.ENABLE]),
    );
    expect(fuses).toEqual({
      RunAsNode: false,
      EnableCookieEncryption: true,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      LoadBrowserProcessSpecificV8Snapshot: false,
      GrantFileProtocolExtraPrivileges: false,
      WasmTrapHandlers: true,
    });
  },
);
