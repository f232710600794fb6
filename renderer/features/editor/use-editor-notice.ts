import { useCallback } from 'react';
import { onceChanged } from '../../lib/once-changed.ts';
import { useToast, type ToastContent } from '../../ui/toast.tsx';
import { useEditor } from './editor-context.ts';

/** Shows a notice about the opened transcript, which goes when that is left; returns a function that removes it early. */
export function useEditorNotice(): (notice: ToastContent) => () => void {
  const { store } = useEditor();
  const showToast = useToast();
  return useCallback(
    (notice) => {
      const hide = showToast(notice);
      onceChanged(store, ({ isLeft }) => isLeft)(hide);
      return hide;
    },
    [store, showToast],
  );
}
