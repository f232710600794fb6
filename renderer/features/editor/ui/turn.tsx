import { memo, useCallback, useId, useLayoutEffect, useRef } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { cleanTypedText } from '../../../../shared/domain/transcript/spoken-text.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { cx } from '../../../lib/class-names.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import { PressButton } from '../../../ui/press-button.tsx';
import { type SegmentProblem, textSpeed } from '../model/caption-problems.ts';
import type { Edge } from '../model/edge-at.ts';
import type { ShownSpeaker } from '../model/speaker-list.ts';
import { wordLayout } from '../model/word-layout.ts';
import { useTimeWords, useEditor } from '../editor-context.ts';
import { SegmentComments } from './comments.tsx';
import { showText, showWhetherBlank, textNodeOf } from './caret.ts';
import exactTimesCss from './exact-times.module.css';
import { tint, SpeakerMenu } from './speaker-menu.tsx';
import css from './transcript-view.module.css';
import type { WordMarks } from './word-marks.ts';
import { CircleAlert, FoldVertical, SquareSplitVertical } from 'lucide-react';
import { worstFirst } from '../../../../shared/domain/subtitles/check-cues.ts';
import { useProblemWords } from './use-problem-words.ts';

interface TurnProps {
  readonly index: number;
  readonly segment: Segment;
  readonly speaker: ShownSpeaker | undefined;
  readonly isSpeakerShown: boolean;
  /** The speaker is named above it, or that it is nobody's. */
  readonly hasHeading: boolean;
  readonly isContinued: boolean;
  readonly isCurrent: boolean;
  readonly problems: readonly SegmentProblem[] | undefined;
  /** Of the last word before it, from where a comment may go on. */
  readonly lastComment: string | undefined;
  /** Its exact times are shown, and a press on them leads to their fields; null: only when it begins, in seconds. */
  readonly onEditTimes: ((edge: Edge) => void) | null;
  readonly isSelected: boolean;
  readonly isNote: boolean;
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

/** One text node, in which words are marked without elements. */
export const Turn = memo(function Turn({
  index,
  segment,
  speaker,
  problems,
  marks,
  measure,
  onEditTimes,
  ...props
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
        props.hasHeading && css['named'],
        !props.isSpeakerShown && css['joined'],
        props.isContinued && css['continued'],
        props.isCurrent && css['current'],
        props.isNote && css['note'],
        problems !== undefined && !areGaps && css['marked'],
        props.isSelected && css['selected'],
      )}
      // Not by a transform: each one is a layer of its own that is put together again with every letter.
      style={{ ...tint(speaker), insetBlockStart: `${String(props.top)}px` }}
    >
      {onEditTimes === null ? (
        <span aria-hidden className={css['time']} data-segment-time>
          {clock(segment.startMs)}
        </span>
      ) : (
        <ExactTimes
          segment={segment}
          onEdit={(edge) => {
            host.current?.focus();
            onEditTimes(edge);
          }}
        />
      )}
      <div className={css['words']}>
        <SegmentComments segment={segment} last={props.lastComment} />
        {problems !== undefined && <SegmentProblems id={problemsId} problems={problems} areGaps={areGaps} />}
        {props.hasHeading && (
          <div className={css['who']}>
            <SpeakerMenu segmentId={segment.id} speaker={speaker ?? null} isPassedByTab={!props.isSpeakerTabStop} />
          </div>
        )}
        <p
          ref={attach}
          lang={props.lang}
          data-text={segment.id}
          {...(shown === '' && { 'data-empty': t('editor.text.emptySegment') })}
          {...typedInto(props.isTabStop)}
          aria-label={label}
          aria-describedby={problems === undefined ? undefined : problemsId}
        />
      </div>
    </article>
  );
});

/** By the pointer only: a key leads to the fields of the current segment (`segment.editTimes`). */
function ExactTimes({ segment, onEdit }: { readonly segment: Segment; readonly onEdit: (edge: Edge) => void }) {
  const { startMs, endMs } = segment;
  const t = useText();
  const formats = useFormats();
  const { timeCode } = formats;
  const seconds = formats.fixed((endMs - startMs) / 1000, 3);
  const speed = formats.fixed(textSpeed(segment), 1);
  const editStart = t('editor.times.editStart', { time: timeCode(startMs) });
  const editEnd = t('editor.times.editEnd', { time: timeCode(endMs) });
  const lines = [
    {
      edge: 'start',
      time: timeCode(startMs),
      beside: t('editor.waveform.seconds', { seconds }),
      label: editStart,
      tip: editStart,
    },
    {
      edge: 'end',
      time: timeCode(endMs),
      beside: t('editor.times.speed', { speed }),
      label: editEnd,
      // Beside it stands the warning about a caption, with another speed.
      tip: t('editor.times.speedOfText', { label: editEnd }),
    },
  ] as const;
  return (
    <div className={exactTimesCss['times']} data-exact-times>
      {lines.map(({ edge, time, beside, label, tip }) => (
        <PressButton
          key={edge}
          className={exactTimesCss['line']}
          label={`${label} ${beside}`}
          tip={{ text: tip }}
          isPassedByTab
          onPress={() => onEdit(edge)}
        >
          <span>{time}</span> <span>{beside}</span>
        </PressButton>
      ))}
    </div>
  );
}

/** In the gap above the segment, where there is room for a whole problem. Gaps alone are a sign. */
function SegmentProblems({
  id,
  problems,
  areGaps,
}: {
  /** Of the problems alone, without the fix. */
  readonly id: string;
  readonly problems: readonly SegmentProblem[];
  readonly areGaps: boolean;
}) {
  const t = useText();
  const { worst, more, reasons } = useProblemWords();
  const { commands } = useEditor();
  const split = problems.find((problem) => problem.split !== null && problem.mend === null)?.split ?? null;
  const [first] = worstFirst(problems);
  if (first === undefined) return null;
  if (areGaps)
    return (
      <span title={reasons(problems)} className={css['gap']} data-problems>
        <FoldVertical aria-hidden size={11} strokeWidth={2} />
        <span id={id} hidden>
          {worst(first)}
        </span>
      </span>
    );
  return (
    <span title={reasons(problems)} className={css['mark']} data-problems>
      <CircleAlert aria-hidden size={11} strokeWidth={2} />
      <span id={id}>
        {worst(first)}
        {problems.length > 1 && <small>{`. ${more(problems.length - 1)}`}</small>}
      </span>
      {split !== null && (
        <PressButton label={t('editor.captions.split')} onPress={() => commands.splitAt(split.segmentId, split.offset)}>
          <SquareSplitVertical aria-hidden size={11} strokeWidth={2} />
          <span>{t('editor.captions.split')}</span>
        </PressButton>
      )}
    </span>
  );
}
