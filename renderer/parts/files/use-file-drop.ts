import { createContext, useContext, useEffect, useEffectEvent, useState } from 'react';
import { isTextName } from '../../../shared/domain/imports/read-subtitles.ts';
import { Scope } from '../../lib/scope.ts';
import { useTranscriptImport } from '../transcripts/transcript-import.tsx';

export type DragOver =
  | { readonly tag: 'none' }
  /** `on`: the choice under the pointer, by its `data-drop-on`. */
  | { readonly tag: 'files'; readonly count: number; readonly on: string | null };

/** A drag repeats `dragover` many times a second: silence means that it has ended. */
const silenceMs = 1000;

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

const choiceAt = ({ clientX, clientY }: DragEvent): string | null =>
  document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-drop-on]')?.dataset['dropOn'] ?? null;

export function useFileDrop(onDrop: (files: readonly File[], on: string | null) => void): DragOver {
  const [over, setOver] = useState<DragOver>({ tag: 'none' });
  const take = useEffectEvent(onDrop);
  useEffect(() => {
    const scope = new Scope();
    let stopWaiting = (): void => undefined;
    const end = () => {
      stopWaiting();
      setOver({ tag: 'none' });
    };
    const hold = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      const count = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === 'file').length;
      const on = choiceAt(event);
      setOver((shown) =>
        shown.tag === 'files' && shown.count === count && shown.on === on ? shown : { tag: 'files', count, on },
      );
      stopWaiting();
      stopWaiting = scope.after(silenceMs, end);
    };
    scope.listen<DragEvent>(window, 'dragenter', hold);
    scope.listen<DragEvent>(window, 'dragover', hold);
    scope.listen<DragEvent>(window, 'dragleave', (event) => {
      if (event.relatedTarget === null) end();
    });
    scope.listen<DragEvent>(window, 'drop', (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      const on = choiceAt(event);
      end();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) take(files, on);
    });
    return () => scope.dispose();
  }, []);
  return over;
}

export const TakeRecordings = createContext<(files: readonly File[]) => void>(() => undefined);
export const IsolateRecordings = createContext<(files: readonly File[]) => void>(() => undefined);
export const useIsolateRecordings = () => useContext(IsolateRecordings);
export const useTakeRecordings = () => useContext(TakeRecordings);

type TakeDropped = (recordings: readonly File[], on: string | null, cameAlone: boolean) => void;

export function useTextsAndRecordingsDrop(take?: TakeDropped): DragOver {
  const importTranscripts = useTranscriptImport();
  const takeRecordings = useTakeRecordings();
  return useFileDrop((files, on) => {
    const texts = files.filter(({ name }) => isTextName(name));
    const recordings = files.filter(({ name }) => !isTextName(name));
    if (texts.length > 0) void importTranscripts(texts, recordings.length === 0);
    if (recordings.length > 0) (take ?? takeRecordings)(recordings, on, texts.length === 0);
  });
}
