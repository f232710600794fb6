import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { LibraryListing } from '../../bridge/types.ts';
import { useFormats, useText } from '../../lib/text.ts';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { refKey, type ItemRef } from '../../../shared/domain/library/library-item.ts';
import { RequestRefused, valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import {
  itemRequests,
  libraryQuery,
  transcriptListKey,
  useFreshTranscripts,
} from '../../parts/transcripts/transcripts-query.ts';
import type { ListedItem } from './model/library-view.ts';

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

/** The search results in the order of `items`; while the next query runs, those of the one before. */
export function useSearch(text: string, items: readonly ListedItem[], mostItems: number, isByMoments: boolean) {
  const studio = useStudio();
  const among = items.map(refKey);
  return useQuery({
    queryKey: [...transcriptListKey, 'search', text, mostItems, isByMoments, among.join(' ')],
    queryFn: () => valueOrThrow(studio.request('library.search', { text, among, mostItems, isByMoments })),
    retry: false,
    gcTime: 60_000,
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
}

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

export function useMissing() {
  const studio = useStudio();
  return useQuery({
    queryKey: [...transcriptListKey, 'missing'],
    queryFn: async () => (await valueOrThrow(studio.request('library.missing', {}))).missing,
    retry: false,
    staleTime: 60_000,
  });
}

export function useRun() {
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
  return { run, error, reset };
}

export function useLibraryActions() {
  const studio = useStudio();
  const { run, error, reset } = useRun();
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
