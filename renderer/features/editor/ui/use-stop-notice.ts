import { CircleAlert } from 'lucide-react';
import { useCallback } from 'react';
import { isBesideOtherEdge } from '../../../../shared/domain/transcript/edit-segments.ts';
import type { EdgeMove } from '../../../../shared/domain/transcript/open-end.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useEditor } from '../editor-context.ts';
import { useEditorNotice } from '../use-editor-notice.ts';

/** Says where an edge that was moved stopped, and why, unless it is where it was to go. */
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
