import type { ItemRef } from '../../../shared/domain/library/library-item.ts';
import type { StudioClient } from '../../bridge/client.ts';
import { valueOrThrow } from '../../bridge/request-error.ts';

const bare = (refs: readonly ItemRef[]) => refs.map(({ kind, id }) => ({ kind, id }));

/** What main does with items of the library that are listed anywhere. Each rejects with the failure. */
export const itemRequests = (studio: StudioClient) => ({
  trash: (refs: readonly ItemRef[]) => valueOrThrow(studio.request('library.trash', { items: bare(refs) })),
  restore: (refs: readonly ItemRef[]) => valueOrThrow(studio.request('library.restore', { items: bare(refs) })),
  rename: ({ kind, id }: ItemRef, title: string) =>
    valueOrThrow(studio.request('library.rename', { item: { kind, id }, title })),
  showRecording: (transcriptId: string) => valueOrThrow(studio.request('transcripts.showRecording', { transcriptId })),
});
