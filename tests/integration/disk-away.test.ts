import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openQueueRig, type QueueRig } from '../support/queue-rig.ts';

let rig: QueueRig;
beforeEach(async () => {
  rig = await openQueueRig();
});
afterEach(() => rig.close());

const mount = (...args: readonly string[]) => spawnSync('mount', args).status === 0;
const unmount = (path: string) => spawnSync('umount', ['-l', path]).status === 0;
const canMount = ((): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
})();
if (!canMount) console.warn('Skipped: nobody may mount here, so a disk that is really pulled out is not tried.');

describe('F-42: recordings on a disk that is removed and connected again', () => {
  /** The queue is paused with three recordings of the disk in it, then resumed without the disk. */
  async function takeOut(disk: string, out: () => void): Promise<void> {
    await rig.add(...['a', 'b', 'c'].map((name, at) => rig.record(join('disk', `${name}.wav`), 200 + at * 20)));
    await rig.until(['waiting', 'waiting', 'waiting']);
    out();
    await rig.library.jobs.hold(false);
    await rig.until(['needs-user', 'needs-user', 'needs-user']);
    expect(rig.states()).toMatchObject(
      ['a.wav', 'b.wav', 'c.wav'].map((name) => ({
        failure: { row: 'E-010', code: 'file_missing', params: { name } },
      })),
    );
    expect([disk, rig.posts().length]).toEqual([disk, 0]);
  }

  it('ask for it (E-010), and resume automatically when it is back, even across a restart', async () => {
    const disk = join(rig.folder, 'disk');
    mkdirSync(disk);
    await rig.library.jobs.hold(true);
    await takeOut(disk, () => renameSync(disk, join(rig.folder, 'elsewhere')));
    await rig.reopen();
    expect(rig.tags()).toEqual(['needs-user', 'needs-user', 'needs-user']);
    renameSync(join(rig.folder, 'elsewhere'), disk);
    await rig.until(['done', 'done', 'done']);
    expect(rig.keys().size).toBe(3);
  });

  it.skipIf(!canMount)('the same with a disk that is really unmounted and mounted again', async () => {
    const disk = join(rig.folder, 'disk');
    const drive = join(rig.folder, 'drive');
    for (const folder of [disk, drive]) mkdirSync(folder);
    expect(mount('-t', 'tmpfs', 'tmpfs', drive)).toBe(true);
    try {
      expect(mount('--bind', drive, disk)).toBe(true);
      await rig.library.jobs.hold(true);
      await takeOut(disk, () => expect(unmount(disk)).toBe(true));
      expect(mount('--bind', drive, disk)).toBe(true);
      await rig.until(['done', 'done', 'done']);
      expect(rig.keys().size).toBe(3);
    } finally {
      unmount(disk);
      unmount(drive);
    }
  });
});

describe.skipIf(process.platform === 'win32')('F-48: the folder of the library is taken away while it is open', () => {
  it('nothing counts as stored that is not: the queue stops with E-185, and resumes when the folder is back', async () => {
    const data = join(rig.folder, 'data');
    const away = join(rig.folder, 'away');
    await rig.library.jobs.hold(true);
    await rig.add(rig.record('a.wav', 220));
    await rig.until(['waiting']);
    renameSync(data, away);
    expect((await rig.library.jobs.hold(false)).ok).toBe(false);
    const refused = await rig.add(rig.record('b.wav', 240));
    expect(refused).toMatchObject({ jobIds: [], refused: [{ failure: { row: 'E-185' } }] });
    expect(rig.posts()).toHaveLength(0);
    renameSync(away, data);
    expect((await rig.library.jobs.hold(false)).ok).toBe(true);
    await rig.until(['done']);
  });

  it('an answer that arrives while it is missing waits for it and is not requested twice', async () => {
    const data = join(rig.folder, 'data');
    const asked = Promise.withResolvers<() => void>();
    const { script } = rig.server;
    rig.server.script = (request, response, at) => {
      asked.resolve(() => void script(request, response, at));
    };
    await rig.add(rig.record('a.wav', 220));
    const answer = await asked.promise;
    expect(rig.posts()).toHaveLength(1);
    renameSync(data, join(rig.folder, 'away'));
    answer();
    await rig.until(['blocked']);
    expect(rig.states()).toMatchObject([{ by: 'disk', failure: { row: 'E-185' } }]);
    renameSync(join(rig.folder, 'away'), data);
    await rig.until(['done']);
    await rig.reopen();
    expect(rig.tags()).toEqual(['done']);
    expect(rig.posts()).toHaveLength(1);
  });

  it('if it is deleted for good, the next start makes a new library', async () => {
    await rig.add(rig.record('a.wav', 220));
    await rig.until(['done']);
    rmSync(join(rig.folder, 'data'), { recursive: true, force: true });
    const refused = await rig.add(rig.record('b.wav', 240));
    expect(refused).toMatchObject({ jobIds: [], refused: [{ failure: { row: 'E-185' } }] });
    await rig.reopen();
    expect(rig.tags()).toEqual([]);
    await rig.add(rig.record('c.wav', 260));
    await rig.until(['done']);
  });
});
