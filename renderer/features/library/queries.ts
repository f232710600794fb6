import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { LibraryListing } from '../../bridge/types.ts';
import { useFormats, useText } from '../../lib/text.ts';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { refKey, type ItemRef } from '../../../shared/domain/library/library-item.ts';
import { RequestRefused, valueOrThrow } from '../../bridge/request-error.ts';
import type { StudioClient } from '../../bridge/client.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { itemRequests } from '../../parts/transcripts/item-requests.ts';
import { libraryQuery, transcriptListKey, useFreshTranscripts } from '../../parts/transcripts/transcripts-query.ts';
import type { ListedItem } from './model/library-view.ts';

/** All items of the library; refetched when a job is done. */
export function useLibrary() {
  const studio = useStudio();
  useFreshTranscripts();
  const t = useText();
  const formats = useFormats();
  return useQuery({
    ...libraryQuery(studio),
    select: useCallback(
      ({ items, folders, tags }: LibraryListing) => ({
        folders,
        tags,
        items: items.map((item) =>
          item.title !== ''
            ? item
            : {
                ...item,
                isUntitled: true as const,
                title: t(`library.untitled.${item.kind}`, { at: formats.time(item.createdAtMs) }),
              },
        ),
      }),
      [t, formats],
    ),
  });
}

const searchQuery = (
  studio: StudioClient,
  text: string,
  items: readonly ListedItem[],
  mostItems: number,
  isByMoments: boolean,
) =>
  queryOptions({
    queryKey: [...transcriptListKey, 'search', text, mostItems, isByMoments, items.map(refKey).join(' ')],
    queryFn: () =>
      valueOrThrow(studio.request('library.search', { text, among: items.map(refKey), mostItems, isByMoments })),
    retry: false,
    gcTime: 60_000,
  });

/** The search results in the order of `items`; while the next query runs, those of the one before. */
export function useSearch(text: string, items: readonly ListedItem[], mostItems: number, isByMoments: boolean) {
  return useQuery({
    ...searchQuery(useStudio(), text, items, mostItems, isByMoments),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
}

/** The first words of an item, or those from a time on. */
export function useFirstWords({ kind, id }: ItemRef, fromMs: number) {
  const studio = useStudio();
  return useQuery({
    queryKey: [...transcriptListKey, 'words', kind, id, fromMs],
    queryFn: async () =>
      (await valueOrThrow(studio.request('library.read', { item: { kind, id }, fromMs: Math.max(0, fromMs) }))).moments,
    retry: false,
    gcTime: 60_000,
  });
}

/** How often a word occurs in the rest of the library, section by section. */
export function useMomentCounts(text: string, parts: readonly (readonly ListedItem[])[]) {
  const studio = useStudio();
  return useQuery({
    queryKey: [...transcriptListKey, 'counts', text, parts.map((part) => part.map(refKey).join(' ')).join('\n')],
    queryFn: async () => {
      const counts: number[] = [];
      for (const part of parts) {
        // oxlint-disable-next-line no-await-in-loop -- main answers them one after another
        const found = await valueOrThrow(
          studio.request('library.search', { text, among: part.map(refKey), mostItems: 1 }),
        );
        counts.push(Math.max(found.momentCount, found.itemCount));
      }
      return counts;
    },
    enabled: text !== '' && parts.length > 0,
    retry: false,
  });
}

/** Transcripts whose recording is missing. */
export function useMissing() {
  const studio = useStudio();
  return useQuery({
    queryKey: [...transcriptListKey, 'missing'],
    queryFn: async () => (await valueOrThrow(studio.request('library.missing', {}))).missing,
    retry: false,
    staleTime: 60_000,
  });
}

/** The commands for items of the library. Each returns whether it worked. */
export function useLibraryActions() {
  const studio = useStudio();
  const queries = useQueryClient();
  const { mutateAsync, error, reset } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => queries.invalidateQueries({ queryKey: transcriptListKey }),
  });
  const run = (work: () => Promise<unknown>): Promise<boolean> =>
    mutateAsync(work).then(
      () => true,
      () => false,
    );
  const requests = itemRequests(studio);
  const bare = (refs: readonly ItemRef[]) => refs.map(({ kind, id }) => ({ kind, id }));
  return {
    error,
    forgetError: reset,
    trash: (refs: readonly ItemRef[]) => run(() => requests.trash(refs)),
    restore: (refs: readonly ItemRef[]) => run(() => requests.restore(refs)),
    erase: (refs: readonly ItemRef[], atService: boolean) =>
      run(() => valueOrThrow(studio.request('library.erase', { items: bare(refs), atService }))),
    move: (refs: readonly ItemRef[], folderId: string | null) =>
      run(() => valueOrThrow(studio.request('library.move', { items: bare(refs), folderId }))),
    /** Moves each item back into its former folder. */
    moveBack: (items: readonly ListedItem[]) =>
      run(async () => {
        for (const [folderId, ofFolder] of Map.groupBy(items, (item) => item.folderId))
          // oxlint-disable-next-line no-await-in-loop -- folders are few
          await valueOrThrow(studio.request('library.move', { items: bare(ofFolder), folderId }));
      }),
    tag: (refs: readonly ItemRef[], tagId: string, isOn: boolean) =>
      run(() => valueOrThrow(studio.request('library.tag', { items: bare(refs), tagId, isOn }))),
    renameTag: (id: string, name: string) => run(() => valueOrThrow(studio.request('library.saveTag', { id, name }))),
    removeTag: (id: string) => run(() => valueOrThrow(studio.request('library.removeTag', { id }))),
    /** Creates a tag, or reuses the one with that name, and adds it to the items. A removed one gets its id again. */
    tagInNew: (
      name: string,
      refs: readonly ItemRef[],
      onMade: (id: string) => void = () => undefined,
      removedId: string | null = null,
    ) =>
      run(async () => {
        const { id } = await valueOrThrow(studio.request('library.saveTag', { id: removedId, name }));
        if (refs.length > 0)
          await valueOrThrow(studio.request('library.tag', { items: bare(refs), tagId: id, isOn: true }));
        onMade(id);
      }),
    rename: (ref: ItemRef, title: string) => run(() => requests.rename(ref, title)),
    saveFolder: (id: string | null, name: string) =>
      run(() => valueOrThrow(studio.request('library.saveFolder', { id, name, parentId: null }))),
    moveFolder: (id: string, parentId: string | null) =>
      run(() => valueOrThrow(studio.request('library.moveFolder', { id, parentId }))),
    /** Creates a folder, inside another one or at the top, and moves the items into it. A removed one gets its id again. */
    fileInNew: (
      name: string,
      parentId: string | null,
      refs: readonly ItemRef[],
      onMade: (id: string) => void = () => undefined,
      foldersInside: readonly string[] = [],
      removedId: string | null = null,
    ) =>
      run(async () => {
        const { id } = await valueOrThrow(studio.request('library.saveFolder', { id: removedId, name, parentId }));
        if (refs.length > 0) await valueOrThrow(studio.request('library.move', { items: bare(refs), folderId: id }));
        for (const inside of foldersInside)
          // oxlint-disable-next-line no-await-in-loop -- folders are few
          await valueOrThrow(studio.request('library.moveFolder', { id: inside, parentId: id }));
        onMade(id);
      }),
    setLanguage: (languages: readonly { readonly id: string; readonly language: SpeechLanguage }[]) =>
      run(() => valueOrThrow(studio.request('transcripts.setLanguage', { languages: [...languages] }))),
    attach: (transcriptId: string) =>
      run(async () => {
        const { failure } = await valueOrThrow(
          studio.request('transcripts.locateMedia', { transcriptId, token: null }),
        );
        if (failure !== null) throw new RequestRefused(failure);
      }),
    showRecording: (transcriptId: string) => run(() => requests.showRecording(transcriptId)),
    reveal: (revealToken: string) => run(() => valueOrThrow(studio.request('exports.reveal', { revealToken }))),
    exportAs: (
      transcriptId: string,
      format: ExportFormat,
      onSaved: (saved: { readonly name: string; readonly revealToken: string | null }) => void,
    ) =>
      run(async () => {
        const { savedAs, revealToken } = await valueOrThrow(
          studio.request('exports.save', { transcriptId, format, options: {}, source: 'studio', place: 'ask' }),
        );
        if (savedAs !== null) onSaved({ name: savedAs, revealToken });
      }),
    removeFolder: (id: string) => run(() => valueOrThrow(studio.request('library.removeFolder', { id }))),
  };
}
