import { TriangleAlert } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { ExportFormat } from '../../../../../shared/domain/exports/formats.ts';
import { subtitleTime } from '../../../../../shared/domain/exports/subtitle-time.ts';
import { worstFirst } from '../../../../../shared/domain/subtitles/check-cues.ts';
import { readingSpeedOf } from '../../../../../shared/domain/subtitles/cue.ts';
import type { SubtitleCheck } from '../../../../bridge/types.ts';
import { cx } from '../../../../lib/class-names.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import type { CaptionTimes } from '../../model/caption-times.ts';
import css from './export-preview.module.css';
import { CaptionPicture } from './caption-picture.tsx';
import { captionReaders } from './read-captions.ts';
import { Written } from './written.tsx';

/** So many captions are listed; all those of a long recording would keep the window waiting. */
const atOnce = 200;

/** The captions as the file has them, around the one at the playhead, and the chosen one over its audio. */
export function CaptionList({
  format,
  text,
  isShortened,
  check,
  shown,
  openedAtMs,
  times,
  onEdit,
  hasSecond,
}: {
  readonly format: ExportFormat;
  readonly text: string;
  readonly isShortened: boolean;
  readonly check: SubtitleCheck | null;
  /** The place of the caption to begin with; null for the one at `openedAtMs`. */
  readonly shown: number | null;
  /** Where the playhead was when the export was opened, as a time of the file. */
  readonly openedAtMs: number;
  readonly times: CaptionTimes;
  /** Leads to a caption in the text; null where the captions are not made of it. */
  readonly onEdit: ((cue: number) => void) | null;
  /** With two texts in one caption nobody reads both, so the number of letters says nothing about reading speed. */
  readonly hasSecond: boolean;
}) {
  const t = useText();
  const formats = useFormats();
  const problems = useMemo(() => {
    const all = worstFirst(check?.problems ?? []);
    return Map.groupBy(all, ({ cue }) => cue);
  }, [check]);
  const cues = useMemo(() => {
    const read = captionReaders[format]?.(text) ?? [];
    // The last line may be incomplete, because the preview is cut there.
    return isShortened ? read.slice(0, -1) : read;
  }, [format, text, isShortened]);
  const first =
    shown ??
    Math.max(
      0,
      cues.findLastIndex(({ startMs }) => startMs <= openedAtMs),
    );
  const [chosen, setChosen] = useState<number | null>(null);
  const [middle, setMiddle] = useState<number | null>(null);
  // A change of the options may leave fewer of them.
  const at = Math.min(chosen ?? first, cues.length - 1);
  const current = cues[at];
  const from = Math.max(0, Math.min((middle ?? first) - atOnce / 2, cues.length - atOnce));
  const listed = cues.slice(from, from + atOnce);
  const list = useRef<HTMLOListElement>(null);
  const buttonAt = (place: number) => list.current?.children[place - from]?.querySelector('button');
  // While the whole file is read, there may be only its beginning, before the playhead.
  const isThere = shown === null ? !isShortened || openedAtMs < (cues.at(-1)?.startMs ?? 0) : cues.length > shown;
  useEffect(() => {
    const button = isThere ? buttonAt(first) : undefined;
    if (shown !== null) button?.focus();
    if (first > 0) button?.scrollIntoView({ block: 'center' });
    // oxlint-disable-next-line react/exhaustive-deps -- only when they come
  }, [isThere]);
  const isWalking = useRef(false);
  useEffect(() => {
    if (isWalking.current) buttonAt(at)?.focus();
    isWalking.current = false;
  });
  const walk = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: cues.length - 1 }[event.key];
    if (to === undefined || cues[to] === undefined) return;
    event.preventDefault();
    if (to === at) return;
    isWalking.current = true;
    setChosen(to);
    if (to < from || to >= from + atOnce) setMiddle(to);
  };
  return (
    <>
      {current !== undefined && (
        <CaptionPicture
          cue={current}
          span={times.inRecording(current)}
          onEdit={
            onEdit &&
            (() => {
              onEdit(at);
            })
          }
        />
      )}
      <ol ref={list} className={css['cues']}>
        {listed.map((cue, index) => {
          const place = from + index;
          const [problem, ...others] = problems.get(place) ?? [];
          const perSecond = problem?.kind === 'too-fast' ? problem.is : readingSpeedOf(cue);
          const speed = t('exports.speed', { speed: formats.number(Math.round(perSecond * 10) / 10) });
          return (
            // oxlint-disable-next-line react/no-array-index-key -- two captions may begin at once, and none moves
            <li key={place}>
              <button
                type="button"
                className={cx(css['cue'], place === at && css['current'])}
                // One stop for Tab, and the arrows walk through the captions.
                tabIndex={place === at ? 0 : -1}
                aria-pressed={place === at}
                onKeyDown={walk}
                onClick={() => {
                  setChosen(place);
                }}
              >
                <span className={css['number']}>{place + 1}</span>
                <span className={css['times']}>
                  {subtitleTime(cue.startMs, formats.decimalSign)} → {subtitleTime(cue.endMs, formats.decimalSign)}
                </span>
                {(problem !== undefined || !hasSecond) && (
                  <span className={cx(css['speed'], problem !== undefined && css['wrong'])}>
                    {problem !== undefined && <TriangleAlert aria-hidden size={12} strokeWidth={2} />}
                    {problem === undefined || problem.kind === 'too-fast'
                      ? speed
                      : t(`exports.problems.${problem.kind}`)}
                    {others.length > 0 && <small>{` +${formats.number(others.length)}`}</small>}
                  </span>
                )}
                <span className={css['lines']}>
                  {cue.lines.map((line, row) => (
                    // oxlint-disable-next-line react/no-array-index-key -- two lines may say the same, and none moves
                    <span key={row}>
                      <Written text={line} />
                    </span>
                  ))}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      {listed.length < cues.length && !isShortened && (
        <p className={css['shortened']}>
          {t('exports.captionsShortened', {
            from: formats.number(from + 1),
            to: formats.number(from + listed.length),
            number: formats.number(cues.length),
          })}
        </p>
      )}
    </>
  );
}
