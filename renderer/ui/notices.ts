import { CircleAlert, Copy } from 'lucide-react';
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

/** Puts a text on the clipboard; false when the system refuses it. */
export const copyText = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );

/** Copies a text and shows whether it was copied. */
export function useCopy(): (text: string) => Promise<void> {
  const t = useText();
  const showToast = useToast();
  return useCallback(
    async (text) => {
      showToast(
        (await copyText(text))
          ? { icon: Copy, text: t('common.copied') }
          : { icon: CircleAlert, text: t('common.notCopied') },
      );
    },
    [t, showToast],
  );
}
