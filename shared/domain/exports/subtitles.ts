import { isSubtitleName } from '../imports/read-subtitles.ts';
import { findProblems, type CheckFacts, type FoundProblem } from '../subtitles/check-cues.ts';
import { giveTime } from '../subtitles/fix-cues.ts';
import { hasTurnDash, wordsOf, type CueWord, type TimedCue, type Cue } from '../subtitles/cue.ts';
import { breakIntoLines, breakRules } from '../subtitles/line-breaks.ts';
import { makeCues, type CueNaming } from '../subtitles/make-cues.ts';
import { segmentCues } from '../subtitles/segment-cues.ts';
import type { SubtitleProfile } from '../subtitles/profiles.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { cleanLine } from './format-text.ts';
import {
  hasSeveralSpeakers,
  cueOptions,
  profileOf,
  readOptions,
  type ExportFacts,
  type SecondText,
  type Exporter,
  type GivenOptions,
  type OptionFacts,
  type OptionsOf,
  type OptionValue,
} from './exporter.ts';
import { prepareFor, type WritingFacts } from './write-export.ts';

type CueOptions = OptionsOf<typeof cueOptions> & {
  /** Formats with a dedicated place for a name have a further value of their own. */
  readonly speakers: string;
  readonly tracks?: 'both' | 'second';
};

export const captionLimits = (
  given: GivenOptions,
  { language, isCyrillic }: Pick<OptionFacts, 'language' | 'isCyrillic'>,
): SubtitleProfile =>
  profileOf(
    readOptions(cueOptions, given, {
      language,
      isCyrillic,
      isFromSubtitles: false,
      hasCuts: false,
      dividedBy: 'speaker',
    }),
  );

export function readNaming(
  speakers: OptionValue | undefined,
): { readonly when: CueNaming['when']; readonly whose: 'named' | 'all' } | null {
  const when = (['first', 'change', 'every'] as const).find((one) => one === speakers || `named-${one}` === speakers);
  return when === undefined ? null : { when, whose: when === speakers ? 'all' : 'named' };
}

function namedIn(
  speakers: OptionValue | undefined,
  transcript: Pick<Transcript, 'speakers' | 'segments'>,
): ReadonlySet<string> {
  const naming = hasSeveralSpeakers(transcript) ? readNaming(speakers) : null;
  const named = transcript.speakers.filter(({ name }) => naming?.whose === 'all' || (naming !== null && name !== null));
  return new Set(named.map(({ id }) => id));
}

export const namesAreWritten = (
  { speakers }: { readonly speakers?: OptionValue },
  transcript: Pick<Transcript, 'speakers' | 'segments'>,
): boolean => namedIn(speakers, transcript).size > 0;

/** In the times of the recording and with the first text only; the check uses these. */
export function ownCues(
  transcript: Transcript,
  facts: Pick<ExportFacts, 'speakerName' | 'isOpenEnded' | 'sourceName'>,
  options: CueOptions,
  profile: SubtitleProfile,
): readonly TimedCue[] {
  const names = new Map(transcript.speakers.map(({ id }) => [id, cleanLine(facts.speakerName(id))]));
  const prefixes = new Map(
    [...namedIn(options.speakers, transcript)].map((id) => {
      const others = [...names].flatMap(([other, whole]) => (other === id ? [] : [whole]));
      return [id, namePrefix(names.get(id) ?? '', others, profile)];
    }),
  );
  const { when, whose } = readNaming(options.speakers) ?? {};
  // Without a mark, the words of somebody without a name would be read as those of whoever was named before.
  const unnamed = when === 'change' && whose === 'named' ? turnMark : '';
  const prefixOf = (speakerId: string) => prefixes.get(speakerId) ?? unnamed;
  const naming = when === undefined || prefixes.size === 0 ? null : { when, prefixOf };
  const made =
    options.cuesFrom === 'segments'
      ? segmentCues(transcript, profile, naming, isSubtitleName(facts.sourceName ?? ''))
      : makeCues(transcript, profile, naming);
  const cues = unnamed === '' ? made : made.map(withNeededMark);
  return options.mends ? mendCues(cues, checkFacts(transcript, facts, profile), options) : cues;
}

export const checkFacts = (
  { language, durationMs }: Transcript,
  { isOpenEnded = false, sourceName = '' }: Pick<ExportFacts, 'isOpenEnded' | 'sourceName'>,
  profile: SubtitleProfile,
): CheckFacts => ({
  profile,
  language,
  durationMs: isOpenEnded ? Number.POSITIVE_INFINITY : durationMs,
  isFromSubtitles: isSubtitleName(sourceName),
});

/** What stands before the words of a speaker without a name where the speaker changes. */
export const turnMark = '-';

/** Nobody spoke before the first caption, and words that begin with a dash need no other one. */
function withNeededMark(cue: TimedCue, at: number): TimedCue {
  const [line = '', ...others] = cue.lines;
  const said = line.slice(turnMark.length + 1);
  if (cue.prefix !== turnMark || (at > 0 && !hasTurnDash(said))) return cue;
  return { ...cue, prefix: '', lines: [said, ...others] };
}

export const mendCues = (
  cues: readonly TimedCue[],
  facts: CheckFacts,
  options: Pick<CueOptions, 'cuesFrom'>,
): readonly TimedCue[] =>
  giveTime(cues, facts, {
    saidFrom: ({ startMs, rows }) => {
      const first = rows[0]?.[0];
      return first?.saidMs ?? first?.startMs ?? startMs;
    },
    spokenUntil: spokenUntil(options),
    heardUntil: heardUntil(options),
  });

/** When a caption could end at the earliest: with its segment where it has its times, or else with its last word. */
const spokenUntil =
  ({ cuesFrom }: Pick<CueOptions, 'cuesFrom'>) =>
  ({ endMs, rows }: TimedCue): number =>
    cuesFrom === 'segments' ? endMs : (rows.at(-1)?.at(-1)?.endMs ?? endMs);

/** How far the end of a caption may be moved back: where it has the times of its segment, as far as nobody is cut off. */
const heardUntil =
  ({ cuesFrom }: Pick<CueOptions, 'cuesFrom'>) =>
  ({ startMs, endMs, rows }: TimedCue): number =>
    cuesFrom === 'segments' ? (rows.flat().findLast((word) => word.isEstimated !== true)?.endMs ?? startMs + 1) : endMs;

/** A name that would fill half a line is shortened to its first word if nobody else has that, or cut. */
export function namePrefix(
  name: string,
  others: readonly string[],
  { charactersPerLine }: Pick<SubtitleProfile, 'charactersPerLine'>,
): string {
  const most = Math.floor(charactersPerLine / 2);
  if (name.length < most) return `${name}:`;
  const firstOf = (whole: string) => whole.split(' ')[0] ?? whole;
  const first = firstOf(name);
  const isOwn = others.every((whole) => firstOf(whole) !== first);
  return isOwn && first.length < most
    ? `${first}:`
    : `${name
        .slice(0, most - 1)
        .toWellFormed()
        .replace(/\ufffd$/u, '')
        .trimEnd()}…:`;
}

/** The rules for the cues of a file; where two texts share a caption, each gets its share of the lines. */
export function fileProfile(options: CueOptions, { second }: Pick<ExportFacts, 'second'>): SubtitleProfile {
  const profile = profileOf(options);
  if (second === null) return profile;
  return { ...profile, linesPerCue: Math.max(1, Math.floor(profile.linesPerCue / 2)) };
}

export function cuesOf(
  transcript: Transcript,
  facts: Pick<ExportFacts, 'speakerName' | 'isOpenEnded' | 'sourceName' | 'second'>,
  options: CueOptions,
): readonly TimedCue[] {
  const profile = fileProfile(options, facts);
  const own = ownCues(transcript, facts, options, profile);
  const { second } = facts;
  const cues = second === null ? own : withSecond(own, transcript, second, profile, options.tracks ?? 'both');
  const { offsetMs } = options;
  if (offsetMs === 0) return cues;
  const moved = (part: { readonly startMs: number; readonly endMs: number }) => ({
    startMs: part.startMs + offsetMs,
    endMs: part.endMs + offsetMs,
  });
  return cues.map((cue) => ({
    ...cue,
    ...moved(cue),
    rows: cue.rows.map((row) => row.map((word) => ({ ...word, ...moved(word) }))),
  }));
}

/** A cue during which the second text is silent keeps the first. */
function withSecond(
  cues: readonly TimedCue[],
  first: Transcript,
  second: SecondText,
  profile: SubtitleProfile,
  tracks: 'both' | 'second',
): readonly TimedCue[] {
  const said =
    second.kind === 'text'
      ? saidDuring(cues, second.transcript)
      : cues.map(({ rows }) => rows.flat().map((word) => ({ ...word, text: second.change(word.text) })));
  const breakCost = breakRules(second.kind === 'text' ? second.transcript.language : first.language);
  return cues.map((cue, at) => {
    const own = said[at] ?? [];
    if (own.length === 0) return cue;
    const texts = own.map(({ text }) => text);
    const costs = texts.map((text, place) => breakCost(text, texts[place + 1] ?? ''));
    const lineSpans = breakIntoLines(texts, costs, profile.charactersPerLine, Math.max(2, profile.linesPerCue));
    const rows = lineSpans.map(([from, to]) => own.slice(from, to));
    const lines = rows.map((row) => row.map(({ text }) => text).join(' '));
    return tracks === 'second'
      ? { ...cue, lines, rows, prefix: '' }
      : { ...cue, lines: [...cue.lines, ...lines], rows: [...cue.rows, ...rows] };
  });
}

function saidDuring(cues: readonly TimedCue[], { segments }: Transcript): readonly (readonly CueWord[])[] {
  const said: CueWord[][] = cues.map(() => []);
  const starts = cues.map(({ startMs, rows }) => rows[0]?.[0]?.saidMs ?? startMs);
  for (const word of segments.flatMap(wordsOf).toSorted((a, b) => a.startMs - b.startMs))
    said[Math.max(0, lastBegun(starts, (word.startMs + word.endMs) / 2))]?.push(word);
  return said;
}

function lastBegun(starts: readonly number[], ms: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

interface Checked {
  readonly cues: readonly TimedCue[];
  readonly found: readonly FoundProblem[];
}

interface CheckedCaptions {
  readonly profile: SubtitleProfile;
  readonly plain: Checked;
  readonly mended: Checked;
  /** As they will be written, but before they are moved by the start offset: one of the two. */
  readonly written: Checked;
  readonly offsetMs: number;
}

/** The captions of a file, for every place that shows problems; null for a format without captions. */
export function checkCaptions(
  exporter: Exporter,
  transcript: Transcript,
  given: GivenOptions,
  writing: WritingFacts,
): CheckedCaptions | null {
  if (!('charactersPerLine' in exporter.options)) return null;
  const { shown, options, facts } = prepareFor(exporter, transcript, given, writing);
  const chosen = options as CueOptions;
  const profile = fileProfile(chosen, facts);
  const rules = checkFacts(shown, facts, profile);
  const checked = (cues: readonly TimedCue[]): Checked => ({ cues, found: findProblems(cues, rules) });
  const plain = checked(ownCues(shown, facts, { ...chosen, mends: false }, profile));
  const mended = checked(mendCues(plain.cues, rules, chosen));
  return { profile, plain, mended, written: chosen.mends ? mended : plain, offsetMs: chosen.offsetMs };
}

export interface SubtitleCheck {
  readonly cueCount: number;
  readonly problems: readonly (FoundProblem & Pick<Cue, 'startMs' | 'endMs' | 'lines'>)[];
  readonly unmendedCount: number;
  readonly mendedCount: number;
}

export function checkSubtitles(...checked: Parameters<typeof checkCaptions>): SubtitleCheck | null {
  const found = checkCaptions(...checked);
  if (found === null) return null;
  const { plain, mended, written, offsetMs } = found;
  return {
    cueCount: written.cues.length,
    problems: written.found.flatMap((problem) => {
      const cue = written.cues[problem.cue];
      if (cue === undefined) return [];
      return [{ ...problem, startMs: cue.startMs + offsetMs, endMs: cue.endMs + offsetMs, lines: cue.lines }];
    }),
    unmendedCount: plain.found.length,
    mendedCount: mended.found.length,
  };
}
