import type { KeyboardEvent } from 'react';
import { isBesideOtherEdge } from '../../../../shared/domain/transcript/edit-segments.ts';
import { moveEdgeOf } from '../../../../shared/domain/transcript/open-end.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { isShortcut } from '../../../lib/hotkeys.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Switch } from '../../../ui/switch.tsx';
import { TimeField } from './time-field.tsx';
import { useBackToText } from './use-back-to-text.ts';
import { useStopNotice } from './use-stop-notice.ts';
import { useEditor, useEditorState, useSegments } from '../editor-context.ts';
import { useTargetPlace } from '../use-target-place.ts';
import css from './inspector.module.css';

/** Start and end of the current segment, to type or nudge; later segments can be shifted along. */
export function SegmentTimes() {
  const t = useText();
  const formats = useFormats();
  const { timeCode } = formats;
  const { document: text, store, isOpenEnded } = useEditor();
  const current = useTargetPlace();
  const tellStop = useStopNotice();
  const backToText = useBackToText();
  const { showsExactTimes } = useSettings();
  const changeSettings = useSettingsChange();
  const lengthMs = useEditorState((state) => state.lengthMs);
  const segment = useSegments()[current];
  const isRippling = useEditorState((state) => state.isRippling);
  if (segment === undefined) return null;
  const move = (edge: 'start' | 'end', toMs: number) => {
    text.edit(
      'edge',
      (transcript) => moveEdgeOf(transcript, { segmentId: segment.id, edge, toMs, isRippling }, isOpenEnded),
      // Consecutive presses are one undo step; with shifting, each press is a step of its own.
      isRippling ? {} : { mergeKey: `edge:${edge}:${segment.id}` },
    );
  };
  const refuse = (edge: 'start' | 'end') => (toMs: number) => {
    if (toMs > lengthMs && !isOpenEnded) return t('editor.times.beyondEnd', { time: timeCode(lengthMs) });
    // A start that takes everything along takes its own end along too.
    if ((edge === 'start' && isRippling) || isBesideOtherEdge(segment, edge, toMs)) return null;
    return edge === 'start'
      ? t('editor.times.startTooLate', { time: timeCode(segment.endMs) })
      : t('editor.times.endTooEarly', { time: timeCode(segment.startMs) });
  };
  /** The first Esc takes back what was typed in the field. */
  const leave = (shownMs: number, event: KeyboardEvent) => {
    if (event.key !== 'Escape' || (event.target as HTMLInputElement).value !== timeCode(shownMs)) return;
    event.preventDefault();
    event.stopPropagation();
    backToText();
  };
  const nudge = (edge: 'start' | 'end') => (event: KeyboardEvent) => {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (direction === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const from = edge === 'start' ? segment.startMs : segment.endMs;
    move(edge, from + direction * (event.shiftKey ? 100 : 10));
  };
  /** The field undoes its own letters; without any, the last step of the text is meant. */
  const undo = (shownMs: number, event: KeyboardEvent) => {
    const isUndo = isShortcut(event.nativeEvent, 'Mod+KeyZ');
    const isRedo = isShortcut(event.nativeEvent, 'Mod+Shift+KeyZ') || isShortcut(event.nativeEvent, 'Mod+KeyY');
    if ((!isUndo && !isRedo) || (event.target as HTMLInputElement).value !== timeCode(shownMs)) return;
    event.preventDefault();
    text[isUndo ? 'undo' : 'redo']();
  };
  const seconds = formats.number((segment.endMs - segment.startMs) / 1000);
  return (
    <section className={css['times']} aria-label={t('editor.times.title')} data-segment-times>
      <h2 className={css['heading']}>{t('editor.times.title')}</h2>
      {(['start', 'end'] as const).map((edge) => (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys belong to the field inside
        <div
          key={edge}
          data-edge-time={edge}
          onKeyDown={(event) => {
            const shownMs = edge === 'start' ? segment.startMs : segment.endMs;
            undo(shownMs, event);
            leave(shownMs, event);
            nudge(edge)(event);
          }}
        >
          <TimeField
            key={`${segment.id}-${edge}`}
            label={t(`editor.times.${edge}`)}
            valueMs={edge === 'start' ? segment.startMs : segment.endMs}
            mostMs={Infinity}
            refuse={refuse(edge)}
            written={timeCode}
            onChange={(toMs) => {
              move(edge, toMs);
              tellStop({ segmentId: segment.id, edge, toMs, isRippling });
            }}
          />
        </div>
      ))}
      <p className={css['legend']}>
        {t('editor.waveform.seconds', { seconds })}. {t('editor.times.hint')}
      </p>
      <Switch label={t('editor.times.ripple')} isOn={isRippling} onChange={store.ripple} />
      <Switch
        label={t('editor.times.exact')}
        isOn={showsExactTimes}
        onChange={(isShown) => void changeSettings({ showsExactTimes: isShown })}
      />
    </section>
  );
}
