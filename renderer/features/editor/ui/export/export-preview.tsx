import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { Fragment, useDeferredValue, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { colourOf } from '../../../../../shared/domain/exports/format-text.ts';
import type { ExportFormat } from '../../../../../shared/domain/exports/formats.ts';
import type { Outline } from '../../../../../shared/domain/exports/outline.ts';
import { subtitleTime } from '../../../../../shared/domain/exports/subtitle-time.ts';
import { worstFirst } from '../../../../../shared/domain/subtitles/check-cues.ts';
import { readingSpeedOf } from '../../../../../shared/domain/subtitles/cue.ts';
import { redactedText } from '../../../../../shared/domain/transcript/edit-marks.ts';
import { failureOf } from '../../../../bridge/request-error.ts';
import type { SubtitleCheck } from '../../../../bridge/types.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { cx } from '../../../../lib/class-names.ts';
import { useFailureWords } from '../../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Segmented } from '../../../../ui/segmented.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useEditor } from '../../editor-context.ts';
import { langOf } from '../../model/script-choice.ts';
import { exportQuery } from '../../queries.ts';
import css from './export-preview.module.css';
import { AudioPreview } from './audio-part.tsx';
import { BesideOurs } from './beside-ours.tsx';
import type { ExportChoice } from './use-export-choice.ts';
import { CaptionCheck } from './caption-check.tsx';
import { CaptionPicture } from './caption-picture.tsx';
import { captionReaders } from './read-captions.ts';
import { useCheck } from './use-check.ts';

type View = 'beside' | 'captions' | 'file' | 'check';

export function ExportPreview({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const words = useFailureWords();
  const formats = useFormats();
  const { detail, scriptChoice } = useEditor();
  const [wanted, setWanted] = useState<View | null>(null);
  /** The caption that was asked for in the check. */
  const [shown, setShown] = useState<number | null>(null);
  const check = useCheck(choice);
  const given = useDeferredValue(choice.given);
  // The PDF is printed from the same paragraphs as the Word document, so both share one preview.
  const format = choice.format === 'pdf' ? 'docx' : choice.format;
  // A problem may be behind the beginning.
  const part = shown === null ? 'beginning' : 'all';
  const { data, error } = useQuery(exportQuery(useStudio(), detail.id, format, given, choice.source, part));
  const lang = langOf(detail.transcript, scriptChoice, choice.isOther);
  const failure = failureOf(error);
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
            onChange={(chosen) => {
              show(null, chosen);
            }}
          />
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by the keyboard */}
      <div className={css['scroll']} data-preview tabIndex={view === 'captions' ? undefined : 0} lang={lang}>
        {data.kind === 'audio' ? (
          <AudioPreview spans={data.spans} durationMs={data.durationMs} className={css['audio'] ?? ''} />
        ) : data.kind === 'outline' ? (
          <Page outline={data.outline} />
        ) : view === 'check' && check !== null ? (
          <CaptionCheck check={check} choice={choice} onShow={views.includes('captions') ? show : null} />
        ) : view === 'beside' && data.kind === 'text' ? (
          <BesideOurs choice={choice} theirs={data.text} isCut={data.isCut} />
        ) : view === 'captions' && data.kind === 'text' ? (
          <Captions
            format={choice.format}
            text={data.text}
            isCut={data.isCut}
            check={check}
            shown={shown}
            hasSecond={(choice.options['second'] ?? '') !== ''}
          />
        ) : (
          <pre className={choice.format === 'txt' ? css['prose'] : css['code']}>
            <Written text={data.kind === 'text' ? data.text : data.html} />
          </pre>
        )}
      </div>
      {data.isCut && view !== 'check' && <p className={css['shortened']}>{t('exports.previewShortened')}</p>}
    </section>
  );
}

/** A text as it is written, in which redacted words are as quiet as in the editor: full blocks would outshine the text. */
function Written({ text }: { readonly text: string }) {
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

function Captions({
  format,
  text,
  isCut,
  check,
  shown,
  hasSecond,
}: {
  readonly format: ExportFormat;
  readonly text: string;
  readonly isCut: boolean;
  readonly check: SubtitleCheck | null;
  /** The place of the caption to begin with; null for the one at the playhead. */
  readonly shown: number | null;
  /** With two texts in one caption nobody reads both, so the number of letters says nothing about reading speed. */
  readonly hasSecond: boolean;
}) {
  const t = useText();
  const formats = useFormats();
  const { player } = useEditor();
  const problems = useMemo(() => {
    const all = worstFirst(check?.problems ?? []);
    return Map.groupBy(all, ({ cue }) => cue);
  }, [check]);
  const cues = useMemo(() => {
    const read = captionReaders[format]?.(text) ?? [];
    // The last line may be incomplete, because the preview is cut there.
    return isCut ? read.slice(0, -1) : read;
  }, [format, text, isCut]);
  const [chosen, setChosen] = useState(shown);
  const list = useRef<HTMLOListElement>(null);
  const isThere = shown !== null && shown < cues.length;
  useEffect(() => {
    if (!isThere) return;
    const button = list.current?.children[shown]?.querySelector('button');
    button?.focus();
    button?.scrollIntoView({ block: 'center' });
  }, [shown, isThere]);
  const at =
    chosen ??
    Math.max(
      0,
      cues.findLastIndex(({ startMs }) => startMs <= player.timeMs()),
    );
  const current = cues[at];
  const walk = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: cues.length - 1 }[event.key];
    if (to === undefined || cues[to] === undefined) return;
    event.preventDefault();
    setChosen(to);
    list.current?.children[to]?.querySelector('button')?.focus();
  };
  return (
    <>
      {current !== undefined && <CaptionPicture cue={current} />}
      <ol ref={list} className={css['cues']}>
        {cues.map((cue, place) => {
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
    </>
  );
}
