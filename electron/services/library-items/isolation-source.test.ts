import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ok } from '../../../shared/result/result.ts';
import { openAudioFolder } from '../../platform/node/audio-folder.ts';
import { keepReserve } from '../../storage/library-folder.ts';
import { openLibraryFile } from '../../storage/open-library-file.ts';
import { createSqliteLibraryStore } from '../../storage/sqlite-library-store.ts';
import { isolationSource } from './sources.ts';
import { createFiling, createLibraryItems } from './library-items.ts';

it('isolated audio is listed, renamed, moved to the trash, restored, and erased with its row and its file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'library-items-'));
  try {
    const file = openLibraryFile(join(folder, 'library.db'), Date.now());
    if (!file.ok) throw new Error(file.error.kind);
    const { database } = file.value;
    const store = createSqliteLibraryStore(database, keepReserve(folder), () => file.value.close());
    database.exec(`INSERT INTO jobs (id, seq, path, name, size_bytes, language, include_speakers, added_at_ms, tag, memory)
      VALUES ('job-1', 1, '/x.wav', 'x.wav', 1, 'uz', 0, 1, 'done', '{}')`);
    database.exec(`INSERT INTO audio (id, job_id, title, source_name, created_at_ms, file_name, format, sha256, size_bytes)
      VALUES ('a1', 'job-1', 'Shovqinli yozuv', 'x.wav', 5, 'a1.mp3', 'mp3', '${'a'.repeat(64)}', 3)`);
    const audio = openAudioFolder(join(folder, 'audio'));
    mkdirSync(join(folder, 'audio'));
    for (const name of ['a1.mp3', 'a1-wav.wav', 'a2.mp3']) writeFileSync(audio.pathOf(name), 'audio');
    const swept: string[] = [];
    const erasedWords: string[] = [];
    const jobs = [{ id: 'job-1', kind: 'isolate', isExcerpt: true }];
    let nowMs = 1_000;
    const items = createLibraryItems({
      sources: [
        isolationSource({
          store,
          audio,
          jobs: { list: () => ({ jobs }) as never, act: async () => ok({ changedCount: 0, acceptedCount: 0 }) },
          backups: { settled: () => Promise.resolve() },
          sweep: async ({ contents }) => void swept.push(...contents),
        }),
      ],
      filing: createFiling(store),
      search: {
        sync: async () => undefined,
        put: async () => undefined,
        search: async () => ok({ items: [], momentCount: 0, itemCount: 0, isPartial: false, nearest: null }),
        read: async () => ok([]),
        erase: async (ids) => void erasedWords.push(...ids),
        close: async () => undefined,
      },
      newId: () => 'folder-1',
      now: () => nowMs,
    });
    const ref = { kind: 'isolation', id: 'a1' } as const;
    const listed = async () => {
      const all = await items.list();
      return all.ok ? all.value.items : [];
    };
    await items.rename(ref, 'Tozalangan yozuv');
    expect(await listed()).toMatchObject([{ ...ref, title: 'Tozalangan yozuv', sizeBytes: 3, trashedAtMs: null }]);
    expect((await listed())[0]?.states).toEqual(['excerpt']);
    jobs.length = 0;
    expect((await listed())[0]?.states).toEqual([]);
    expect(await items.audio(ref)).toMatchObject({ ok: true, value: { path: join(folder, 'audio', 'a1.mp3') } });

    await items.trash([ref]);
    expect((await listed())[0]?.trashedAtMs).toBe(1_000);
    await items.restore([ref]);
    expect((await listed())[0]?.trashedAtMs).toBeNull();

    await items.trash([ref]);
    nowMs += 30 * 86_400_000 - 1;
    await items.eraseDue();
    expect(await listed()).toHaveLength(1);
    nowMs += 1;
    await items.eraseDue();
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
