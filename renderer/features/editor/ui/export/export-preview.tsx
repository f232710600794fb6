import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { colourOf } from '../../../../../shared/domain/exports/format-text.ts';
import type { Outline } from '../../../../../shared/domain/exports/outline.ts';
import { failureOf } from '../../../../bridge/request-error.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Segmented } from '../../../../ui/segmented.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useDocument, useEditor } from '../../editor-context.ts';
import { captionTimes } from '../../model/caption-times.ts';
import { langOf } from '../../model/script-choice.ts';
import { exportQuery } from '../../queries.ts';
import css from './export-preview.module.css';
import { AudioPreview } from './audio-part.tsx';
import { BesideOurs } from './beside-ours.tsx';
import type { ExportChoice } from './use-export-choice.ts';
import { CaptionCheck } from './caption-check.tsx';
import { CaptionList } from './caption-list.tsx';
import { captionReaders } from './read-captions.ts';
import { useCaptionInText, useCheck, useIsEmpty } from './use-check.ts';
import { Written } from './written.tsx';

/** A beginning of so many milliseconds is always in the beginning of the file. */
const beginningMs = 60_000;

type View = 'beside' | 'captions' | 'file' | 'check';

export function ExportPreview({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const words = useFailureWords();
  const formats = useFormats();
  const { detail, scriptChoice, player } = useEditor();
  const [openedAtMs] = useState(player.timeMs);
  const [wanted, setWanted] = useState<View | null>(null);
  /** The caption that was asked for in the check. */
  const [shown, setShown] = useState<number | null>(null);
  const check = useCheck(choice);
  const isEmpty = useIsEmpty(choice);
  const given = useDeferredValue(choice.given);
  // The PDF is printed from the same paragraphs as the Word document, so both share one preview.
  const format = choice.format === 'pdf' ? 'docx' : choice.format;
  // A problem may be behind the beginning, and so may the playhead, from where captions are shown.
  const isBehind = shown !== null || (openedAtMs > beginningMs && choice.format in captionReaders && wanted !== 'file');
  const part = isBehind ? 'all' : 'beginning';
  const { data, error } = useQuery(exportQuery(useStudio(), detail.id, format, given, choice.source, part));
  const transcript = useDocument((state) => state.transcript);
  const times = useMemo(() => captionTimes(transcript, choice.options), [transcript, choice.options]);
  const editCaption = useCaptionInText(choice);
  const lang = langOf(detail.transcript, scriptChoice, choice.isOther);
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
            onChange={(chosen) => {
              show(null, chosen);
            }}
          />
        </div>
      )}
      {/* Each view begins at its top. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by the keyboard */}
      <div key={view} className={css['scroll']} data-preview tabIndex={view === 'captions' ? undefined : 0} lang={lang}>
        {data.kind === 'audio' ? (
          <AudioPreview spans={data.spans} durationMs={data.durationMs} className={css['audio'] ?? ''} />
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
            format={choice.format}
            text={data.text}
            isShortened={data.isShortened}
            check={check}
            shown={shown}
            openedAtMs={times.inFile(openedAtMs)}
            times={times}
            onEdit={check === null ? null : editCaption}
            hasSecond={(choice.options['second'] ?? '') !== ''}
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
