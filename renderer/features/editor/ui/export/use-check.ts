import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import type { SubtitleCheck } from '../../../../bridge/types.ts';
import { useEditor } from '../../editor-context.ts';
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
