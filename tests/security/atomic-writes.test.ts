import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { findOnPath } from '../electron-host/src/find-browser.ts';
import { readTrace, type TracedCall } from './read-trace.ts';
import { folderOfFile } from '../support/test-folders.ts';

const strace = process.platform === 'linux' ? findOnPath('strace') : null;
const folder = folderOfFile();

const source = (path: string) =>
  JSON.stringify(fileURLToPath(new URL(`../../electron/platform/node/${path}`, import.meta.url)));
const script = `
  const { writeWholeFile } = await import(${source('place-file.ts')});
  const { openPeaksFolder } = await import(${source('audio-folder.ts')});
  const { openSettingsForTerminal } = await import(${source('settings-conf.ts')});
  const [folder] = process.argv.slice(1);
  for (const round of ['first', 'second']) {
    const written = await writeWholeFile(folder + '/export.srt', round, 0o600);
    if (!written.ok) throw new Error(written.error.kind);
  }
  await openPeaksFolder(folder).write('ab'.repeat(32), new Uint8Array(1000));
  openSettingsForTerminal(folder, () => { throw new Error('not saved'); }).update({ mode: 'practice' });
`;

let calls: readonly TracedCall[] = [];
beforeAll(() => {
  if (strace === null) return;
  const trace = join(folder, 'trace');
  const what = 'openat,write,pwrite64,writev,fsync,fdatasync,rename,renameat,renameat2,fchmod';
  const args = ['-f', '-q', '-y', '-s', '64', '-e', `trace=${what}`, '-e', 'signal=none', '-o', trace];
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, folder];
  const ran = spawnSync(strace, [...args, ...node], { encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  calls = readTrace(readFileSync(trace, 'latin1'));
});

const isWrite = ({ name }: TracedCall) => /^(write|pwrite64|writev)$/.test(name);
const isSync = ({ name }: TracedCall) => /^f(data)?sync$/.test(name);
const isRename = ({ name }: TracedCall) => name.startsWith('rename');

/** Every call about a target and its temporary file, in order, from its creation to the sync of its folder. */
function storyOf(target: string): { readonly temporary: string; readonly steps: readonly string[] } {
  const at = calls.findLastIndex((call) => isRename(call) && call.text.includes(`"${target}"`));
  // A sync after the next rename belongs to that one.
  const next = calls.findIndex((call, index) => index > at && isRename(call));
  const temporary = /"([^"]+)"/.exec(calls[at]?.text ?? '')?.[1] ?? '';
  const steps = calls.flatMap((call, index) => {
    const isOfFile = call.text.includes(`<${temporary}>`) || call.text.includes(`"${temporary}"`);
    if (isOfFile && call.name === 'openat' && call.text.includes('O_CREAT')) {
      return [call.text.includes('O_EXCL') ? 'make' : 'open'];
    }
    if (isOfFile && isWrite(call)) return ['write'];
    if (isOfFile && isSync(call)) return ['sync'];
    if (index === at) return ['rename'];
    if (index > at && (next === -1 || index < next) && isSync(call) && call.text.includes(`<${dirname(target)}>`))
      return ['sync folder'];
    return [];
  });
  return { temporary, steps: steps.filter((step, index) => step !== steps[index - 1]) };
}

describe.skipIf(strace === null)('a whole file, in the system calls (S-39; needs strace)', () => {
  it('an export is written beside its target, synced, renamed, and its folder synced', () => {
    const { temporary, steps } = storyOf(join(folder, 'export.srt'));
    expect([dirname(temporary), steps]).toEqual([folder, ['make', 'write', 'sync', 'rename', 'sync folder']]);
  });

  it('so are peaks', () => {
    const { temporary, steps } = storyOf(join(folder, `${'ab'.repeat(32)}.peaks`));
    expect([dirname(temporary), steps]).toEqual([folder, ['make', 'write', 'sync', 'rename', 'sync folder']]);
  });

  it('so are settings', () => {
    const { temporary, steps } = storyOf(join(folder, 'settings.json'));
    const [made, ...rest] = steps;
    expect([dirname(temporary), made === 'make' || made === 'open']).toEqual([folder, true]);
    expect(rest).toEqual(['write', 'sync', 'rename', 'sync folder']);
  });

  it('nothing is ever written to its target directly', () => {
    const places = ['export.srt', 'settings.json', `${'ab'.repeat(32)}.peaks`].map((name) => join(folder, name));
    expect(calls.filter((call) => isWrite(call) && places.some((place) => call.text.includes(`<${place}>`)))).toEqual(
      [],
    );
  });
});
