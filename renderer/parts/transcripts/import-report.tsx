import type { ImportReport as Report } from '../../../shared/domain/imports/import-problems.ts';
import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import css from './transcript-chooser.module.css';

/** Says which captions of imported files were changed or left out, and stays until it is closed. */
export function ImportReport({
  files,
  onClose,
}: {
  readonly files: readonly { readonly name: string; readonly report: Report }[];
  readonly onClose: () => void;
}) {
  const t = useText();
  return (
    <Dialog
      isOpen
      width="sm"
      scrollsByKeys
      title={t('transcripts.report.title')}
      closeLabel={t('common.close')}
      onClose={onClose}
      footer={
        <Button variant="primary" isAutoFocused onPress={onClose}>
          {t('common.done')}
        </Button>
      }
    >
      <div className={css['languages']}>
        {files.map(({ name, report: { changedCount, countedIn, kinds } }, at) => (
          <section key={at} className={css['report']}>
            <p>
              {[
                `${name}:`,
                ...countsOf(changedCount, kinds).map(([what, count]) =>
                  t(`transcripts.report.${countedIn}.${what}`, { count }),
                ),
              ].join(' ')}
            </p>
            <ul>
              {kinds.map((kind) => (
                <ReportKind key={kind.kind} countedIn={countedIn} {...kind} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** How many were changed and how many left out, without what did not happen. */
function countsOf(changedCount: number, kinds: Report['kinds']) {
  const leftOut = kinds
    .filter(({ kind }) => kind === 'unreadable' || kind === 'empty')
    .reduce((sum, { count }) => sum + count, 0);
  return (
    [
      ['changed', changedCount - leftOut],
      ['leftOut', leftOut],
    ] as const
  ).filter(([, count]) => count > 0);
}

/** Where problems of one kind are, and for those of times, what each time was and is. */
function ReportKind({
  countedIn,
  kind,
  count,
  places,
  captions,
  changes,
}: Report['kinds'][number] & Pick<Report, 'countedIn'>) {
  const t = useText();
  const { timeCode } = useFormats();
  const written = ({ startMs, endMs }: TimeSpan) => `${timeCode(startMs)}–${timeCode(endMs)}`;
  const nameOf = (of: readonly number[], among: readonly number[]) =>
    among.length === of.length
      ? t('transcripts.report.captions', { count: of.length, captions: among.join(', '), lines: of.join(', ') })
      : t(`transcripts.report.${countedIn}.places`, { count: of.length, places: of.join(', ') });
  const more = count > places.length && ` ${t('transcripts.report.more', { count: count - places.length })}`;
  if (changes.length === 0)
    return (
      <li>
        <b>
          {nameOf(places, captions)}
          {more}
        </b>{' '}
        {t(`transcripts.report.kinds.${kind}`)}
      </li>
    );
  return (
    <li>
      {t(`transcripts.report.kinds.${kind}`)}
      <ul>
        {changes.map(({ before, after }, at) => (
          <li key={places[at]}>
            <b>{nameOf(places.slice(at, at + 1), captions.slice(at, at + 1))}</b>{' '}
            {t('transcripts.report.change', { before: written(before), after: written(after) })}
          </li>
        ))}
        {more !== false && <li>{more}</li>}
      </ul>
    </li>
  );
}
