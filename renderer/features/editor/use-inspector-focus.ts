import { useCallback } from 'react';
import { useSettings } from '../../bridge/live-state.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import type { Editor } from './editor-context.ts';
import type { Edge } from './model/edge-at.ts';
import { targetPlace } from './use-target-place.ts';

export interface InspectorFocus {
  /** Focuses a field of the panel beside the text, which is opened if it is closed. */
  readonly openInspector: (focused: string) => void;
  /** Focuses the field of a time of the segment that keys apply to. */
  readonly focusTimes: (edge: Edge) => void;
}

/** How long to wait for a field that is about to be shown: half a second. */
const mostFrames = 30;

/** Ways into the fields of the panel beside the text, for keys and presses in the text. */
export function useInspectorFocus(editor: Editor, root: HTMLElement | null): InspectorFocus {
  const { isInspectorOpen } = useSettings();
  const change = useSettingsChange();
  const openInspector = useCallback(
    (focused: string) => {
      if (!isInspectorOpen) void change({ isInspectorOpen: true });
      let frames = 0;
      // The element may exist already, or some frames later.
      const look = () => {
        const field = root?.querySelector<HTMLInputElement>(`[data-pane="inspector"] ${focused}`);
        field?.focus();
        field?.select();
        frames += 1;
        if (!field && frames < mostFrames) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
    [isInspectorOpen, change, root],
  );
  const focusTimes = useCallback(
    (edge: Edge) => {
      const { timeline, player, store } = editor;
      const place = targetPlace(editor);
      const segment = timeline.segments[place];
      if (segment !== undefined && timeline.segmentNear(player.timeMs()) !== place) player.seek(segment.startMs);
      store.showPanel('info');
      openInspector(`[data-edge-time="${edge}"] input`);
    },
    [editor, openInspector],
  );
  return { openInspector, focusTimes };
}
