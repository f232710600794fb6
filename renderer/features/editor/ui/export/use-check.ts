import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { isAudioFormat } from '../../../../../shared/domain/exports/formats.ts';
import { withoutStruckWords } from '../../../../../shared/domain/transcript/edit-marks.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import type { SubtitleCheck } from '../../../../bridge/types.ts';
import { useDocument, useEditor } from '../../editor-context.ts';
import { placeOfCaption } from '../../model/caption-problems.ts';
import { checkQuery } from '../../queries.ts';
import { useCheckedFile } from '../use-caption-problems.ts';
import type { ExportChoice } from './use-export-choice.ts';

/**
 * The rule violations in the captions of the chosen file; null until they are known and for formats without captions.
 */
export function useCheck({ format, given, source, specs }: ExportChoice): SubtitleCheck | null {
  const { detail } = useEditor();
  const isWanted = source === 'studio' && 'charactersPerLine' in specs;
  const { data } = useQuery(checkQuery(useStudio(), detail.id, format, useDeferredValue(given), isWanted));
  return isWanted ? (data ?? null) : null;
}

/** Whether the file would have no text: all of it was deleted or cut, or no caption is made of it. */
export function useIsEmpty(choice: ExportChoice): boolean {
  const check = useCheck(choice);
  const isBlank = useDocument(({ transcript }) =>
    withoutStruckWords(transcript).segments.every(({ text }) => text === ''),
  );
  if (choice.source !== 'studio' || isAudioFormat(choice.format)) return false;
  return isBlank || check?.cueCount === 0;
}

/** Leaves the export for the text, with the caret where a caption of the file begins, by its place in the file. */
export function useCaptionInText(choice: ExportChoice): (cue: number) => void {
  const { store, player, document: text } = useEditor();
  const file = useCheckedFile(choice);
  const transcript = useDocument((state) => state.transcript);
  return (cue) => {
    store.closeExport();
    store.showView('text');
    const place = placeOfCaption(transcript, file, cue);
    const segment = transcript.segments[place?.segment ?? -1];
    if (place === null || segment === undefined) return;
    player.seek(place.startMs);
    text.setState({ caret: { segmentId: segment.id, offset: place.offset } });
  };
}
