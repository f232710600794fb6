import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { isAudioFormat } from '../../../../../shared/domain/exports/formats.ts';
import { withoutStruckWords } from '../../../../../shared/domain/transcript/edit-marks.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import type { SubtitleCheck } from '../../../../bridge/types.ts';
import { useDocument, useEditor } from '../../editor-context.ts';
import { checkQuery } from '../../queries.ts';
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
