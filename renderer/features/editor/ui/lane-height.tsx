import { useRef } from 'react';
import { laneHeights } from '../../../../shared/domain/settings/settings.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useText } from '../../../lib/text.ts';
import css from './waveform-panel.module.css';

/** How many pixels of dragging change the height by one step. */
const stepPixels = 40;

/** The lower edge of the lane, which is dragged or moved with arrow keys to one of three heights. */
export function LaneHeight() {
  const t = useText();
  const { laneHeight } = useSettings();
  const change = useSettingsChange();
  const held = useRef<{ readonly y: number; readonly at: number } | null>(null);
  const at = laneHeights.indexOf(laneHeight);
  const choose = (wanted: number) => {
    const next = laneHeights[Math.max(0, Math.min(laneHeights.length - 1, wanted))];
    if (next !== undefined && next !== laneHeight) void change({ laneHeight: next });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that can be focused is a control
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a rule that is moved and has a value
      role="separator"
      aria-orientation="horizontal"
      aria-label={t('editor.waveform.height')}
      aria-valuenow={at + 1}
      aria-valuemin={1}
      aria-valuemax={laneHeights.length}
      aria-valuetext={t(`editor.waveform.heights.${laneHeight}`)}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
      tabIndex={0}
      className={css['height']}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        held.current = { y: event.clientY, at };
      }}
      onPointerMove={(event) => {
        if (held.current !== null) choose(held.current.at + Math.round((event.clientY - held.current.y) / stepPixels));
      }}
      onPointerUp={() => {
        held.current = null;
      }}
      onPointerCancel={() => {
        held.current = null;
      }}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
        if (by === 0) return;
        event.preventDefault();
        event.stopPropagation();
        choose(at + by);
      }}
    />
  );
}
