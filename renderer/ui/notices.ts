import { CircleAlert, Copy } from 'lucide-react';
import { useCallback } from 'react';
import type { Watched } from '../lib/once-changed.ts';
import { useText } from '../lib/text.ts';
import { useToast, type ToastContent } from './toast.tsx';

export interface UndoNotice extends Omit<ToastContent, 'action'> {
  readonly undo: () => void;
  /** When this changes the notice goes: it would offer to undo something else. */
  readonly until?: Watched;
}

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

/** False when the system refuses it. */
export const copyText = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );

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
