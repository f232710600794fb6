import { useCallback } from 'react';
import type { Watched } from '../lib/once-changed.ts';
import { useText } from '../lib/text.ts';
import { useToast, type ToastContent } from './toast.tsx';

export interface UndoNotice extends Omit<ToastContent, 'action'> {
  readonly undo: () => void;
  /** When this changes, by `undo` or anything else, the notice goes: it would offer to undo something else. */
  readonly until?: Watched;
}

/** Shows what was done with a button that undoes it; returns a function that removes the notice early. */
export function useUndoNotice(): (notice: UndoNotice) => () => void {
  const t = useText();
  const showToast = useToast();
  return useCallback(
    ({ undo, until, ...toast }) => {
      const hide = showToast({ ...toast, action: { text: t('common.undo'), onPress: undo } });
      until?.(hide);
      return hide;
    },
    [t, showToast],
  );
}
