import { TriangleAlert, Pause, PencilLine, Play } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, Fragment } from 'react';
import { subtitleTime } from '../../../../../shared/domain/exports/format-text.ts';
import { worstFirst } from '../../../../../shared/domain/subtitles/check-cues.ts';
import { readingSpeedOf } from '../../../../../shared/domain/subtitles/cue.ts';
import type { TimeSpan } from '../../../../../shared/domain/transcript/transcript.ts';
import type { SubtitleCheck } from '../../../../bridge/types.ts';
import { cx } from '../../../../lib/class-names.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useDocument, useEditor, useEditorState, usePlayerState } from '../../editor-context.ts';
import { captionReaders, captionTimes, type Caption } from './read-captions.ts';
import type { ExportChoice } from './use-export-choice.ts';
import css from './export-preview.module.css';
import { redactedText } from '../../../../../shared/domain/transcript/edit-marks.ts';

const leastSeenMs = 1500;
const strokes = 72;

/** So many captions are listed; all those of a long recording would keep the window waiting. */
const atOnce = 200;

export function CaptionList({
  choice: { format, options },
  text,
  isShortened,
  check,
  shown,
  wasAtMs,
  onEdit,
}: {
  readonly choice: ExportChoice;
  readonly text: string;
  readonly isShortened: boolean;
  readonly check: SubtitleCheck | null;
  /** The place of the caption to begin with; null for the one at `wasAtMs`. */
  readonly shown: number | null;
  /** Where the playhead was when the export was opened. */
  readonly wasAtMs: number;
  readonly onEdit: (cue: number) => void;
}) {
  const t = useText();
  const formats = useFormats();
  const transcript = useDocument((state) => state.transcript);
  const times = useMemo(() => captionTimes(transcript, options), [transcript, options]);
  const openedAtMs = times.inFile(wasAtMs);
  // With two texts in one caption nobody reads both: their letters say nothing about reading speed.
  const hasSecond = (options['second'] ?? '') !== '';
  const problems = useMemo(() => Map.groupBy(worstFirst(check?.problems ?? []), ({ cue }) => cue), [check]);
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
        <CaptionPicture cue={current} span={times.inRecording(current)} onEdit={check && (() => onEdit(at))} />
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
                onClick={() => setChosen(place)}
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

function useListening({ startMs, endMs }: TimeSpan): { readonly isPlaying: boolean; readonly toggle: () => void } {
  const { player } = useEditor();
  const { isPlaying } = usePlayerState();
  const [isOn, setIsOn] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    player.seek(startMs);
    player.play();
    const stop = player.onTime((timeMs) => {
      if (timeMs >= endMs) setIsOn(false);
    });
    return () => {
      stop();
      player.pause();
    };
  }, [player, isOn, startMs, endMs]);
  return {
    isPlaying: isOn && isPlaying,
    toggle: () => {
      if (isOn && !isPlaying) player.play();
      else setIsOn(!isOn);
    },
  };
}

function CaptionPicture({
  cue,
  span,
  onEdit,
}: {
  readonly cue: Caption;
  readonly span: TimeSpan;
  /** Leads to it in the text; null where it is not made of the text. */
  readonly onEdit: (() => void) | null;
}) {
  const t = useText();
  const { detail } = useEditor();
  const pyramid = useEditorState((state) => state.pyramid);
  const listening = useListening(span);
  const path = useMemo(() => {
    if (pyramid === null) return '';
    const columns = pyramid.columns(span.startMs, Math.max(span.endMs, span.startMs + leastSeenMs), strokes);
    const stretch = 46 / Math.max(0.05, pyramid.loudest);
    return Array.from(columns.max, (max, at) => {
      const half = Math.max(1, Math.max(max, -(columns.min[at] ?? 0)) * stretch);
      return `M${String(at * 4 + 2)} ${(50 - half).toFixed(1)}V${(50 + half).toFixed(1)}`;
    }).join('');
  }, [pyramid, span.startMs, span.endMs]);
  return (
    <figure className={css['picture']} aria-label={`${t('exports.pictureOf')}: ${cue.lines.join(' ')}`}>
      {path !== '' && (
        <svg aria-hidden viewBox={`0 0 ${String(strokes * 4)} 100`} preserveAspectRatio="none">
          <path d={path} vectorEffect="non-scaling-stroke" />
        </svg>
      )}
      <div className={css['tools']}>
        {onEdit !== null && <IconButton size="sm" label={t('exports.editCue')} icon={PencilLine} onPress={onEdit} />}
        {detail.mediaUrl !== null && (
          <IconButton
            size="sm"
            label={t(listening.isPlaying ? 'exports.pause' : 'exports.listenCue')}
            icon={listening.isPlaying ? Pause : Play}
            onPress={listening.toggle}
          />
        )}
      </div>
      <p style={cue.colour === null ? {} : { color: cue.colour }}>
        {cue.lines.map((line, row) => (
          // oxlint-disable-next-line react/no-array-index-key -- two lines may say the same, and none moves
          <span key={row}>{line}</span>
        ))}
      </p>
    </figure>
  );
}

export function Written({ text }: { readonly text: string }) {
  const [first, ...others] = text.split(redactedText);
  return (
    <>
      {first}
      {others.map((part, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts have no other name, and do not move
        <Fragment key={at}>
          <span className={css['redacted']}>{redactedText}</span>
          {part}
        </Fragment>
      ))}
    </>
  );
}
