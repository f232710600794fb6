import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowRight, ChevronDown, Undo2 } from 'lucide-react';
import { Fragment, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { clock } from '../../../../../shared/domain/time/time-code.ts';
import {
  compareWords,
  type RowChoice,
  type ComparedRow,
  type TextPiece,
} from '../../../../../shared/domain/transcript/compare.ts';
import { redactedText, secretPart } from '../../../../../shared/domain/transcript/edit-marks.ts';
import {
  isCut,
  isRedacted,
  type Segment,
  type Transcript,
  type Word,
} from '../../../../../shared/domain/transcript/transcript.ts';
import { cx } from '../../../../lib/class-names.ts';
import type { Formats } from '../../../../lib/formats.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Segmented } from '../../../../ui/segmented.tsx';
import { SpeakerMark } from '../../../../ui/speaker-mark.tsx';
import { useEditor } from '../../editor-context.ts';
import { listSpeakers, type ShownSpeaker } from '../../model/speaker-list.ts';
import changed from '../changed-words.module.css';
import css from './versions.module.css';
import type { Versions } from './use-versions.ts';

const choices = ['theirs', 'mine', 'both'] as const satisfies readonly RowChoice[];

export interface CompareTableProps {
  readonly before: Transcript;
  readonly after: Transcript;
  readonly rows: readonly ComparedRow[];
  readonly current: number;
  readonly onCurrent: (change: number) => void;
  readonly onlyChanges: boolean;
  readonly onRestore: ((row: ComparedRow) => void) | null;
  readonly conflict: Versions['conflict'];
}

export function CompareTable(props: CompareTableProps) {
  const { before, after, rows, current, onlyChanges } = props;
  const t = useText();
  const scroller = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const lines = useMemo(() => linesOf(rows, onlyChanges, opened), [rows, onlyChanges, opened]);
  const speakers = useMemo(() => {
    const name = (number: number) => t('common.speaker', { number });
    const list = ({ speakers: listed }: Transcript) => listSpeakers({ speakers: listed, segments: [] }, name);
    return { before: list(before), after: list(after) };
  }, [before, after, t]);
  // oxlint-disable-next-line react/incompatible-library -- its answers change under the same functions; nothing here is memoised on them
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (lines[at]?.kind === 'gap' ? 30 : 110),
    overscan: 4,
  });
  useEffect(() => {
    const at = lines.findIndex((line) => line.kind === 'row' && line.change === current);
    if (at >= 0) list.scrollToIndex(at, { align: 'auto' });
  }, [list, lines, current]);
  return (
    <section
      ref={scroller}
      className={css['scroller']}
      aria-label={t('versions.table')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by the keyboard
      tabIndex={0}
    >
      <ol className="relative" style={{ blockSize: `${String(list.getTotalSize())}px` }}>
        {list.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index];
          return line === undefined ? null : (
            <li
              key={key}
              data-index={index}
              ref={list.measureElement}
              className={css['line']}
              style={{ transform: `translateY(${String(start)}px)` }}
            >
              {line.kind === 'gap' ? (
                <button type="button" className={css['gap']} onClick={() => setOpened(new Set([...opened, line.from]))}>
                  <ChevronDown aria-hidden size={14} strokeWidth={1.75} />
                  {t('versions.unchanged', { count: line.count })}
                </button>
              ) : (
                <Row {...props} row={line.row} change={line.change} speakers={speakers} />
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface RowProps extends CompareTableProps {
  readonly row: ComparedRow;
  readonly change: number;
  readonly speakers: { readonly before: readonly ShownSpeaker[]; readonly after: readonly ShownSpeaker[] };
}

const textOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join(' ');

function Row({ row, change, current, speakers, onCurrent, onRestore, conflict }: RowProps) {
  const t = useText();
  const formats = useFormats();
  const { player } = useEditor();
  const words = useMemo(() => compareWords(row.before, row.after), [row]);
  const startMs = (row.after[0] ?? row.before[0])?.startMs ?? 0;
  const isChanged = change >= 0;
  const isCurrent = isChanged && change === current;
  const changedBy = conflict?.changedBy(row) ?? null;
  const said = [row.before[0]?.speakerId, row.after[0]?.speakerId] as const;
  const isSpeakerChanged = row.before.length > 0 && row.after.length > 0 && said[0] !== said[1];
  return (
    <div
      role="presentation"
      className={cx(css['pair'], !isChanged && 'subtle', isCurrent && css['current'])}
      onPointerDown={() => {
        if (isChanged) onCurrent(change);
      }}
    >
      <button
        type="button"
        className={css['time']}
        aria-label={t('versions.playFrom', { time: clock(startMs) })}
        onClick={() => {
          player.seek(startMs);
          player.play();
        }}
      >
        {clock(startMs)}
      </button>
      <Side
        segments={row.before}
        pieces={words.before}
        speaker={speakers.before.find(({ id }) => id === said[0])}
        isSpeakerChanged={isSpeakerChanged}
        kind="removed"
        note={noteOf(row, row.before, t, formats)}
      />
      <span className={css['middle']}>
        {isChanged && !isCurrent && onRestore !== null && (
          <IconButton
            icon={ArrowRight}
            size="sm"
            label={t('versions.restoreParagraph')}
            onPress={() => onRestore(row)}
          />
        )}
      </span>
      <Side
        segments={row.after}
        pieces={words.after}
        speaker={speakers.after.find(({ id }) => id === said[1])}
        isSpeakerChanged={isSpeakerChanged}
        kind="added"
        note={noteOf(row, row.after, t, formats)}
      >
        {isChanged && conflict !== null && (
          <div className={css['restore']}>
            <Segmented
              size="sm"
              label={t('versions.chooseAt', { time: clock(startMs) })}
              options={choices.map((value) => ({ value, text: t(`versions.${value}`) }))}
              value={conflict.choiceOf(row) ?? ('' as RowChoice)}
              onChange={(choice) => conflict.choose(row, choice)}
            />
            {changedBy !== null && <span className={css['note']}>{t(`versions.changedBy.${changedBy}`)}</span>}
          </div>
        )}
        {isCurrent && onRestore !== null && (
          <Button size="sm" icon={Undo2} className={css['restore']} onPress={() => onRestore(row)}>
            {t('versions.restoreParagraph')}
          </Button>
        )}
      </Side>
    </div>
  );
}

function noteOf(
  { before, after, isSame }: ComparedRow,
  side: readonly Segment[],
  t: Text,
  { timeCode }: Formats,
): string | null {
  if (isSame) return null;
  const marked = (segments: readonly Segment[], isMarked: (word: Word) => boolean) =>
    segments.flatMap(({ words }) => words.filter(isMarked));
  const textsOf = (words: readonly Word[]) => words.map(({ text }) => text).join(' ');
  const areMarksSame = [isCut, isRedacted].every(
    (isMarked) => textsOf(marked(before, isMarked)) === textsOf(marked(after, isMarked)),
  );
  if (!areMarksSame) {
    const cut = marked(side, isCut).map((word) => (isRedacted(word) ? redactedText : word.text));
    const redacted = marked(side, isRedacted);
    const texts = [
      ...(cut.length === 0 ? [] : [t('versions.cut', { words: cut.join(' ').replace(/[.,:;]+$/u, '') })]),
      ...(redacted.length === 0 ? [] : [t('versions.redacted', { count: redacted.length })]),
    ];
    return texts.length === 0 ? t('versions.unmarked') : texts.join('. ');
  }
  if (textOf(before) !== textOf(after) || before[0]?.speakerId !== after[0]?.speakerId) return null;
  const range = (segments: readonly Segment[]) =>
    `${timeCode(segments[0]?.startMs ?? 0)}–${timeCode(segments.at(-1)?.endMs ?? 0)}`;
  return range(before) === range(after)
    ? t('versions.otherWordTimes')
    : t('versions.otherTimes', { from: range(side) });
}

type Text = ReturnType<typeof useText>;

interface SideProps {
  readonly segments: readonly Segment[];
  readonly pieces: readonly TextPiece[];
  readonly speaker: ShownSpeaker | undefined;
  readonly isSpeakerChanged: boolean;
  readonly kind: 'removed' | 'added';
  readonly note: string | null;
  readonly children?: ReactNode;
}

function Side({ segments, pieces, speaker, isSpeakerChanged, kind, note, children }: SideProps) {
  const t = useText();
  const { wordsLang } = useEditor();
  const Mark = kind === 'removed' ? 'del' : 'ins';
  const name = speaker?.name ?? t('editor.speaker.nobody');
  return (
    <div className={cx(css['half'], changed['words'])} data-side={kind}>
      {segments.length === 0 ? (
        <span className={css['none']}>{t('versions.nothingHere')}</span>
      ) : (
        (isSpeakerChanged || speaker !== undefined) && (
          <div title={name} className={css['speaker']}>
            {isSpeakerChanged ? <Mark>{name}</Mark> : speaker !== undefined && <SpeakerMark {...speaker} />}
          </div>
        )
      )}
      <p lang={wordsLang}>
        {pieces.map(({ text, isChanged, isRedacted }, at) => {
          const [from, to] = isRedacted ? secretPart(text) : [0, 0];
          const whole = (
            <>
              {text.slice(0, from)}
              {isRedacted && <span className={css['redacted']}>{text.slice(from, to)}</span>}
              {text.slice(to)}
            </>
          );
          return (
            // oxlint-disable-next-line react/no-array-index-key -- pieces have no other name, and the list is made anew as a whole
            <Fragment key={at}>
              {at > 0 && ' '}
              {isChanged ? <Mark>{whole}</Mark> : whole}
            </Fragment>
          );
        })}
      </p>
      {note !== null && <span className={css['note']}>{note}</span>}
      {children}
    </div>
  );
}

type Line =
  | { readonly kind: 'row'; readonly row: ComparedRow; readonly change: number }
  | { readonly kind: 'gap'; readonly from: number; readonly count: number };

function linesOf(rows: readonly ComparedRow[], onlyChanges: boolean, opened: ReadonlySet<number>): readonly Line[] {
  const lines: Line[] = [];
  let change = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at];
    if (row === undefined) break;
    let end = at;
    while (rows[end]?.isSame === true) end += 1;
    if (end > at && onlyChanges && !opened.has(at)) {
      lines.push({ kind: 'gap', from: at, count: end - at });
      at = end - 1;
    } else lines.push({ kind: 'row', row, change: row.isSame ? -1 : change++ });
  }
  return lines;
}
