import { useCallback } from 'react';
import { onceChanged } from '../../lib/once-changed.ts';
import { useToast, type ToastContent } from '../../ui/toast.tsx';
import { useEditor } from './editor-context.ts';
import { type LucideIcon, CircleAlert } from 'lucide-react';
import { useUndoNotice } from '../../ui/notices.ts';
import { isBesideOtherEdge } from '../../../shared/domain/transcript/edit-segments.ts';
import type { EdgeMove } from '../../../shared/domain/transcript/open-end.ts';
import { useFormats, useText } from '../../lib/text.ts';

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

export function useStopNotice(): (moved: EdgeMove) => void {
  const t = useText();
  const { timeCode } = useFormats();
  const showNotice = useEditorNotice();
  const { document: text } = useEditor();
  return useCallback(
    ({ segmentId, edge, toMs, isRippling }) => {
      const { segments, durationMs } = text.getState().transcript;
      const segment = segments.find(({ id }) => id === segmentId);
      if (segment === undefined) return;
      const placedMs = edge === 'start' ? segment.startMs : segment.endMs;
      if (placedMs === toMs) return;
      const isStoppedByOwn = !(edge === 'start' && isRippling) && !isBesideOtherEdge(segment, edge, toMs);
      const isStoppedByEnd = toMs > placedMs && (isRippling || placedMs >= durationMs);
      showNotice({
        icon: CircleAlert,
        text: isStoppedByOwn
          ? edge === 'start'
            ? t('editor.times.startTooLate', { time: timeCode(segment.endMs) })
            : t('editor.times.endTooEarly', { time: timeCode(segment.startMs) })
          : t(isStoppedByEnd ? 'editor.times.stoppedByEnd' : 'editor.times.stopped', { time: timeCode(placedMs) }),
      });
    },
    [t, timeCode, showNotice, text],
  );
}
