import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { jsonLines } from '../support/cli-run.ts';
import { sendJson, startScriptedServer } from '../support/scripted-server.ts';
import { toneWav } from '../support/wav-files.ts';

const root = mkdtempSync(join(tmpdir(), 'ovoz-full-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const entry = fileURLToPath(new URL('../../electron/entries/cli.ts', import.meta.url));
const ownNamespace = 'unshare';
const canMount = spawnSync(ownNamespace, ['-Urm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0;
if (!canMount) console.warn('Skipped: this system lets nobody mount a small disk, so a really full one is not tried.');

describe('a full disk', () => {
  // Only one recording: nothing else in the queue would notice that the disk is full.
  it.skipIf(!canMount).each([6, 1])(
    'stops the run of %d with a message; with free space the same command finishes, and no file was paid twice',
    { timeout: 60_000 },
    async (count) => {
      const place = join(root, String(count));
      const text = 'Juda uzun matn. '.repeat(40_000);
      const accepted = new Map<string, number>();
      const server = await startScriptedServer((request, response, at) => {
        const key = String(request.headers['idempotency-key']);
        // Like the service: a known key gets the first answer again.
        const number = accepted.get(key) ?? at.number;
        accepted.set(key, number);
        sendJson(response, 200, { id: `tr_${number}`, status: 'completed', text });
      });
      const recordings = join(place, 'recordings');
      const disk = join(place, 'disk');
      mkdirSync(recordings, { recursive: true });
      mkdirSync(disk);
      for (let number = 0; number < count; number++)
        writeFileSync(join(recordings, `${number}.wav`), toneWav(200 + number * 13, 0.1));
      const run = (name: string) =>
        `"$NODE" --disable-warning=ExperimentalWarning "$ENTRY" transcribe "$RECORDINGS" --language uz --json --out "$ROOT/out" >"$ROOT/${name}.out" 2>"$ROOT/${name}.err"; echo $? >"$ROOT/${name}.code"`;
      const script = `mount -t tmpfs -o size=1500k tmpfs "$DISK"; ${run('first')}; mount -o remount,size=64m "$DISK"; ${run('second')}`;
      await promisify(execFile)(ownNamespace, ['-Urm', 'sh', '-c', script], {
        env: {
          PATH: process.env['PATH'] ?? '',
          NODE: process.execPath,
          ENTRY: entry,
          RECORDINGS: recordings,
          ROOT: place,
          DISK: disk,
          HOME: root,
          LANG: 'en_US.UTF-8',
          OVOZ_DATA_DIR: join(disk, 'data'),
          OVOZ_SERVICE_URL: server.url,
          OVOZ_API_KEY: 'sk-full-disk-0001',
        },
      });
      await server.close();
      const read = (name: string) => readFileSync(join(place, name), 'utf8');
      expect(read('first.err')).not.toMatch(/\bat .*\.ts|Error:/);
      expect([read('first.code').trim(), read('first.err')]).toEqual(['1', expect.stringContaining('disk is full')]);
      const first = jsonLines(read('first.out'));
      expect(first.some(({ error }) => error?.code === 'disk_full')).toBe(true);
      expect([read('second.code').trim(), read('second.err')]).toEqual(['0', '']);
      expect(jsonLines(read('second.out')).at(-1)).toEqual({ summary: { done: count, failed: 0, skipped: 0 } });
      expect(accepted.size).toBe(count);
    },
  );
});
