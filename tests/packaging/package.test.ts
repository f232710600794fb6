import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { extractAll, extractFile, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startPracticeServer } from '../../electron/practice/server.ts';
import { hostShell } from '../../scripts/find-shell.ts';
import { toolNames, withToolServer } from '../cli/tool-server-rig.ts';
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

let files: readonly string[] = [];

beforeAll(async () => {
  await buildIfStale();
  const standIn = join(work, 'electron');
  writeStandIn(standIn);
  const builder = join(root, 'node_modules', 'electron-builder', 'out', 'cli', 'cli.js');
  const settings = [`-c.electronDist=${standIn}`, `-c.directories.output=${join(work, 'release')}`];
  await run(process.execPath, [builder, '--linux', '--x64', '--dir', ...settings], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  files = listPackage(archive, { isPack: false }).map((path) => path.replaceAll('\\', '/'));
}, 120_000);
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe('what ships', () => {
  it('contains the built code, the samples and the icon', () => {
    const needed = [
      '/dist/main/index.js',
      '/dist/main/practice.js',
      '/dist/preload/index.cjs',
      '/dist/preload/key.cjs',
      '/dist/preload/overlay.cjs',
      '/dist/renderer/index.html',
      '/dist/renderer/key.html',
      '/dist/renderer/overlay.html',
      '/assets/icons/icon.png',
      '/assets/icons/tray/tray.png',
      '/package.json',
      '/LICENSE',
    ];
    expect(needed.filter((path) => !files.includes(path))).toEqual([]);
    const samples = readdirSync(join(root, 'assets', 'samples')).filter((name) =>
      /[.](json|wav|mp3|m4a|ogg|flac)$/.test(name),
    );
    expect(samples.length).toBeGreaterThanOrEqual(6);
    expect(samples.filter((name) => !files.includes(`/assets/samples/${name}`))).toEqual([]);
  });

  it('contains no source, test, map, environment file or tool', () => {
    const allowed =
      /^\/(dist|assets|node_modules)$|^\/(package\.json|LICENSE)$|^\/dist\/(main|preload|renderer)(\/|$)|^\/assets\/(samples|noisy|icons)(\/|$)|^\/node_modules\/keytar(\/|$)/;
    expect(files.filter((path) => !allowed.test(path))).toEqual([]);
    expect(files.filter((path) => /\.(ts|tsx|map|md|log|gyp|cc|h)$|\.env|\.test\./.test(path))).toEqual([]);
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
    });
    expect(Object.keys(description)).not.toContain('devDependencies');
    const desktop = readFileSync(join(root, 'electron-builder.yml'), 'utf8');
    expect(desktop).toMatch(/^appId: uz\.ovoz\.studio$/m);
    expect(desktop).toMatch(/^productName: Ovoz Studio$/m);
  });
});

it('what is packed serves the tools without a window, and ends with its client', async () => {
  const app = join(work, 'app');
  extractAll(archive, app);
  const practice = await startPracticeServer();
  const place = { dataDir: join(work, 'data'), url: practice.url, key: practice.token };
  try {
    const pid = await withToolServer({ ...place, program: [hostShell.executable, app] }, async (server) => {
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
}, 60_000);

it('the fuses are those of the rules, and every fuse of the installed tool has been decided', async () => {
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
});
