import { useFormats, useText } from '../../../../lib/text.ts';
import type { ExportChoice } from './use-export-choice.ts';
import { useCheck } from './use-check.ts';

/** How many captions the whole file will have, and how many are faster than was asked. */
export function CueCount({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const formats = useFormats();
  const check = useCheck(choice);
  if (check === null) return null;
  const written = (count: number) => ({ count, number: formats.number(count) });
  const faster = check.problems.filter(({ kind }) => kind === 'too-fast').length;
  return (
    <output>
      {t('exports.captions', written(check.cueCount))}
      {faster > 0 && ` · ${t('exports.faster', written(faster))}`}
    </output>
  );
}
