import { useMutation } from '@tanstack/react-query';
import { Check, CircleAlert, FileDown, PencilLine, TriangleAlert, Undo2, WandSparkles } from 'lucide-react';
import { csvOf } from '../../../../../shared/domain/exports/table.ts';
import { subtitleTime } from '../../../../../shared/domain/exports/subtitle-time.ts';
import { failureOf, valueOrThrow } from '../../../../bridge/request-error.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import type { SubtitleCheck } from '../../../../bridge/types.ts';
import { useFailureWords } from '../../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useEditor } from '../../editor-context.ts';
import { useWordsForLeft } from '../use-words-for-left.ts';
import css from './caption-check.module.css';
import type { ExportChoice } from './use-export-choice.ts';

type Problem = SubtitleCheck['problems'][number];

/** A longer list is easier to read in a spreadsheet; the saved report has every entry. */
const mostShown = 500;

/** What breaks the caption rules in the whole file, fixes for what can be fixed, and the report as a table. */
export function CaptionCheck({
  check,
  choice,
  onShow,
  onEdit,
}: {
  readonly check: SubtitleCheck;
  readonly choice: ExportChoice;
  /** Shows a caption by its place; null where captions are not shown as such. */
  readonly onShow: ((cue: number) => void) | null;
  /** Leads to a caption in the text. */
  readonly onEdit: (cue: number) => void;
}) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const wordsForLeft = useWordsForLeft();
  const studio = useStudio();
  const { detail } = useEditor();
  const { problems, unmendedCount, mendedCount } = check;
  const isMended = choice.options['mends'] === true;
  const written = (count: number) => ({ count, number: formats.number(count) });
  /** The measured value and the limit. */
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
      <div className={css['head']}>
        <output className={css['found']}>
          {problems.length === 0
            ? t('exports.check.none', written(check.cueCount))
            : t('exports.check.found', written(problems.length))}
          {isMended && mended > 0 && ` ${t('exports.check.mended', written(mended))}`}
        </output>
        {isMended ? (
          <Button
            size="sm"
            icon={Undo2}
            onPress={() => {
              choice.change({ mends: false });
            }}
          >
            {t('exports.check.undo')}
          </Button>
        ) : (
          <Button
            size="sm"
            variant="primary"
            icon={WandSparkles}
            isDisabled={mended <= 0}
            onPress={() => {
              choice.change({ mends: true });
            }}
          >
            {t('exports.check.mend')}
          </Button>
        )}
        <Button
          size="sm"
          icon={FileDown}
          isDisabled={problems.length === 0}
          isLoading={report.isPending}
          onPress={() => {
            report.mutate();
          }}
        >
          {t('exports.check.save')}
        </Button>
      </div>
      {problems.length > 0 && (isMended || mended <= 0) && <p className={css['note']}>{wordsForLeft(problems)}</p>}
      {report.error !== null && (
        <p role="alert" className={css['failed']}>
          <CircleAlert aria-hidden size={14} strokeWidth={1.75} />
          <span>{failure === null ? t('exports.failed') : words(failure).text}</span>
        </p>
      )}
      {typeof report.data?.savedAs === 'string' && (
        <output className={css['saved']}>
          <Check aria-hidden size={14} strokeWidth={1.75} />
          <span>{t('exports.saved', { name: report.data.savedAs })}</span>
        </output>
      )}
      <ol className={css['list']}>
        {problems.slice(0, mostShown).map((problem) => {
          const more = measured(problem);
          const told = (
            <>
              <span className={css['number']}>{problem.cue + 1}</span>
              <span className={css['time']}>{subtitleTime(problem.startMs, formats.decimalSign)}</span>
              <span className={css['problem']}>
                <TriangleAlert aria-hidden size={12} strokeWidth={2} />
                {t(`exports.problems.${problem.kind}`)}
                {more !== null && <span className={css['measured']}>{more}</span>}
              </span>
              <span className={css['lines']}>{problem.lines.join('\n')}</span>
            </>
          );
          return (
            <li key={`${String(problem.cue)} ${problem.kind}`}>
              {onShow === null ? (
                <div className={css['caption']}>{told}</div>
              ) : (
                <button
                  type="button"
                  className={css['caption']}
                  onClick={() => {
                    onShow(problem.cue);
                  }}
                >
                  {told}
                </button>
              )}
              <IconButton
                className={css['edit']}
                size="sm"
                icon={PencilLine}
                label={t('exports.check.edit', { caption: formats.number(problem.cue + 1) })}
                onPress={() => {
                  onEdit(problem.cue);
                }}
              />
            </li>
          );
        })}
      </ol>
      {problems.length > mostShown && (
        <p className={css['note']}>{t('exports.check.more', written(problems.length - mostShown))}</p>
      )}
    </div>
  );
}
