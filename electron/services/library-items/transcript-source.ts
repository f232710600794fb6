import { ok } from '../../../shared/result/result.ts';
import type { ItemState } from '../../../shared/domain/library/library-item.ts';
import type { LibraryStore } from '../library/store.ts';
import { placeOfAudio, type AudioExtractor } from '../media/audio-extractor.ts';
import type { DeletionService } from '../transcripts/deletion.ts';
import { findFacts, type TranscriptService } from '../transcripts/transcript-service.ts';
import { readDeletedAtService } from './at-service.ts';
import type { LibrarySource } from './library-items.ts';

export interface TranscriptSourcePorts {
  /** With what is in the trash. */
  readonly store: Pick<LibraryStore, 'listTranscriptItems' | 'listTranscripts' | 'note' | 'transcriptFacts'>;
  readonly transcripts: Pick<TranscriptService, 'rename'>;
  readonly extractor: Pick<AudioExtractor, 'pathOf'>;
  readonly deletion: DeletionService;
  readonly isPractice: boolean;
}

const isOrigin = (state: ItemState): boolean => state === 'made-here' || state === 'made-at-service';

/** Transcripts as items of the library. The index reads their text by itself. */
export const transcriptSource = ({
  store,
  transcripts,
  extractor,
  deletion,
  isPractice,
}: TranscriptSourcePorts): LibrarySource => ({
  kind: 'transcript',
  list() {
    const listed = store.listTranscriptItems();
    if (!listed.ok) return listed;
    const trashed = deletion.trashed();
    const gone = readDeletedAtService(store);
    const lines = gone.size === 0 ? ok([]) : store.listTranscripts();
    if (!lines.ok) return lines;
    const deletedThere = new Set(lines.value.filter(({ remoteId }) => gone.has(remoteId ?? '')).map(({ id }) => id));
    return ok(
      listed.value
        .filter(({ id }) => trashed.has(id) || !deletion.isGone(id))
        .map((item) => ({
          ...item,
          // What is practised with was recognised by nobody.
          states: isPractice ? item.states.filter((state) => !isOrigin(state)) : item.states,
          ...(deletedThere.has(item.id)
            ? { isAtService: false, states: [...item.states, 'deleted-at-service' as const] }
            : {}),
          trashedAtMs: trashed.get(item.id) ?? null,
        })),
    );
  },
  rename: (id, title) => transcripts.rename(id, title),
  trash: { put: (ids) => deletion.trashAll(ids), restore: (ids) => deletion.restoreAll(ids) },
  audio(id) {
    // Trashed items can be played too, before they are restored or erased.
    const found = findFacts(store, id);
    if (!found.ok) return found;
    const { mediaPath, mediaSha256, sourceName } = found.value;
    return ok({ path: placeOfAudio(extractor, mediaPath), sha256: mediaSha256, name: sourceName });
  },
  erase: (ids, atService) => deletion.eraseTrashed(ids, atService),
});
