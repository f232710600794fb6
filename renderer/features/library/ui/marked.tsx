import type { Ranges } from '../../../../shared/domain/search/search-query.ts';
import css from './found-list.module.css';

/** A text with what was found in it. */
export function Marked({ text, ranges }: { readonly text: string; readonly ranges: Ranges }) {
  return ranges.reduceRight<readonly React.ReactNode[]>(
    (rest, [start, end], at) => {
      const before = text.slice(ranges[at - 1]?.[1] ?? 0, start);
      return [
        before,
        <mark key={start} className={css['hit']}>
          {text.slice(start, end)}
        </mark>,
        ...rest,
      ];
    },
    [text.slice(ranges.at(-1)?.[1] ?? 0)],
  );
}
