import { memo, useCallback, useId, useLayoutEffect, useRef } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { cleanTypedText } from '../../../../shared/domain/transcript/spoken-text.ts';
import type { SegmentProblem } from '../model/caption-problems.ts';
import type { Edge } from '../model/edge-at.ts';
import type { ShownSpeaker } from '../model/speaker-list.ts';
import { wordLayout } from '../model/word-layout.ts';
import { useTimeWords } from '../time-words.ts';
import { showText, showWhetherBlank, textNodeOf } from './caret.ts';
import { ExactTimes } from './exact-times.tsx';
import { SegmentProblems } from './segment-problems.tsx';
import { SpeakerMenu } from './speaker-menu.tsx';
import colours from './speaker-colours.module.css';
import css from './transcript-view.module.css';
import type { WordMarks } from './word-marks.ts';

export interface TurnProps {
  readonly index: number;
  readonly segment: Segment;
  readonly speaker: ShownSpeaker | undefined;
  /** Somebody else spoke before. */
  readonly isSpeakerShown: boolean;
  /** The speaker is named above it, or that it is nobody's. */
  readonly hasHeading: boolean;
  /** The same person goes on in the next segment. */
  readonly isContinued: boolean;
  readonly isCurrent: boolean;
  /** The problems of its captions; none while they are not checked. */
  readonly problems: readonly SegmentProblem[] | undefined;
  /** Its exact times are shown, and a press on them leads to their fields; null: only when it begins, in seconds. */
  readonly onEditTimes: ((edge: Edge) => void) | null;
  /** Part of a selection of whole segments. */
  readonly isSelected: boolean;
  /** Only a note that somebody speaks: see `Timeline.isNote`. */
  readonly isNote: boolean;
  /** The one that Tab leads into. */
  readonly isTabStop: boolean;
  /** Its speaker is the one that Tab leads to; others have menus in the panel, and their own by the pointer. */
  readonly isSpeakerTabStop: boolean;
  readonly lang: string;
  readonly marks: WordMarks;
  readonly top: number;
  readonly measure: (element: HTMLElement | null) => void;
}

const typedInto = (isTabStop: boolean) =>
  ({
    contentEditable: 'plaintext-only',
    suppressContentEditableWarning: true,
    role: 'textbox',
    'aria-multiline': true,
    // Ours marks words (use-spelling.tsx); the browser's would mark them once more.
    spellCheck: false,
    tabIndex: isTabStop ? 0 : -1,
  }) as const;

/** One segment: time, speaker, and one text node in which words are marked without elements. */
export const Turn = memo(function Turn({
  index,
  segment,
  speaker,
  marks,
  measure,
  top,
  lang,
  isCurrent,
  problems,
  isSelected,
  isNote,
  isTabStop,
  isSpeakerTabStop,
  isSpeakerShown,
  hasHeading,
  isContinued,
  onEditTimes,
}: TurnProps) {
  const t = useText();
  const timeWords = useTimeWords();
  const time = timeWords(segment.startMs);
  const label = speaker === undefined ? time : t('editor.text.turn', { speaker: speaker.name, time });
  const problemsId = useId();
  // A gap is seen on the waveform, and nearly every one can break the rule: the text stays calm.
  const areGaps = problems?.every(({ kind }) => kind === 'gap-too-short') === true;
  const host = useRef<HTMLParagraphElement>(null);
  const shown = wordLayout(segment).text;
  // The browser changes this text during typing; only a differing text is written.
  useLayoutEffect(() => {
    if (host.current === null) return;
    if (cleanTypedText(host.current.textContent) !== shown) showText(host.current, shown);
    showWhetherBlank(host.current);
  }, [shown]);
  useLayoutEffect(() => {
    if (host.current !== null) marks.refresh(index, textNodeOf(host.current), false);
  }, [marks, index, segment]);
  const attach = useCallback(
    (paragraph: HTMLParagraphElement | null) => {
      host.current = paragraph;
      return paragraph === null ? undefined : marks.attach(index, textNodeOf(paragraph));
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
        colours[`c${String(speaker?.colour ?? 0)}`],
        hasHeading && css['named'],
        !isSpeakerShown && css['joined'],
        isContinued && css['continued'],
        isCurrent && css['current'],
        isNote && css['note'],
        problems !== undefined && !areGaps && css['marked'],
        isSelected && css['selected'],
      )}
      // Not by a transform: each one is a layer of its own that is put together again with every letter.
      style={{ insetBlockStart: `${String(top)}px` }}
    >
      {onEditTimes === null ? (
        <span aria-hidden className={css['time']} data-segment-time>
          {clock(segment.startMs)}
        </span>
      ) : (
        <ExactTimes
          segment={segment}
          onEdit={(edge) => {
            // The caret makes it the segment whose times are edited.
            host.current?.focus();
            onEditTimes(edge);
          }}
        />
      )}
      <div className={css['words']}>
        {problems !== undefined && <SegmentProblems id={problemsId} problems={problems} areGaps={areGaps} />}
        {hasHeading && (
          <div className={css['who']}>
            <SpeakerMenu segmentId={segment.id} speaker={speaker ?? null} isPassedByTab={!isSpeakerTabStop} />
          </div>
        )}
        <p
          ref={attach}
          lang={lang}
          data-text={segment.id}
          {...(shown === '' && { 'data-empty': t('editor.text.emptySegment') })}
          {...typedInto(isTabStop)}
          aria-label={label}
          aria-describedby={problems === undefined ? undefined : problemsId}
        />
      </div>
    </article>
  );
});
