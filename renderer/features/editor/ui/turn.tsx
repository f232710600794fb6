import { memo, useCallback } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import { colourOf, type ShownSpeaker } from '../model/speaker-list.ts';
import { wordLayout } from '../model/word-layout.ts';
import { useTimeWords } from '../time-words.ts';
import colours from './speaker-colours.module.css';
import css from './transcript-view.module.css';
import type { WordMarks } from './word-marks.ts';

export interface TurnProps {
  readonly index: number;
  readonly segment: Segment;
  readonly speaker: ShownSpeaker | undefined;
  /** Named when somebody else spoke before. */
  readonly isSpeakerShown: boolean;
  readonly isCurrent: boolean;
  /** Only notes that somebody speaks: see `Timeline.isNote`. */
  readonly isNote: boolean;
  readonly lang: string;
  readonly marks: WordMarks;
  readonly top: number;
  readonly measure: (element: HTMLElement | null) => void;
}

/** One segment: time, who speaks, and one text node in which words are marked without elements. */
export const Turn = memo(function Turn({
  index,
  segment,
  speaker,
  marks,
  measure,
  top,
  lang,
  isCurrent,
  isNote,
  isSpeakerShown,
}: TurnProps) {
  const t = useText();
  const timeWords = useTimeWords();
  const time = timeWords(segment.startMs);
  const label = speaker === undefined ? time : t('editor.text.turn', { speaker: speaker.name, time });
  const attach = useCallback(
    (paragraph: HTMLElement | null) => {
      const text = paragraph?.firstChild;
      return text instanceof Text ? marks.attach(index, text) : undefined;
    },
    [marks, index],
  );
  return (
    <article
      ref={measure}
      aria-label={label}
      data-index={index}
      className={cx(
        css['turn'],
        colours[`c${String(speaker === undefined ? 0 : colourOf(speaker.number))}`],
        isCurrent && css['current'],
        isNote && css['note'],
      )}
      style={{ transform: `translateY(${String(top)}px)` }}
    >
      <span aria-hidden className={css['time']}>
        {clock(segment.startMs)}
      </span>
      <div className={css['words']}>
        {isSpeakerShown && speaker !== undefined && (
          <div className={css['who']}>
            <SpeakerMark number={speaker.number} name={speaker.name} />
          </div>
        )}
        <p ref={attach} lang={lang} data-text>
          {wordLayout(segment).text}
        </p>
      </div>
    </article>
  );
});
