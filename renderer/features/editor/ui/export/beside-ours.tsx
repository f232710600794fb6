import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { useText } from '../../../../lib/text.ts';
import { useEditor } from '../../editor-context.ts';
import { exportQuery } from '../../queries.ts';
import css from './export-preview.module.css';
import type { ExportChoice } from './use-export-choice.ts';

interface ShownLine {
  readonly text: string;
  readonly isOther: boolean;
}

/**
 * The lines of a text, marked where the other text lacks them. For shortened texts, lines after the last common one are
 * not compared, because the other text may have them in the part that is not shown.
 */
function markLines(text: string, other: string, isCut: boolean): readonly ShownLine[] {
  const known = new Set(other.split('\n'));
  const lines = text.split('\n').map((line) => ({ text: line, isOther: !known.has(line) }));
  const last = isCut ? lines.findLastIndex((line) => !line.isOther && line.text.trim() !== '') : lines.length;
  return lines.map((line, at) => (at > last ? { ...line, isOther: false } : line));
}

/** The file of the service and ours side by side, with the lines that only one of them has marked. */
export function BesideOurs({
  choice,
  theirs,
  isCut,
}: {
  readonly choice: ExportChoice;
  readonly theirs: string;
  readonly isCut: boolean;
}) {
  const t = useText();
  const { detail } = useEditor();
  const { data } = useQuery(exportQuery(useStudio(), detail.id, choice.format, choice.given, 'studio'));
  const ours = data?.kind === 'text' ? data.text : null;
  const isAnyCut = isCut || (data?.isCut ?? false);
  const sides = useMemo(
    () =>
      ours === null
        ? null
        : ([
            ['service', markLines(theirs, ours, isAnyCut)],
            ['studio', markLines(ours, theirs, isAnyCut)],
          ] as const),
    [theirs, ours, isAnyCut],
  );
  if (sides === null) return null;
  const count = sides[1][1].filter(({ isOther }) => isOther).length;
  return (
    <>
      <p className={css['besideNote']}>
        {count === 0 ? t('exports.besideSame') : t('exports.besideDiffers', { count })}
      </p>
      <div className={css['beside']}>
        {sides.map(([side, lines]) => (
          <section key={side} aria-label={t(`exports.sources.${side}`)}>
            <h3>{t(`exports.sources.${side}`)}</h3>
            <pre className={css['code']}>
              {lines.map((line, at) =>
                line.isOther ? (
                  // oxlint-disable-next-line react/no-array-index-key -- lines have no other name, and do not move
                  <mark key={at}>{`${line.text}\n`}</mark>
                ) : (
                  `${line.text}\n`
                ),
              )}
            </pre>
          </section>
        ))}
      </div>
    </>
  );
}
