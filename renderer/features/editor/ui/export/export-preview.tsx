import { LineAlert } from '../../../../ui/line-alert.tsx';
import type { GivenOptions, HeardSpan, Outline } from '../../../../../shared/domain/exports/exporter.ts';
import { subtitleTime, colourOf } from '../../../../../shared/domain/exports/format-text.ts';
import { csvOf } from '../../../../../shared/domain/exports/data-formats.ts';
import { useQuery, useMutation } from '@tanstack/react-query';
import {
  Pause,
  Play,
  Scissors,
  Check,
  CircleAlert,
  FileDown,
  PencilLine,
  TriangleAlert,
  Undo2,
  WandSparkles,
} from 'lucide-react';
import { useEffect, useDeferredValue, useMemo, useState, Fragment } from 'react';
import type { ExportFormat } from '../../../../../shared/domain/exports/formats.ts';
import { failureOf, valueOrThrow } from '../../../../bridge/request-error.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../../lib/failure-text.ts';
import { useText, useFormats } from '../../../../lib/text.ts';
import { Segmented } from '../../../../ui/segmented.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useEditor, usePlayerState, useUnheardSpans } from '../../editor-context.ts';
import { captionReaders } from './read-captions.ts';
import { compareTexts } from '../../model/compare-texts.ts';
import { CaptionList, Written } from './caption-list.tsx';
import css from './export-preview.module.css';
import { useCaptionInText, useCheck, useIsEmpty, type ExportChoice } from './use-export-choice.ts';
import type { TimeSpan } from '../../../../../shared/domain/transcript/transcript.ts';
import { Button } from '../../../../ui/button.tsx';
import { MediaNotice } from '../notices.tsx';
import type { SubtitleCheck } from '../../../../bridge/types.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useWordsForLeft } from '../use-problem-words.ts';

/** A beginning of so many milliseconds is always in the beginning of the file. */
const beginningMs = 60_000;

function useExport(
  format: ExportFormat,
  options: GivenOptions,
  source: ExportChoice['source'],
  part: 'beginning' | 'all',
) {
  const studio = useStudio();
  const { id: transcriptId } = useEditor().detail;
  return useQuery({
    queryKey: ['export', transcriptId, format, options, source, part],
    queryFn: () =>
      valueOrThrow(studio.request('exports.render', { transcriptId, format, options: { ...options }, source, part })),
    // While options change, the old preview stays until the new one is there; another format starts empty.
    placeholderData: (shown, query) => (query?.queryKey[2] === format ? shown : undefined),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

type View = 'beside' | 'captions' | 'file' | 'check';

export function ExportPreview({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const words = useFailureText();
  const formats = useFormats();
  const { player } = useEditor();
  const [openedAtMs] = useState(player.timeMs);
  const [wanted, setWanted] = useState<View | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  const check = useCheck(choice);
  const isEmpty = useIsEmpty(choice);
  const given = useDeferredValue(choice.given);
  // The PDF is printed from the same paragraphs as the Word document, so both share one preview.
  const format = choice.format === 'pdf' ? 'docx' : choice.format;
  // A problem may be behind the beginning, and so may the playhead, from where captions are shown.
  const isBehind = shown !== null || (openedAtMs > beginningMs && choice.format in captionReaders && wanted !== 'file');
  const part = isBehind ? 'all' : 'beginning';
  const { data, error } = useExport(format, given, choice.source, part);
  const editCaption = useCaptionInText(choice);
  const failure = failureOf(error);
  if (isEmpty) return <output className={css['waiting']}>{t('exports.nothing')}</output>;
  if (error !== null)
    return <p className={css['waiting']}>{failure === null ? t('exports.failed') : words(failure).text}</p>;
  if (data === undefined)
    return (
      <output className={css['waiting']}>
        <Spinner /> {t('exports.previewLoading')}
      </output>
    );
  const isText = data.kind === 'text';
  const views: readonly View[] = [
    ...(choice.source === 'service' && isText ? (['beside'] as const) : []),
    ...(choice.format in captionReaders && isText ? (['captions'] as const) : []),
    ...(isText ? (['file'] as const) : []),
    ...(check === null ? [] : (['check'] as const)),
  ];
  const view = views.find((one) => one === wanted) ?? views[0] ?? 'file';
  const show = (cue: number | null, chosen: View = 'captions') => {
    setShown(cue);
    setWanted(chosen);
  };
  return (
    <section className={css['preview']} aria-label={t('exports.preview')}>
      {views.length > 1 && (
        <div className={css['views']}>
          <Segmented
            label={t('exports.view')}
            size="sm"
            options={views.map((value) => ({
              value,
              text:
                value === 'check' && check !== null && check.problems.length > 0
                  ? t('exports.views.checkFound', { number: formats.number(check.problems.length) })
                  : t(`exports.views.${value}`),
            }))}
            value={view}
            onChange={(chosen) => show(null, chosen)}
          />
        </div>
      )}
      {/* Each view begins at its top. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by the keyboard */}
      <div
        key={view}
        className={css['scroll']}
        data-preview
        tabIndex={view === 'captions' ? undefined : 0}
        lang={choice.lang}
      >
        {data.kind === 'audio' ? (
          <CutPreview spans={data.spans} durationMs={data.durationMs} />
        ) : data.kind === 'video' ? (
          <CutPreview spans={data.spans} durationMs={data.durationMs} longerMs={data.longerMs} />
        ) : data.kind === 'outline' ? (
          <Page outline={data.outline} />
        ) : view === 'check' && check !== null ? (
          <CaptionCheck
            check={check}
            choice={choice}
            onShow={views.includes('captions') ? show : null}
            onEdit={editCaption}
          />
        ) : view === 'beside' && data.kind === 'text' ? (
          <BesideOurs choice={choice} theirs={data.text} isShortened={data.isShortened} />
        ) : view === 'captions' && data.kind === 'text' ? (
          <CaptionList
            choice={choice}
            text={data.text}
            isShortened={data.isShortened}
            check={check}
            shown={shown}
            wasAtMs={openedAtMs}
            onEdit={editCaption}
          />
        ) : (
          <pre className={choice.format === 'txt' ? css['prose'] : css['code']}>
            <Written text={data.kind === 'text' ? data.text : data.html} />
          </pre>
        )}
      </div>
      {data.isShortened && view !== 'check' && <p className={css['shortened']}>{t('exports.previewShortened')}</p>}
    </section>
  );
}

function Page({ outline }: { readonly outline: Outline }) {
  return (
    <article className={css['page']}>
      {outline.hasHeader && <h3>{outline.title}</h3>}
      {outline.hasHeader && outline.header.map((line) => <p key={line}>{line}</p>)}
      {outline.blocks.map((block, at) =>
        block.kind === 'heading' ? (
          // oxlint-disable-next-line react/no-array-index-key -- blocks have no other name, and do not move
          <h4 key={at}>{block.text}</h4>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- blocks have no other name, and do not move
          <p key={at}>
            {block.time !== null && <time>{block.time} </time>}
            {block.speaker !== null && (
              <b style={outline.hasColours ? { color: colourOf(block.speaker.colour, 'paper') } : {}}>
                {block.speaker.name}:{' '}
              </b>
            )}
            <Written text={block.text} />
          </p>
        ),
      )}
    </article>
  );
}

function BesideOurs({
  choice,
  theirs,
  isShortened,
}: {
  readonly choice: ExportChoice;
  readonly theirs: string;
  readonly isShortened: boolean;
}) {
  const t = useText();
  const { data } = useExport(choice.format, choice.given, 'studio', 'beginning');
  const ours = data?.kind === 'text' ? data.text : null;
  const isAnyShortened = isShortened || (data?.isShortened ?? false);
  const compared = useMemo(
    () => (ours === null ? null : compareTexts(theirs, ours, isAnyShortened)),
    [theirs, ours, isAnyShortened],
  );
  if (compared === null) return null;
  const { placeCount: count } = compared;
  const sides = [
    ['service', compared.theirs],
    ['studio', compared.ours],
  ] as const;
  return (
    <>
      <p className={css['besideNote']}>
        {count === 0 ? t('exports.besideSame') : t('exports.besideDiffers', { count })}
      </p>
      <div className={css['beside']}>
        {sides.map(([side, pieces]) => (
          <section key={side} aria-label={t(`exports.sources.${side}`)}>
            <h3>{t(`exports.sources.${side}`)}</h3>
            <pre className={css['code']}>
              {pieces.map(({ text, isOther }, at) =>
                isOther ? (
                  // oxlint-disable-next-line react/no-array-index-key -- pieces have no other name, and do not move
                  <Fragment key={at}>
                    <mark>{text.trimEnd()}</mark>
                    {text.slice(text.trimEnd().length)}
                  </Fragment>
                ) : (
                  text
                ),
              )}
            </pre>
          </section>
        ))}
      </div>
    </>
  );
}

function useListening(heard: readonly TimeSpan[]): { readonly isPlaying: boolean; readonly toggle: () => void } {
  const { player } = useEditor();
  const { isPlaying } = usePlayerState();
  const unheard = useUnheardSpans();
  const [first] = heard;
  const endMs = heard.at(-1)?.endMs ?? 0;
  useEffect(() => {
    player.setSkipped(
      heard.flatMap(({ endMs: from }, at) => {
        const next = heard[at + 1];
        return next === undefined ? [] : [{ startMs: from, endMs: next.startMs }];
      }),
    );
    const stop = player.onTime((timeMs) => {
      if (timeMs >= endMs && player.getState().isPlaying) player.pause();
    });
    return () => {
      stop();
      player.pause();
      player.setSkipped(unheard);
    };
  }, [player, heard, endMs, unheard]);
  return {
    isPlaying,
    toggle: () => {
      const now = player.timeMs();
      const isInside = first !== undefined && now >= first.startMs && now < endMs;
      if (!isPlaying && !isInside) player.seek(first?.startMs ?? 0);
      player.toggle();
    },
  };
}

/** Shown with one decimal. */
const leastLongerMs = 50;

interface CutPreviewProps {
  readonly spans: readonly HeardSpan[];
  readonly durationMs: number;
  readonly longerMs?: number;
}

function CutPreview({ spans, durationMs, longerMs = 0 }: CutPreviewProps) {
  const t = useText();
  const formats = useFormats();
  const shown = (ms: number): string => subtitleTime(Math.round(ms), formats.decimalSign);
  const heard = useMemo(
    () => spans.map((span) => ({ ...span, endMs: Math.min(span.endMs, durationMs) })),
    [spans, durationMs],
  );
  // What is covered in the file is passed over here.
  const listening = useListening(useMemo(() => heard.filter(({ cover }) => cover === undefined), [heard]));
  const { detail } = useEditor();
  const heardMs = heard.reduce((sum, { startMs, endMs }) => sum + Math.max(0, endMs - startMs), 0);
  return (
    <div className={css['cut']}>
      <h3>{formats.duration(heardMs)}</h3>
      <p>
        {spans.length === 0
          ? t('exports.audioEmpty')
          : heardMs >= durationMs
            ? t('exports.audioWhole')
            : t('exports.audioHeard', { count: spans.length })}
      </p>
      {longerMs >= leastLongerMs && (
        <p>
          {t('exports.videoLonger', {
            time: t('exports.seconds', { number: formats.fixed(longerMs / 1000, 1) }),
          })}
        </p>
      )}
      {detail.mediaUrl === null ? (
        <MediaNotice />
      ) : (
        <Button
          size="sm"
          icon={listening.isPlaying ? Pause : Play}
          isDisabled={spans.length === 0}
          onPress={listening.toggle}
        >
          {t(listening.isPlaying ? 'exports.pause' : 'exports.listen')}
        </Button>
      )}
      <ol>
        {heard.slice(0, 500).map(({ startMs, endMs, cover }, at) => (
          <li key={startMs}>
            {startMs > (heard[at - 1]?.endMs ?? startMs) && <Scissors aria-hidden size={12} strokeWidth={1.75} />}
            <span>
              {shown(startMs)} – {shown(endMs)}
              {cover !== undefined && ` · ${t(`exports.values.redactedAudio.${cover}`)}`}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

type Problem = SubtitleCheck['problems'][number];

/** A longer list is easier to read in a spreadsheet; the saved report has every entry. */
const mostShown = 500;

export function CaptionCheck({
  check,
  choice,
  onShow,
  onEdit,
}: {
  readonly check: SubtitleCheck;
  readonly choice: ExportChoice;
  readonly onShow: ((cue: number) => void) | null;
  readonly onEdit: (cue: number) => void;
}) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const wordsForLeft = useWordsForLeft();
  const studio = useStudio();
  const { detail } = useEditor();
  const { problems, unmendedCount, mendedCount } = check;
  const isMended = choice.options['mends'] === true;
  const written = (count: number) => ({ count, number: formats.number(count) });
  const measured = ({ kind, is, limit }: Problem): string | null => {
    const both = (write: (value: number) => string) =>
      t('exports.check.measured', { is: write(is), limit: write(limit) });
    if (kind === 'too-fast')
      return both((value) => t('exports.speed', { speed: formats.number(Math.round(value * 10) / 10) }));
    if (kind === 'too-short' || kind === 'too-long' || kind === 'gap-too-short')
      return both((value) => t('exports.milliseconds', { count: value }));
    const isOver = kind === 'too-many-lines' || kind === 'line-too-long' || (kind === 'lines-changed' && is > limit);
    return isOver ? both((value) => formats.number(value)) : null;
  };
  const report = useMutation({
    mutationFn: () => {
      const head = (['number', 'start', 'end', 'problem', 'is', 'limit', 'text'] as const).map((name) =>
        t(`exports.check.columns.${name}`),
      );
      const rows = problems.map((problem) => [
        String(problem.cue + 1),
        subtitleTime(problem.startMs, '.'),
        subtitleTime(problem.endMs, '.'),
        t(`exports.problems.${problem.kind}`),
        String(Math.round(problem.is * 10) / 10),
        String(problem.limit),
        problem.lines.join(' '),
      ]);
      return valueOrThrow(
        studio.request('exports.saveReport', { transcriptId: detail.id, csv: `\ufeff${csvOf([head, ...rows])}` }),
      );
    },
  });
  const failure = failureOf(report.error);
  const mended = unmendedCount - mendedCount;
  return (
    <div className={css['check']}>
      <div className="row gap-8 wrap">
        <output className={css['found']}>
          {problems.length === 0
            ? t('exports.check.none', written(check.cueCount))
            : t('exports.check.found', written(problems.length))}
          {isMended && mended > 0 && ` ${t('exports.check.mended', written(mended))}`}
        </output>
        {isMended ? (
          <Button size="sm" icon={Undo2} onPress={() => choice.change({ mends: false })}>
            {t('exports.check.undo')}
          </Button>
        ) : (
          <Button
            size="sm"
            variant="primary"
            icon={WandSparkles}
            isDisabled={mended <= 0}
            onPress={() => choice.change({ mends: true })}
          >
            {t('exports.check.mend')}
          </Button>
        )}
        <Button
          size="sm"
          icon={FileDown}
          isDisabled={problems.length === 0}
          isLoading={report.isPending}
          onPress={() => report.mutate()}
        >
          {t('exports.check.save')}
        </Button>
      </div>
      {problems.length > 0 && (isMended || mended <= 0) && <p className="fine muted">{wordsForLeft(problems)}</p>}
      {report.error !== null && (
        <LineAlert icon={CircleAlert}>{failure === null ? t('exports.failed') : words(failure).text}</LineAlert>
      )}
      {typeof report.data?.savedAs === 'string' && <Saved name={report.data.savedAs} />}
      <ol className={css['list']}>
        {problems.slice(0, mostShown).map((problem) => {
          const more = measured(problem);
          const told = (
            <>
              <span className="small digits muted">{problem.cue + 1}</span>
              <span className={css['time']}>{subtitleTime(problem.startMs, formats.decimalSign)}</span>
              <span className={css['problem']}>
                <TriangleAlert aria-hidden size={12} strokeWidth={2} />
                {t(`exports.problems.${problem.kind}`)}
                {more !== null && <span className={css['measured']}>{more}</span>}
              </span>
              <span className={css['problemLines']}>{problem.lines.join('\n')}</span>
            </>
          );
          return (
            <li key={`${String(problem.cue)} ${problem.kind}`}>
              {onShow === null ? (
                <div className={css['caption']}>{told}</div>
              ) : (
                <button type="button" className={css['caption']} onClick={() => onShow(problem.cue)}>
                  {told}
                </button>
              )}
              <IconButton
                className={css['edit']}
                size="sm"
                icon={PencilLine}
                label={t('exports.check.edit', { caption: formats.number(problem.cue + 1) })}
                onPress={() => onEdit(problem.cue)}
              />
            </li>
          );
        })}
      </ol>
      {problems.length > mostShown && (
        <p className="fine muted">{t('exports.check.more', written(problems.length - mostShown))}</p>
      )}
    </div>
  );
}

export function Saved({ name }: { readonly name: string }) {
  const t = useText();
  return (
    <output className={css['saved']}>
      <Check aria-hidden size={14} strokeWidth={1.75} />
      <span>{t('exports.saved', { name })}</span>
    </output>
  );
}
