import type { CueProblemKind } from '../../../../shared/domain/subtitles/check-cues.ts';
import { useText } from '../../../lib/text.ts';

/** What would help against each problem that more time does not solve. */
const ways = {
  'not-in-order': 'edges',
  'no-duration': 'time',
  overlap: 'edges',
  'after-the-end': 'edges',
  empty: 'text',
  'too-many-lines': 'text',
  'line-too-long': 'text',
  'too-fast': 'time',
  'too-short': 'time',
  'too-long': 'split',
  'gap-too-short': 'edges',
  'lines-changed': 'text',
  'bad-line-break': 'text',
} as const satisfies Record<CueProblemKind, string>;

/** Says why these problems are left to the user and what helps, once for each way. */
export function useWordsForLeft(): (problems: readonly { readonly kind: CueProblemKind }[]) => string {
  const t = useText();
  return (problems) =>
    [...new Set(problems.map(({ kind }) => ways[kind]))].map((way) => t(`exports.check.left.${way}`)).join(' ');
}
