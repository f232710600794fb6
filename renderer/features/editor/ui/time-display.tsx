import { useEffect, useId, useRef, useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { lengthClock, readTimeCode } from '../../../../shared/domain/time/time-code.ts';
import { useCommands, useKeyFor } from '../../../lib/commands.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { PressButton } from '../../../ui/press-button.tsx';
import { useEditor } from '../editor-context.ts';
import { offsetOfWord } from '../../../../shared/domain/transcript/spoken-text.ts';
import { hostOfCaret } from './caret.ts';
import css from './transport.module.css';
import { useDurationMs } from './use-waveform-view.ts';
import { textPane } from '../../../lib/text-pane.ts';

/** The time of the playhead; a press turns it into a field in which another one is typed. */
export function TimeDisplay() {
  const t = useText();
  const keyFor = useKeyFor();
  const durationMs = useDurationMs();
  /** What had the focus before the field; null while there is no field. */
  const [left, setLeft] = useState<Element | null>(null);
  const open = () => {
    setLeft(document.activeElement ?? document.body);
  };
  useCommands({ 'playback.goTo': open });
  return (
    <div className={css['time']} data-time>
      {left !== null ? (
        <TimeEntry
          left={left}
          onEnd={() => {
            setLeft(null);
          }}
        />
      ) : (
        <PressButton
          className={css['clock']}
          shortcut={keyFor('playback.goTo')}
          tip={{ text: t('palette.commands.goToTime'), shortcut: keyFor('playback.goTo') }}
          onPress={open}
        >
          <Clock />
          <VisuallyHidden elementType="span">{t('palette.commands.goToTime')}</VisuallyHidden>
        </PressButton>
      )}
      <small aria-hidden title={t('editor.transport.of', { time: lengthClock(durationMs) })}>
        / {lengthClock(durationMs)}
      </small>
    </div>
  );
}

/** Painted without React, once a frame; screen readers use the lane instead. */
function Clock() {
  const { player } = useEditor();
  const { timeCode } = useFormats();
  const time = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const show = (timeMs: number) => {
      const words = timeCode(timeMs);
      if (time.current !== null && time.current.textContent !== words) time.current.textContent = words;
    };
    const showNow = () => {
      show(player.timeMs());
    };
    showNow();
    const stops = [player.onTime(show), player.subscribe(showNow)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [player, timeCode]);
  return <span ref={time} aria-hidden />;
}

/** Enter goes to the typed time, Escape and leaving the field do not. */
function TimeEntry({ left, onEnd }: { readonly left: Element; readonly onEnd: () => void }) {
  const t = useText();
  const { timeCode } = useFormats();
  const { player, timeline, document: text } = useEditor();
  const [typed, setTyped] = useState(() => timeCode(player.timeMs()));
  const [isWrong, setIsWrong] = useState(false);
  const end = () => {
    onEnd();
    // The button that was pressed is gone, and keys should go on from the text.
    const back = left.isConnected ? left : textPane();
    if (back instanceof HTMLElement) back.focus({ preventScroll: true });
  };
  const go = () => {
    const toMs = readTimeCode(typed);
    setIsWrong(toMs === null);
    if (toMs === null) return;
    end();
    player.seek(toMs);
    // Who was typing goes on where it is heard.
    const place = timeline.wordAt(player.timeMs()) ?? { segment: timeline.segmentNear(player.timeMs()), word: 0 };
    const segment = timeline.segments[place.segment];
    if (segment !== undefined && hostOfCaret() !== null)
      text.setState({ caret: { segmentId: segment.id, offset: offsetOfWord(segment, place.word) } });
  };
  const wrongId = useId();
  return (
    <>
      <input
        className={css['clock']}
        aria-label={t('palette.commands.goToTime')}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? wrongId : undefined}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        ref={(input) => {
          if (input !== null && document.activeElement !== input) input.select();
        }}
        onChange={(event) => {
          setTyped(event.target.value);
          setIsWrong(false);
        }}
        onBlur={onEnd}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go();
          if (event.key === 'Escape') end();
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {isWrong && (
        <span id={wrongId} role="alert" className={css['wrong']}>
          {t('exports.wrongTime', { example: timeCode(player.timeMs()) })}
        </span>
      )}
    </>
  );
}
