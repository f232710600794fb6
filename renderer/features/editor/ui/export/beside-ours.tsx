import { useQuery } from '@tanstack/react-query';
import { Fragment, useMemo } from 'react';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { useText } from '../../../../lib/text.ts';
import { useEditor } from '../../editor-context.ts';
import { compareTexts } from '../../model/compare-texts.ts';
import { exportQuery } from '../../queries.ts';
import css from './export-preview.module.css';
import type { ExportChoice } from './use-export-choice.ts';

/** The file of the service and ours side by side, with what only one of them has marked. */
export function BesideOurs({
  choice,
  theirs,
  isShortened,
}: {
  readonly choice: ExportChoice;
  readonly theirs: string;
  readonly isShortened: boolean;
}) {
  const t = useText();
  const { detail } = useEditor();
  const { data } = useQuery(exportQuery(useStudio(), detail.id, choice.format, choice.given, 'studio'));
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
