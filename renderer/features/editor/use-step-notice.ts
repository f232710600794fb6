import type { LucideIcon } from 'lucide-react';
import { useCallback } from 'react';
import { onceChanged } from '../../lib/once-changed.ts';
import { useUndoNotice } from '../../ui/notices.ts';
import { useEditor } from './editor-context.ts';

/** Says what the last step did to the text, with a button that undoes it until the text changes again. */
export function useStepNotice(): (notice: { readonly icon: LucideIcon; readonly text: string }) => void {
  const { document: text } = useEditor();
  const showUndo = useUndoNotice();
  return useCallback(
    (notice) => {
      showUndo({ ...notice, undo: text.undo, until: onceChanged(text, ({ transcript }) => transcript) });
    },
    [text, showUndo],
  );
}
