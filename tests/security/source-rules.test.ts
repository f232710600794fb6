import { describe, expect, it } from 'vitest';
import { appSources as all, filesWith } from './app-sources.ts';

it('checks the whole app', () => {
  expect(all.size).toBeGreaterThan(100);
});

describe('windows (S-01)', () => {
  it('are made in one place', () => {
    expect(filesWith(/new (BrowserWindow|BaseWindow|WebContentsView|BrowserView)\b/)).toEqual([
      'electron/shell/windows/create-window.ts',
    ]);
  });

  it('have every protection as a literal, behind what a caller may choose', () => {
    const text = all.get('electron/shell/windows/create-window.ts') ?? '';
    const preferences = /webPreferences: \{([\s\S]*?)\n {4}\}/.exec(text)?.[1] ?? '';
    const literals = Object.fromEntries(
      [...preferences.matchAll(/^\s*(\w+): (true|false),$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(literals).toEqual({
      contextIsolation: 'true',
      sandbox: 'true',
      nodeIntegration: 'false',
      nodeIntegrationInWorker: 'false',
      nodeIntegrationInSubFrames: 'false',
      webSecurity: 'true',
      allowRunningInsecureContent: 'false',
      experimentalFeatures: 'false',
      webviewTag: 'false',
      navigateOnDragDrop: 'false',
      spellcheck: 'false',
    });
    expect(preferences.indexOf('...')).toBeLessThan(preferences.indexOf('contextIsolation'));
    expect(text.indexOf('...look')).toBeLessThan(text.indexOf('webPreferences:'));
    expect(filesWith(/enableBlinkFeatures|disableBlinkFeatures/)).toEqual([]);
  });

  it('are sandboxed before the app is ready', () => {
    const main = all.get('electron/entries/main.ts') ?? '';
    expect(main.indexOf('app.enableSandbox()')).toBeGreaterThan(0);
    expect(main.indexOf('app.enableSandbox()')).toBeLessThan(main.indexOf('setImmediate(() => void open())'));
    expect(main).not.toMatch(/await app\s*\.whenReady/);
    // Electron waits for the top level of its module; waiting there would deadlock.
    expect(main).not.toMatch(/^await/m);
  });
});

describe('messages (S-12, S-13)', () => {
  it('are bound in one file', () => {
    expect(filesWith(/\bipcMain\b/)).toEqual(['electron/ipc/listen.ts']);
    expect(all.get('electron/ipc/listen.ts')?.match(/ipcMain\.handle\(/g)).toHaveLength(5);
  });

  it('reach the pages by three bridges with fixed names, and nothing else of Electron does', () => {
    const preloads = ['key', 'overlay'].map((page) => `electron/entries/preload-${page}.ts`);
    preloads.push('electron/entries/preload.ts');
    expect(filesWith(/\bcontextBridge\b/)).toEqual(preloads);
    expect(filesWith(/\bipcRenderer\b/)).toEqual(preloads);
    for (const file of filesWith(/\bcontextBridge\b/)) {
      expect(all.get(file)?.match(/exposeInMainWorld\('(studio|keyEntry|overlay)', Object\.freeze\(/g)).toHaveLength(1);
    }
  });
});

describe('dangerous calls', () => {
  it.each<[string, RegExp]>([
    ['eval and its relatives', /\beval\(|new Function\(|set(Timeout|Interval)\(\s*['"`]/],
    ['a shell', /import \{[^}]*\bexec(Sync)?\b[^}]*\} from 'node:child_process'|shell: true/],
    [
      'switching TLS checks off',
      /NODE_TLS_REJECT_UNAUTHORIZED['"]?\]?\s*=|rejectUnauthorized: (?!true)|setCertificateVerifyProc|'certificate-error'/,
    ],
    ['opening addresses in the browser', /openExternal/],
    ['raw HTML', /dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML|document\.write|srcdoc/],
  ])('the app has no %s', (_name, pattern) => {
    expect(filesWith(pattern)).toEqual([]);
  });

  it('and the hunt for them sees what it looks for', () => {
    expect(filesWith(/\bprocess\.umask\(0o077\)/)).toEqual(['electron/entries/main.ts']);
  });
});

it('a key is revealed where it is sent, stored or fingerprinted, and nowhere else (A1)', () => {
  const openers = filesWith(/\.reveal\(\)/);
  expect(openers).toContain('electron/platform/keychain/keytar-store.ts');
  // The service shows a new key or signing secret once: main copies it to the clipboard on request, and uses it to
  // check a signature on request; the terminal prints it once where the user asked for it.
  const allowed =
    /^electron\/(service\/(connection|download|legacy-speech|live-socket)\.ts|platform\/keychain\/|queue\/effects|services\/webhooks\/webhook-service|cli\/account|sections\/(account|webhooks)\.ts)/;
  expect(openers.filter((file) => !allowed.test(file))).toEqual([]);
});
