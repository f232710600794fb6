import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomBytes } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import { findOnPath } from '../electron-host/src/find-browser.ts';
import { programsOf, readTrace, type TracedCall } from '../security/read-trace.ts';
import { filesHolding, formsOf } from '../security/scan-for-secret.ts';
import { commandLines, memoryHolds, processTree } from '../support/process-scan.ts';
import { ask } from './support/ask.ts';
import { dragFiles } from './support/drag-files.ts';
import { enterService, typeAddress } from './support/journey.ts';
import { startPracticeServer, type PracticeServer } from './support/practice-server.ts';
import { newDataDir, removeDataDir, startStudio, type Studio } from './support/studio.ts';

const samples = fileURLToPath(new URL('../../assets/samples', import.meta.url));
const recorder = fileURLToPath(new URL('../security/recorder', import.meta.url));
/** Only for the stand-in: Electron’s own sandbox does not start under a tracer. */
const strace =
  process.platform === 'linux' && process.env['ELECTRON_OVERRIDE_DIST_PATH'] !== undefined
    ? findOnPath('strace')
    : null;
const control = `control-${randomBytes(20).toString('hex')}`;

interface Message {
  readonly direction: 'in' | 'out';
  readonly channel: string;
  readonly message: unknown;
}

let work: string;
let dataDir: string;
let service: PracticeServer;
let messages: readonly (Message & { readonly line: string })[] = [];
let calls: readonly TracedCall[] | null = null;
let printed = '';
let running: ReturnType<typeof lookAtProcesses> | null = null;

/** Electron's program under strace, if there is one. */
function watchedElectron(): string | undefined {
  if (strace === null) return undefined;
  const electron = createRequire(import.meta.url)('electron') as unknown as string;
  const script = join(work, 'watched-electron');
  const what = 'execve,connect,openat,open,creat,clone,clone3,fork,vfork';
  const options = `-f --seccomp-bpf -q -v -s 8192 -e trace=${what} -e signal=none -o '${join(work, 'trace')}'`;
  writeFileSync(script, `#!/bin/sh\nexec '${strace}' ${options} '${electron}' "$@"\n`);
  chmodSync(script, 0o755);
  return script;
}

async function enterKey({ app, page }: Studio): Promise<void> {
  await page.getByRole('button', { name: 'Enter a key', exact: true }).click();
  await typeAddress(page, service.url);
  const [window] = await Promise.all([
    app.waitForEvent('window'),
    page.getByRole('button', { name: 'Enter key…' }).click(),
  ]);
  await window.locator('#key').fill(service.key);
  await Promise.all([window.waitForEvent('close'), window.keyboard.press('Enter').catch(() => undefined)]);
  await enterService(page, service);
}

async function transcribe(page: Page): Promise<string> {
  await dragFiles(page, [join(samples, 'podcast-en.flac')]);
  await expect(page.getByRole('row').getByText('Done')).toHaveCount(1, { timeout: 30_000 });
  const jobs = await ask(page, 'jobs.list', {});
  const state = jobs.ok ? jobs.value.jobs[0]?.state : undefined;
  if (state?.tag !== 'done') throw new Error('the recording is not done');
  return state.transcriptId ?? '';
}

/** Everything a user does with the app, including what goes wrong on the way, once. */
async function wholeJourney(studio: Studio): Promise<void> {
  const { page, app } = studio;
  await enterKey(studio);
  const transcriptId = await transcribe(page);
  const row = page.getByRole('row').filter({ hasText: 'podcast-en' });
  await row.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
  expect(await ask(page, 'transcripts.rename', { transcriptId, title: control })).toMatchObject({ ok: true });
  const exported = join(work, 'export.srt');
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = (async () => ({ canceled: false, filePath })) as typeof dialog.showSaveDialog;
  }, exported);
  for (const format of ['txt', 'srt', 'vtt', 'json'] as const) {
    expect(
      await ask(page, 'exports.save', { transcriptId, format, options: {}, source: 'studio', place: 'ask' }),
    ).toMatchObject({ ok: true });
    expect(
      await ask(page, 'exports.render', { transcriptId, format, options: {}, source: 'studio', part: 'all' }),
    ).toMatchObject({
      ok: true,
    });
  }
  expect(existsSync(exported)).toBe(true);
  expect(await ask(page, 'transcripts.open', { transcriptId: 'nothing' })).toMatchObject({ ok: false });
  expect(await ask(page, 'jobs.remove', { jobId: 'nothing' })).toMatchObject({ ok: false });
  expect(await ask(page, 'settings.update', { appearance: 'dark' })).toMatchObject({ ok: true });
  expect(await ask(page, 'connection.choose', { mode: 'practice' })).toMatchObject({ ok: true });
  const addSamples = async () => {
    await page.keyboard.press('F9');
    return ask(page, 'jobs.addSamples', {});
  };
  expect(await addSamples()).toMatchObject({ ok: true });
  // One click authorizes one request, so the next one may have to be repeated.
  await expect.poll(addSamples).toMatchObject({ ok: true, value: { repeatedCount: 3 } });
  expect(await ask(page, 'connection.choose', { mode: 'service' })).toMatchObject({ ok: true });
  expect(await ask(page, 'connection.check', { serviceAddress: '' })).toMatchObject({ ok: true });
}

/** What the processes of the app have in their memories, arguments and environments. */
function lookAtProcesses(main: number) {
  const tree = processTree(main);
  const commands = commandLines();
  const pages = commands.flatMap(({ pid, args }) =>
    tree.includes(pid) && args.includes('--type=renderer') ? [pid] : [],
  );
  const environments = tree.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1');
    } catch {
      // It exited meanwhile: the browser starts and stops its helpers.
      return '';
    }
  });
  return {
    pagesWithControl: pages.filter((pid) => memoryHolds(pid, control)).length,
    pagesWithKey: pages.filter((pid) => memoryHolds(pid, service.key)).length,
    isKeyInMain: tree.some((pid) => !pages.includes(pid) && memoryHolds(pid, service.key)),
    environmentsOfApp: environments.filter((text) => text.includes(dataDir)).length,
    environmentsWithKey: environments.filter((text) => text.includes(service.key)).length,
    commandsWithKey: commands.filter(({ args }) => args.includes(service.key)).length,
  };
}

test.beforeAll(async () => {
  test.setTimeout(180_000);
  work = mkdtempSync(join(tmpdir(), 'safety-'));
  dataDir = newDataDir();
  service = await startPracticeServer();
  const executable = watchedElectron();
  const record = join(work, 'messages');
  const studio = await startStudio({
    dataDir,
    args: [recorder],
    env: { OVOZ_TEST_IPC_RECORD: record },
    ...(executable === undefined ? {} : { executable }),
  });
  studio.app.process().stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString('latin1')));
  studio.app.process().stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString('latin1')));
  try {
    await wholeJourney(studio);
    await studio.page.evaluate((text) => void Object.assign(window, { planted: { text } }), control);
    if (process.platform === 'linux') running = lookAtProcesses(studio.app.process().pid ?? 0);
  } finally {
    await studio.quit();
    await service.stop();
  }
  messages = readFileSync(record, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => ({ ...(JSON.parse(line) as Message), line }));
  if (executable !== undefined) calls = readTrace(readFileSync(join(work, 'trace'), 'latin1'));
});
test.afterAll(() => {
  removeDataDir(dataDir);
  rmSync(work, { recursive: true, force: true });
});

/** A path as it appears in a recorded line. */
const inMessage = (path: string) => JSON.stringify(path).slice(1, -1);

const holding = (text: string) => {
  const forms = formsOf(text);
  return messages.filter(({ line }) => forms.some((form) => Buffer.from(line).includes(form)));
};

test('the key is in one message only, from the key window to main; a renamed control is found (S-07)', () => {
  const methods = new Set(messages.map(({ message }) => (message as [{ readonly method?: string }])[0]?.method));
  expect(methods.size).toBeGreaterThan(12);
  expect(new Set(holding(control).map(({ direction }) => direction))).toEqual(new Set(['in', 'out']));
  expect(holding(service.key).map(({ direction, channel, message }) => [direction, channel, message])).toEqual([
    ['in', 'studio:key', [{ type: 'submit', value: service.key }]],
  ]);
});

test('the key is in no memory of a page, no argument and no environment; the control is found (S-05)', () => {
  test.skip(running === null, 'reads /proc');
  expect(running?.pagesWithControl).toBeGreaterThan(0);
  expect(running?.environmentsOfApp).toBeGreaterThan(0);
  expect(running).toMatchObject({ pagesWithKey: 0, isKeyInMain: true, environmentsWithKey: 0, commandsWithKey: 0 });
});

test('no path of this computer goes to a page: not the data folder, not that of a recording or an export (S-10, S-14)', () => {
  const told = messages.filter(({ direction }) => direction === 'out');
  expect(messages.some(({ direction, line }) => direction === 'in' && line.includes(inMessage(samples)))).toBe(true);
  for (const path of [dataDir, samples, work, process.cwd()]) {
    expect(told.filter(({ line }) => line.includes(inMessage(path))).map(({ line }) => line.slice(0, 300))).toEqual([]);
  }
  expect(told.filter(({ line }) => /\bat (async )?\w+ \(|node:internal|\.ts:\d+|\.js:\d+/.test(line))).toEqual([]);
});

test.describe('in the data folder', () => {
  test('folders are 0700 and files 0600, after a whole journey and without exception (S-37)', () => {
    test.skip(process.platform === 'win32', 'modes are of Linux and macOS');
    const entries = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() || entry.isDirectory(),
    );
    const wrong = entries
      .map((entry) => ({ path: join(entry.parentPath, entry.name), wanted: entry.isFile() ? 0o600 : 0o700 }))
      .filter(({ path, wanted }) => (statSync(path).mode & 0o777 & ~wanted) !== 0);
    expect(wrong.map(({ path }) => `${path} ${(statSync(path).mode & 0o777).toString(8)}`)).toEqual([]);
    expect(entries.length).toBeGreaterThan(10);
  });

  test('no file and no output contains the key; the control is found (S-04)', () => {
    expect(filesHolding(dataDir, control).length).toBeGreaterThan(0);
    expect(filesHolding(dataDir, service.key)).toEqual([]);
    expect(formsOf(service.key).some((form) => Buffer.from(printed, 'latin1').includes(form))).toBe(false);
  });

  test('practice keeps its own library, apart from that of the service (S-55)', () => {
    expect(existsSync(join(dataDir, 'library.db'))).toBe(true);
    expect(existsSync(join(dataDir, 'practice', 'library.db'))).toBe(true);
    expect(filesHolding(join(dataDir, 'practice'), control)).toEqual([]);
  });
});

test.describe('in the system calls', () => {
  test.skip(
    strace === null,
    'no strace, or not the stand-in for Electron: what the app asks of the system was not watched',
  );
  // In the stand-in for Electron the browser is the system's own, with its own habits; in Electron everything is ours.
  const ours = () => {
    const program = programsOf(calls ?? []);
    return (calls ?? []).filter(({ pid }) => !/^chrom|^google-chrome|^msedge|crashpad/.test(program(pid)));
  };
  const named = (...names: readonly string[]) => ours().filter(({ name }) => names.includes(name));

  test('no program is started with the key among its arguments or in its environment (S-26, S-27)', () => {
    const started = (calls ?? []).filter(({ name }) => name === 'execve');
    expect(started.some(({ text }) => text.includes('OVOZ_TEST_IPC_RECORD'))).toBe(true);
    expect(started.length).toBeGreaterThan(2);
    expect(started.filter(({ text }) => text.includes(service.key.slice(0, 24)))).toEqual([]);
    expect(started.filter(({ text }) => /^"[^"]*\/(ba|da|z)?sh", \["[^"]*", "-c"/.test(text))).toEqual([]);
  });

  test('the app connects to nothing outside this computer (S-36)', () => {
    const reached = named('connect').flatMap(({ text }) => {
      const match = /sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/.exec(text);
      const six = /sin6_port=htons\((\d+)\).*inet_pton\(AF_INET6, "([^"]+)"/.exec(text);
      const [, port, address] = match ?? six ?? [];
      return address === undefined ? [] : [`${address}:${port}`];
    });
    expect(reached).toContain(new URL(service.url).host);
    expect([...new Set(reached)].filter((address) => !/^(127\.0\.0\.1|::1):/.test(address))).toEqual([]);
  });

  test('our processes create files in the data folder only, except the requested export (S-38)', () => {
    const made = named('openat', 'open', 'creat')
      .filter(({ text }) => text.includes('O_CREAT') && !/ = -1 /.test(text))
      .map(({ text }) => /"([^"]+)"/.exec(text)?.[1] ?? '');
    const isExpected = (path: string) =>
      path.startsWith(`${dataDir}/`) ||
      path === join(work, 'messages') ||
      // An export is written beside its target and renamed.
      /^\.[0-9a-f]+\.[0-9a-f]{12}\.part$/.test(path.slice(work.length + 1));
    expect(made.some((path) => path.startsWith(dataDir))).toBe(true);
    expect(made.filter((path) => !isExpected(path))).toEqual([]);
  });
});
