import type { CleanUpFault, ModelStyle } from './clean-up.ts';
import { textOfPhrases, type WrittenPhrase } from './written-phrases.ts';

/** A stretch of phrases by their ids, both ends included. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What a model made of a stretch of a take as a whole. What was said stays beside it. */
export interface Rewriting extends Stretch {
  readonly id: string;
  readonly style: ModelStyle;
  readonly said: string;
  /** Null: it is on its way, or nothing came. */
  readonly written: string | null;
  /** The user's text in place of it; null: it was not changed. */
  readonly edited: string | null;
  /** Why it is not shown by itself; of a text that came: it is no faithful version. */
  readonly fault: CleanUpFault | null;
  /** In credits as decimal text. */
  readonly credits: string | null;
  readonly isShown: boolean;
}

export interface WrittenRewriting extends Rewriting {
  readonly isArriving: boolean;
}

/** One request takes no longer text; its answer has to fit into what a model writes at once. */
export const longestRewritten = 12_000;
/** After this a rewriting has failed; its answer may be charged. */
export const rewritingWaitsMs = 120_000;

/** The longest answer to a text of so many characters, in tokens. */
export const mostRewritingTokens = (characters: number): number => Math.min(8192, characters + 512);
/** The probable length of that answer. */
export const usualRewritingTokens = (characters: number): number => Math.ceil(characters / 3);

const overlaps = (one: Stretch, other: Stretch): boolean => one.from <= other.to && other.from <= one.to;

/** The one with this id is shown in place of its phrases, what overlaps it is not; null: none is shown. */
export const showing = (rewritings: readonly Rewriting[], id: string | null): readonly Rewriting[] => {
  const shown = rewritings.find((one) => one.id === id);
  return rewritings.map((one) => ({
    ...one,
    isShown: one === shown || (shown !== undefined && one.isShown && !overlaps(one, shown)),
  }));
};

const inside = (phrases: readonly WrittenPhrase[], { from, to }: Stretch) =>
  phrases.filter(({ id }) => id >= from && id <= to);

export const saidIn = (phrases: readonly WrittenPhrase[], stretch: Stretch): string =>
  textOfPhrases(inside(phrases, stretch));

export const textOfRewriting = ({ written, edited }: Rewriting): string => edited ?? written ?? '';

export type PagePart =
  | { readonly kind: 'phrases'; readonly phrases: readonly WrittenPhrase[] }
  | { readonly kind: 'rewriting'; readonly rewriting: Rewriting };

/** A take as a page of text, in order: shown rewritings stand where their phrases stood. */
export function pageOf(phrases: readonly WrittenPhrase[], rewritings: readonly Rewriting[]): readonly PagePart[] {
  const parts: PagePart[] = [];
  let from = 1;
  const addPhrases = (to: number) => {
    const between = inside(phrases, { from, to });
    if (between.length > 0) parts.push({ kind: 'phrases', phrases: between });
  };
  for (const rewriting of rewritings.filter((one) => one.isShown).toSorted((a, b) => a.from - b.from)) {
    addPhrases(rewriting.from - 1);
    parts.push({ kind: 'rewriting', rewriting });
    from = rewriting.to + 1;
  }
  addPhrases(Infinity);
  return parts;
}

export const textOfPage = (parts: readonly PagePart[]): string =>
  parts
    .map((part) => (part.kind === 'phrases' ? textOfPhrases(part.phrases) : textOfRewriting(part.rewriting)))
    .filter((text) => text !== '')
    .join('\n\n');
