import type { SpeechLanguage } from '../languages.ts';
import { hasTurnDash, readingSpeedOf, type Cue, type TimedCue } from './cue.ts';
import { breakIntoLines, breakRules, countBadBreaks } from './line-breaks.ts';
import type { SubtitleProfile } from './profiles.ts';

export const cueProblemKinds = [
  'not-in-order',
  'no-duration',
  'overlap',
  'after-the-end',
  'empty',
  'too-many-lines',
  'line-too-long',
  'lines-changed',
  'too-fast',
  'too-short',
  'too-long',
  'gap-too-short',
  'bad-line-break',
] as const;
export type CueProblemKind = (typeof cueProblemKinds)[number];

/** `is` and `limit` are the measured and the allowed value: characters, lines, characters a second or ms. */
export interface CueProblem {
  readonly kind: CueProblemKind;
  readonly is: number;
  readonly limit: number;
}

export const worstFirst = <P extends CueProblem>(problems: readonly P[]): readonly P[] =>
  problems.toSorted(
    (a, b) =>
      cueProblemKinds.indexOf(a.kind) - cueProblemKinds.indexOf(b.kind) ||
      Math.abs(b.is - b.limit) - Math.abs(a.is - a.limit),
  );

export interface CheckFacts {
  readonly profile: SubtitleProfile;
  readonly language: SpeechLanguage;
  readonly durationMs: number;
  /** Somebody made captions of the segments; otherwise a segment with one line may become as many as it needs. */
  readonly isFromSubtitles?: boolean;
}

type CheckedCue = Cue & Partial<Pick<TimedCue, 'prefix' | 'ownRows'>>;

/** Cues are placed in whole milliseconds and frames; a smaller difference is no problem. */
const toleranceMs = 1;

/** A dash before a small letter is the one between two parts of a sentence, unless the cue is a dialogue. */
const beginsTurn = (line: string, isDialogue: boolean): boolean =>
  hasTurnDash(line) && (isDialogue || !/^.\s*\p{Ll}/u.test(line));

function breaksBadly({ lines, prefix = '' }: CheckedCue, profile: SubtitleProfile, language: SpeechLanguage): boolean {
  const breakCost = breakRules(language);
  const words: string[] = [];
  const written = lines.filter((line) => line.trim() !== '');
  const own = written.map((line) => {
    const from = words.length;
    words.push(...line.split(' ').filter((word) => word !== ''));
    // A name is never parted from the word after it.
    if (from === 0 && prefix !== '' && line.startsWith(`${prefix} `)) {
      const ofName = prefix.split(' ').length + 1;
      words.splice(0, ofName, words.slice(0, ofName).join(' '));
    }
    return [from, words.length] as const;
  });
  const isDialogue = hasTurnDash((written[0] ?? '').slice(prefix === '' ? 0 : prefix.length + 1));
  const turns = new Set(own.flatMap(([from], at) => (beginsTurn(written[at] ?? '', isDialogue) ? [from] : [])));
  const costs = words.map((word, at) =>
    turns.has(at + 1) ? 0 : breakCost(at === 0 ? word.slice(word.lastIndexOf(' ') + 1) : word, words[at + 1] ?? ''),
  );
  const bad = countBadBreaks(own, costs);
  if (bad === 0) return false;
  const best = breakIntoLines(words, costs, profile.charactersPerLine, profile.linesPerCue);
  return countBadBreaks(best, costs) < bad;
}

/** Whether speech is faster than a viewer reads. A speed that is written like the limit is as good as the limit. */
export const isTooFast = (perSecond: number, limit: number): boolean => perSecond > limit + 0.05;

export function checkCue(
  cue: CheckedCue,
  next: Cue | null,
  { profile, language, durationMs, isFromSubtitles = false }: CheckFacts,
): readonly CueProblem[] {
  const found: CueProblem[] = [];
  const report = (kind: CueProblemKind, is: number, limit: number) => void found.push({ kind, is, limit });
  const lengthMs = cue.endMs - cue.startMs;
  if (next !== null && next.startMs < cue.startMs) report('not-in-order', next.startMs, cue.startMs);
  if (lengthMs <= 0) report('no-duration', lengthMs, 1);
  const gapMs = next === null ? null : next.startMs - cue.endMs;
  if (gapMs !== null && gapMs < 0) report('overlap', -gapMs, 0);
  else if (gapMs !== null && gapMs < profile.gapMs - toleranceMs) report('gap-too-short', gapMs, profile.gapMs);
  if (cue.endMs > durationMs) report('after-the-end', cue.endMs, durationMs);
  if (cue.lines.every((line) => line.trim() === '')) report('empty', 0, 1);
  if (cue.lines.length > profile.linesPerCue) report('too-many-lines', cue.lines.length, profile.linesPerCue);
  const longest = Math.max(0, ...cue.lines.map((line) => line.length));
  if (longest > profile.charactersPerLine) report('line-too-long', longest, profile.charactersPerLine);
  const speed = readingSpeedOf(cue);
  if (lengthMs > 0 && isTooFast(speed, profile.charactersPerSecond))
    report('too-fast', speed, profile.charactersPerSecond);
  if (lengthMs > 0 && lengthMs < profile.minimumMs - toleranceMs) report('too-short', lengthMs, profile.minimumMs);
  if (lengthMs > profile.maximumMs + toleranceMs) report('too-long', lengthMs, profile.maximumMs);
  const ownLines = cue.ownRows?.length ?? 0;
  if (ownLines > 1 || (ownLines === 1 && isFromSubtitles)) report('lines-changed', ownLines, profile.linesPerCue);
  if (breaksBadly(cue, profile, language)) report('bad-line-break', 1, 0);
  return found;
}

export interface FoundProblem extends CueProblem {
  readonly cue: number;
}

export const findProblems = (cues: readonly CheckedCue[], facts: CheckFacts): readonly FoundProblem[] =>
  cues.flatMap((cue, at) => checkCue(cue, cues[at + 1] ?? null, facts).map((problem) => ({ ...problem, cue: at })));
