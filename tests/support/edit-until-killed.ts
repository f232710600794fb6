import { openLibraryFile } from '../../electron/storage/open-library-file.ts';
import { createSqliteLibraryStore } from '../../electron/storage/sqlite-library-store.ts';
import { applyChange } from '../../shared/domain/transcript/change.ts';
import { mergeSegments, replaceText, splitSegment } from '../../shared/domain/transcript/edit-segments.ts';
import { packChange } from '../../shared/domain/transcript/packed.ts';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';

/** A program that edits a transcript as fast as it can until it is killed or has saved COUNT edits; it prints each revision. */
const [path = '', id = '', seed = '1', count = 'Infinity'] = process.argv.slice(2);
// Without a path SQLite and the lock would use the current folder.
if (path === '') throw new Error('edit-until-killed PATH TRANSCRIPT [SEED] [COUNT]');
const file = openLibraryFile(path, Date.now());
if (!file.ok) throw new Error(file.error.kind);
const store = createSqliteLibraryStore(file.value);
const opened = store.transcript(id);
if (!opened.ok || opened.value === null) throw new Error('no transcript');
let { transcript, revision } = opened.value;
const random = seededRandom(Number(seed));
const lastRevision = revision + Number(count);
for (let number = 0; revision < lastRevision; number += 1) {
  const at = Math.floor(random() * transcript.segments.length);
  const [segment, next] = transcript.segments.slice(at, at + 2);
  if (segment === undefined) break;
  const kind = random();
  const change =
    kind < 0.6
      ? replaceText(transcript, segment.id, `${segment.text.split(' ').slice(0, 8).join(' ')} soʻz${number}`)
      : kind < 0.8
        ? splitSegment(transcript, segment.id, Math.floor(random() * segment.text.length), `n${seed}-${number}`)
        : mergeSegments(transcript, segment.id, next?.id ?? '');
  const applied = change.ok ? applyChange(transcript, change.value) : change;
  if (!change.ok || !applied.ok) continue;
  const saved = store.edit(id, revision, [{ atMs: Date.now(), label: 'type', change: packChange(change.value) }]);
  if (!saved.ok || saved.value === null) throw new Error(saved.ok ? 'not the last revision' : saved.error.kind);
  ({ transcript } = applied.value);
  revision = saved.value;
  process.stdout.write(`${revision}\n`);
}
