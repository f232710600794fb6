import { useState, type CSSProperties } from 'react';
import { useSettings } from '../../bridge/live-state.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';

/** Bounds of the inspector in CSS pixels: its lists stay readable, and the text keeps most of the window. */
const bounds = { min: 220, max: 480, usual: 296 } as const;

/** The width of the inspector: during dragging, or as stored. */
export function useInspectorWidth() {
  const { inspectorWidth } = useSettings();
  const change = useSettingsChange();
  const [moved, setMoved] = useState<{ readonly width: number | null } | null>(null);
  const width = moved ? moved.width : inspectorWidth;
  const chosenWidth: CSSProperties | undefined =
    width === null ? undefined : ({ '--inspector-chosen': `${String(width)}px` } as CSSProperties);
  return {
    chosenWidth,
    splitter: {
      ...bounds,
      size: width,
      onMove: (next: number | null) => {
        setMoved({ width: next });
      },
      onDone: (next: number | null) => {
        void change({ inspectorWidth: next }).finally(() => {
          setMoved(null);
        });
      },
    },
  };
}
