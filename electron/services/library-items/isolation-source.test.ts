import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ok } from '../../../shared/result/result.ts';
import { openAudioFolder } from '../../platform/node/audio-folder.ts';
import { openLibraryFile } from '../../storage/open-library-file.ts';
import { createSqliteLibraryStore } from '../../storage/sqlite-library-store.ts';
import { isolationSource } from './sources.ts';
import { createDeletion } from './deletion.ts';
import { createLibraryItems } from './library-items.ts';

it('isolated audio is listed, renamed, moved to the trash, restored, and erased with its row and its file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'library-items-'));
  try {
    const file = openLibraryFile(join(folder, 'library.db'), Date.now());
    if (!file.ok) throw new Error(file.error.kind);
    const { database } = file.value;
    const store = createSqliteLibraryStore(file.value);
    database.exec(`INSERT INTO jobs (id, seq, path, name, size_bytes, language, include_speakers, added_at_ms, tag, memory)
      VALUES ('job-1', 1, '/x.wav', 'x.wav', 1, 'uz', 0, 1, 'done', '{}')`);
    database.exec(`INSERT INTO audio (id, job_id, file_name, format, sha256, size_bytes)
      VALUES ('a1', 'job-1', 'a1.mp3', 'mp3', '${'a'.repeat(64)}', 3)`);
    database.exec(`INSERT INTO items (kind, id, title, source_name, at_ms)
      VALUES ('isolation', 'a1', 'Shovqinli yozuv', 'x.wav', 5)`);
    database.exec(`UPDATE jobs SET kind = 'isolate', options = '{"restoresSpeech":true,"isExcerpt":true}'`);
    const audio = openAudioFolder(join(folder, 'audio'));
    mkdirSync(join(folder, 'audio'));
    for (const name of ['a1.mp3', 'a1-wav.wav', 'a2.mp3']) writeFileSync(audio.pathOf(name), 'audio');
    const swept: string[] = [];
    const erasedWords: string[] = [];
    let nowMs = 1_000;
    const jobs = {
      list: () => ({ jobs: [] }) as never,
      act: async () => ok({ changedCount: 0, acceptedCount: 0 }),
      bringBack: async () => ok(0),
    };
    const backups = { settled: () => Promise.resolve() };
    const sweep = async ({ contents }: { readonly contents: readonly string[] }) => void swept.push(...contents);
    const deletion = createDeletion({
      store,
      jobs,
      backups,
      sweep,
      api: { remove: async () => ok(null) },
      account: () => 'account',
      eraseOthers: (refs) => items.erase(refs, false),
      clock: { now: () => nowMs, monotonic: () => nowMs, after: () => () => undefined },
      log: { write: () => undefined },
    });
    const items = createLibraryItems({
      sources: [
        isolationSource({
          store,
          audio,
          jobs,
          backups,
          sweep,
        }),
      ],
      store: store.items,
      deletion,
      search: {
        sync: async () => undefined,
        put: async () => undefined,
        search: async () => ok({ items: [], momentCount: 0, itemCount: 0, keys: [], isPartial: false, nearest: null }),
        read: async () => ok([]),
        erase: async (ids) => void erasedWords.push(...ids),
        close: async () => undefined,
      },
      newId: () => 'folder-1',
    });
    const ref = { kind: 'isolation', id: 'a1' } as const;
    const listed = async () => {
      const all = await items.list();
      return all.ok ? all.value.items : [];
    };
    await items.rename(ref, 'Tozalangan yozuv');
    expect(await listed()).toMatchObject([{ ...ref, title: 'Tozalangan yozuv', sizeBytes: 3, trashedAtMs: null }]);
    expect((await listed())[0]?.states).toEqual(['excerpt']);
    store.hideJobs(['job-1']);
    expect((await listed())[0]?.states).toEqual([]);
    expect(await items.audio(ref)).toMatchObject({ ok: true, value: { path: join(folder, 'audio', 'a1.mp3') } });

    await items.trash([ref]);
    expect((await listed())[0]?.trashedAtMs).toBe(1_000);
    await items.restore([ref]);
    expect((await listed())[0]?.trashedAtMs).toBeNull();

    await items.trash([ref]);
    nowMs += 30 * 86_400_000 - 1;
    await deletion.start();
    expect(await listed()).toHaveLength(1);
    nowMs += 1;
    await deletion.start();
    expect(await listed()).toEqual([]);
    expect(readdirSync(join(folder, 'audio'))).toEqual(['a2.mp3']);
    expect([swept, erasedWords]).toEqual([['a'.repeat(64)], ['a1']]);
    store.close();
    for (const name of readdirSync(folder).filter((one) => one.startsWith('library.db')))
      expect(readFileSync(join(folder, name), 'latin1')).not.toContain('Tozalangan yozuv');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
