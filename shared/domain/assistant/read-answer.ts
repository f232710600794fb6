import { clock } from '../time/time-code.ts';
import { markPattern, marksIn, type Citation } from './ask-messages.ts';

export type AnswerPiece =
  | { readonly kind: 'text'; readonly text: string; readonly isBold: boolean; readonly isUnsourced: boolean }
  /** `isKnown`: the transcript has such a line. */
  | { readonly kind: 'mark'; readonly mark: string; readonly isKnown: boolean }
  /** Follows a sentence without a citation. */
  | { readonly kind: 'unsourced' };

export interface AnswerBlock {
  readonly kind: 'paragraph' | 'heading' | 'bullet' | 'number';
  readonly pieces: readonly AnswerPiece[];
}

export function readAnswer(answer: string, knownMarks: ReadonlySet<string>): readonly AnswerBlock[] {
  return blocksOf(answer).map(({ kind, text }) => ({ kind, pieces: piecesOf(text, kind, knownMarks) }));
}

/** An answer to be read elsewhere: for each mark the title, unless it is empty, and the time: `(Interview, 00:11)`. */
export function answerWithTimes(
  answer: string,
  citations: readonly Citation[],
  titleOf: (transcriptId: string) => string,
  hasTimes: (transcriptId: string) => boolean = () => true,
): string {
  const placeOf = new Map(
    citations.map(({ mark, transcriptId, startMs }) => [
      mark,
      [titleOf(transcriptId), hasTimes(transcriptId) ? clock(startMs) : ''].filter(Boolean).join(', '),
    ]),
  );
  return answer.replaceAll(new RegExp(`[ \\t]*${markPattern.source}`, 'gu'), (found, inside: string) => {
    const places = marksIn(inside).flatMap((mark) => placeOf.get(mark) ?? []);
    return places.length === 0 ? '' : `${/^\s*/u.exec(found)?.[0] ?? ''}(${places.join('; ')})`;
  });
}

function blocksOf(answer: string): readonly { kind: AnswerBlock['kind']; text: string }[] {
  const blocks: { kind: AnswerBlock['kind']; text: string }[] = [];
  let isOpen = false;
  for (const line of answer.split('\n')) {
    const text = line.trim();
    const [, sign, rest] = /^(#{1,6}|[-*•]|\d{1,3}[.)])\s+(.*)$/u.exec(text) ?? [];
    if (sign !== undefined && rest !== undefined) {
      blocks.push({ kind: kindOf(sign), text: rest });
      isOpen = !sign.startsWith('#');
    } else if (text === '') isOpen = false;
    else if (isOpen) {
      const last = blocks.at(-1);
      if (last !== undefined) last.text += ` ${text}`;
    } else {
      blocks.push({ kind: 'paragraph', text });
      isOpen = false;
    }
  }
  return blocks;
}

const kindOf = (sign: string): AnswerBlock['kind'] => {
  if (sign.startsWith('#')) return 'heading';
  return /^\d/u.test(sign) ? 'number' : 'bullet';
};

/** Replaces the marks of one pair of brackets while sentences are being found. */
const markSign = '\u{E000}';

interface Sentence {
  text: string;
  marks: string[][];
}

function sentencesOf(text: string): readonly Sentence[] {
  const marks: string[][] = [];
  const plain = text.replaceAll(markSign, '').replaceAll(markPattern, (_, inside: string) => {
    marks.push([...marksIn(inside)]);
    return markSign;
  });
  const sentences: Sentence[] = [];
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(plain)) {
    const leading = /^[\s\u{E000}]+/u.exec(segment)?.[0] ?? '';
    const previous = sentences.at(-1);
    // Marks after the full stop belong to the sentence before it.
    const own = previous !== undefined && leading.includes(markSign) ? segment.slice(leading.length) : segment;
    if (previous !== undefined && own !== segment) {
      previous.text += leading;
      previous.marks.push(...marks.splice(0, leading.split(markSign).length - 1));
    }
    if (own !== '') sentences.push({ text: own, marks: marks.splice(0, own.split(markSign).length - 1) });
  }
  return sentences;
}

/** A heading, a line that introduces a list and very few words need no citation. */
const claimsSomething = (text: string, kind: AnswerBlock['kind']): boolean =>
  kind !== 'heading' &&
  !/[:?]\s*$/u.test(text) &&
  !/^\s*\[.*\]\s*$/su.test(text) &&
  (text.match(/\p{L}+/gu)?.length ?? 0) > 3;

function piecesOf(text: string, kind: AnswerBlock['kind'], knownMarks: ReadonlySet<string>): readonly AnswerPiece[] {
  const pieces: AnswerPiece[] = [];
  let isBold = false;
  for (const sentence of sentencesOf(text)) {
    const isSourced = sentence.marks.some((group) => group.some((mark) => knownMarks.has(mark)));
    const isUnsourced = !isSourced && claimsSomething(sentence.text.replaceAll(markSign, ''), kind);
    const groups = [...sentence.marks];
    for (const part of sentence.text.split(/(\*\*|\u{E000})/u)) {
      if (part === '**') isBold = !isBold;
      else if (part === markSign)
        for (const mark of groups.shift() ?? []) pieces.push({ kind: 'mark', mark, isKnown: knownMarks.has(mark) });
      else if (part !== '') pieces.push({ kind: 'text', text: part, isBold, isUnsourced });
    }
    if (isUnsourced) pieces.push({ kind: 'unsourced' });
  }
  return pieces;
}
