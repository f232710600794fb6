import { describe, expect, it } from 'vitest';
import { filesWith, textOf as text } from './app-sources.ts';

const lock = JSON.parse(text('package-lock.json')) as {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
};
const manifest = JSON.parse(text('package.json')) as { readonly dependencies: Readonly<Record<string, string>> };
const builder = text('electron-builder.yml');

describe('what needs a package or another system is checked in the configuration', () => {
  it('the locked Electron is newer than the last fixes that the rules name (S-24)', () => {
    const [major = 0] = (lock.packages['node_modules/electron']?.version ?? '').split('.').map(Number);
    expect(major).toBeGreaterThan(37);
  });

  it('the macOS package has the hardened runtime and asks for the microphone only (S-28)', () => {
    expect(builder).toMatch(/^ {2}hardenedRuntime: true$/m);
    expect(builder).toMatch(/^ {4}NSMicrophoneUsageDescription: \S/m);
    const files = [...builder.matchAll(/^ {2}entitlements(?:Inherit)?: (\S+)$/gm)].map(([, file]) => file);
    expect(files).toEqual(['assets/mac/entitlements.plist', 'assets/mac/entitlements.plist']);
    const rights = [...text(files[0] ?? '').matchAll(/<key>(.+)<\/key>/g)].map(([, right]) => right);
    expect(rights).toEqual([
      'com.apple.security.cs.allow-jit',
      'com.apple.security.cs.disable-library-validation',
      'com.apple.security.device.audio-input',
    ]);
  });

  it('Windows knows the app by the id of its installed shortcut', () => {
    const id = /^appId: (\S+)$/m.exec(builder)?.[1];
    expect(text('electron/entries/main.ts')).toContain(`app.setAppUserModelId('${id}')`);
  });

  it('there is no updater and no feed, so nothing is ever fetched and run (S-29)', () => {
    expect(builder).toMatch(/^publish: null$/m);
    expect(Object.keys(lock.packages).filter((path) => /electron-updater|update-electron-app/.test(path))).toEqual([]);
    expect(Object.keys(manifest.dependencies)).toEqual(['keytar']);
    expect(filesWith(/\bautoUpdater\b/)).toEqual([]);
  });

  it('no file kind and no address of the system is registered, and none is listened for (S-67)', () => {
    expect(builder).not.toMatch(/^\s*(protocols|fileAssociations):/m);
    expect(filesWith(/'open-url'|'open-file'|setAsDefaultProtocolClient/)).toEqual([]);
    // The arguments of a second instance are not even read.
    expect(text('electron/entries/compose/start-window.ts')).toMatch(/app\.on\('second-instance', \(\) =>/);
  });
});

describe('allowed uses, by imports', () => {
  it('sockets are opened by the client of the service, and to get a model; the practice service only listens (S-30)', () => {
    // A type import opens nothing.
    const network =
      /(?<!^import type \{[^}]*\} )from '((node:)?(http|https|http2|net|tls|dgram|dns)(\/promises)?|undici|ws|@grpc\/grpc-js)'/m;
    const outside = filesWith(network).filter((file) => !/^electron\/(service|practice)\//.test(file));
    // A socket in the app's own folder, by which its tool server contacts the open window; no network reaches it. A
    // model is got from the addresses of the list of models, without any credential.
    expect(outside).toEqual(['electron/recogniser/model-store.ts', 'electron/platform/node/studio-socket.ts']);
    expect(text('electron/recogniser/model-store.ts')).not.toMatch(/https?:\/\/|authorization|api-key|Secret\b/i);
    expect(text('electron/platform/node/studio-socket.ts')).not.toMatch(/port:|\bhost:/);
    expect(filesWith(network).length).toBeGreaterThan(1);
    const calls = filesWith(/(?<![.\w])fetch\(|new (WebSocket|EventSource|XMLHttpRequest)\b|sendBeacon/);
    // The page reads back its own scheme: peaks of a recording. Practice sends events to a receiver that a test names.
    expect(calls.filter((file) => !file.startsWith('renderer/'))).toEqual([
      'electron/practice/webhooks.ts',
      'electron/service/live-socket.ts',
    ]);
    for (const file of calls) expect(text(file), file).not.toMatch(/fetch\(\s*['"`]https?:/);
  });

  it('the clipboard is read where the user pressed "Paste key" or "Paste", to restore it after dictated text was pasted, and to see that a secret was copied (S-68)', () => {
    expect(filesWith(/clipboard\.read|readText\(\)|execCommand\(['"]paste|\.paste\(\)/)).toEqual([
      'electron/sections/app.ts',
      'electron/sections/connection.ts',
      'electron/shell/copy-secret.ts',
      'electron/platform/electron/whole-clipboard.ts',
    ]);
  });

  it('main stores no cookie, sends no telemetry and opens no connection ahead of need (S-36)', () => {
    expect(filesWith(/\bcookies\b\.(set|get)|\bpreconnect\(|crashReporter|\bsentry|analytics\.(track|send)/i)).toEqual(
      [],
    );
  });

  it('no code is made from text: main configures its parser so, and no source does it by itself (S-03)', () => {
    expect(text('electron/shell/security/disable-eval.ts')).toContain('z.config({ jitless: true })');
    expect(text('electron/entries/compose/start-window.ts')).toMatch(
      /^import '..\/..\/shell\/security\/disable-eval.ts';/,
    );
    expect(filesWith(/\beval\(|new Function\(|\bvm\b.*from 'node:vm'/)).toEqual([]);
  });
});
