import type { LucideIcon } from 'lucide-react';
import { useCallback } from 'react';
import { onceChanged } from '../../lib/once-changed.ts';
import { useUndoNotice } from '../../ui/notices.ts';
import { useEditor } from './editor-context.ts';

/** Says what the last step did to the text, with a button that undoes it until the text changes again or is left. */
export function useStepNotice(): (notice: { readonly icon: LucideIcon; readonly text: string }) => void {
  const { document: text, store } = useEditor();
  const showUndo = useUndoNotice();
  return useCallback(
    (notice) => {
      const hide = showUndo({ ...notice, undo: text.undo, until: onceChanged(text, ({ transcript }) => transcript) });
      onceChanged(store, ({ isLeft }) => isLeft)(hide);
    },
    [text, store, showUndo],
  );
}
