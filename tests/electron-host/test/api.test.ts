import { readFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { electronApi } from '../src/api.ts';
import { comboOf } from '../src/api/accelerators.ts';
import { instanceAddress, takeInstanceLock, type SecondInstance } from '../src/single-instance.ts';
import { sayGaps } from '../src/unsupported.ts';

const printed = () => vi.spyOn(process.stderr, 'write').mockReturnValue(true);
afterEach(() => vi.restoreAllMocks());

describe('no missing member goes unnoticed', () => {
  it('lists in electron.cjs what the API has', () => {
    const text = readFileSync(new URL('../src/electron.cjs', import.meta.url), 'utf8');
    const listed = [...text.matchAll(/^exports\.(\w+) = api\.(\w+);$/gm)].map((match) => match[1]);
    expect(new Set(listed)).toEqual(new Set(Object.keys(electronApi)));
  });
  it('prints the name of a missing member once', () => {
    const write = printed();
    const thing = sayGaps<Record<string, unknown>>({ here: 1 }, 'thing', { cosmetic: ['paint'], absent: ['dock'] });
    expect([thing['here'], thing['gone'], thing['gone'], thing['dock']]).toEqual([1, undefined, undefined, undefined]);
    (thing['paint'] as () => void)();
    expect(write.mock.calls.map(([line]) => line)).toEqual([
      'electron-host: thing.gone is not supported here\n',
      'electron-host: thing.paint is not supported here\n',
    ]);
  });
  it('throws with the name when a missing module is used', () => {
    expect(() => (electronApi.autoUpdater as unknown as { checkForUpdates(): void }).checkForUpdates()).toThrow(
      'autoUpdater.checkForUpdates is not supported here',
    );
    expect(() => new (electronApi.BrowserView as unknown as new () => object)()).toThrow(
      'BrowserView is not supported here',
    );
  });
  it('returns false, not undefined, for a global shortcut', () => {
    const write = printed();
    expect(electronApi.globalShortcut.register('CmdOrCtrl+Alt+D', () => {})).toBe(false);
    expect(write.mock.calls[0]?.[0]).toContain('globalShortcut.register');
  });
});

describe('accelerators become key events of a page', () => {
  it.each([
    ['Ctrl+Shift+S', 'ctrl+shift+s'],
    ['Shift+Ctrl+S', 'ctrl+shift+s'],
    ['Control+Plus', 'ctrl++'],
    ['Ctrl++', 'ctrl++'],
    ['F11', 'f11'],
    ['Alt+Left', 'alt+arrowleft'],
    ['MediaPlayPause', null],
    ['Hyper+S', null],
  ])('%s', (accelerator, combo) => {
    expect(comboOf(accelerator)).toBe(combo);
  });
});

describe('one user-data folder has one owner', () => {
  const folder = mkdtempSync(join(tmpdir(), 'host-lock-'));
  const mine: SecondInstance = { argv: ['a', '--second'], workingDirectory: '/w', additionalData: { n: 1 } };

  it('passes the second start’s arguments to the owner', async () => {
    const seconds: SecondInstance[] = [];
    const first = takeInstanceLock(folder, mine, (second) => seconds.push(second));
    expect(first).not.toBeNull();
    // The second process waits for its message to be accepted, so it has to be a separate one.
    const { execFile } = await import('node:child_process');
    const script = `import { takeInstanceLock } from ${JSON.stringify(new URL('../src/single-instance.ts', import.meta.url).href)};
      process.exit(takeInstanceLock(${JSON.stringify(folder)}, ${JSON.stringify(mine)}, () => {}) === null ? 3 : 4);`;
    const code = await new Promise((resolve) => {
      execFile(process.execPath, ['--input-type=module', '-e', script]).once('exit', resolve);
    });
    expect(code).toBe(3);
    expect(seconds).toEqual([mine]);
    await new Promise((resolve) => first?.close(resolve));
  });

  it.skipIf(process.platform === 'win32')('takes over from an owner that crashed', async () => {
    const { execFileSync } = await import('node:child_process');
    const address = JSON.stringify(instanceAddress(folder));
    const dies = `require('node:net').createServer().listen(${address}, () => process.kill(process.pid, 'SIGKILL'))`;
    expect(() => execFileSync(process.execPath, ['-e', dies], { stdio: 'ignore' })).toThrow('Command failed');
    const next = takeInstanceLock(folder, mine, () => {});
    expect(next?.listening).toBe(true);
    await new Promise((resolve) => next?.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps the socket’s path short enough for the system', () => {
    expect(instanceAddress(join('/', 'x'.repeat(200))).length).toBeLessThanOrEqual(104);
  });
});
