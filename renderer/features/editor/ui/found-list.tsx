import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { maskedText, withWholeSecrets } from '../../../../shared/domain/transcript/edit-marks.ts';
import type { TextMatch } from '../../../../shared/domain/transcript/find-text.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { useEditor } from '../editor-context.ts';
import css from './inspector.module.css';
import colours from './speaker-colours.module.css';

const rowHeight = 27;
/** Letters before a match, so that the match itself is visible. */
const lead = 18;

/** Every match in one line with its context; a click goes there. */
export function FoundList({
  matches,
  current,
  onPick,
}: {
  readonly matches: readonly TextMatch[];
  readonly current: number;
  readonly onPick: (index: number) => void;
}) {
  const t = useText();
  const { wordsLang, timeline, speakers } = useEditor();
  const list = useRef<HTMLUListElement>(null);
  const { segments } = timeline;
  const byId = useMemo(() => new Map(segments.map((segment) => [segment.id, segment])), [segments]);
  // oxlint-disable-next-line react/incompatible-library -- its answers change under the same functions; nothing here is memoised on them
  const rows = useVirtualizer({
    count: matches.length,
    getScrollElement: () => list.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  useEffect(() => {
    if (current >= 0) rows.scrollToIndex(current, { align: 'auto' });
  }, [rows, current]);
  return (
    <ul ref={list} className={css['list']} aria-label={t('editor.find.results')}>
      <li aria-hidden style={{ blockSize: `${String(rows.getTotalSize())}px` }} />
      {rows.getVirtualItems().map(({ index, key, start }) => {
        const match = matches[index];
        const segment = match === undefined ? undefined : byId.get(match.segmentId);
        if (match === undefined || segment === undefined) return null;
        const speaker = speakers.find(({ id }) => id === segment.speakerId);
        return (
          <li key={key} className={css['item']} style={{ transform: `translateY(${String(start)}px)` }}>
            <button
              type="button"
              tabIndex={index === Math.max(0, current) ? 0 : -1}
              aria-current={index === current}
              className={cx(
                css['row'],
                colours[`c${String(speaker?.colour ?? 0)}`],
                index === current && css['current'],
              )}
              onClick={() => {
                onPick(index);
              }}
            >
              <span className={css['time']}>{clock(timeOf(segment, match.from))}</span>
              <span className={css['words']} lang={wordsLang}>
                <Match segment={segment} match={match} />
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** A match with its context, in which redacted words are masked: part of one would say the rest. */
function Match({ segment, match }: { readonly segment: Segment; readonly match: TextMatch }) {
  const [from, to] = withWholeSecrets(segment, match.from, match.to);
  return (
    <>
      {from > lead && '…'}
      {maskedText(segment, Math.max(0, from - lead), from)}
      <mark>{maskedText(segment, from, to)}</mark>
      {maskedText(segment, to, Math.min(segment.text.length, to + 60))}
    </>
  );
}

/** The index of the word at an offset of a text. */
export const wordAt = ({ text }: Segment, offset: number): number =>
  (text.slice(0, offset).match(/[ \n]/gu) ?? []).length;

/** When what stands at an offset of a text is said. */
export const timeOf = (segment: Segment, offset: number): number =>
  segment.words[wordAt(segment, offset)]?.startMs ?? segment.startMs;
