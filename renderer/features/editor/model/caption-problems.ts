import { checkCaptions, turnMark } from '../../../../shared/domain/exports/subtitles.ts';
import { exporters } from '../../../../shared/domain/exports/exporters.ts';
import { timeWithoutCuts, leftOut } from '../../../../shared/domain/exports/prepare.ts';
import type { ExportFormat } from '../../../../shared/domain/exports/formats.ts';
import type { GivenOptions } from '../../../../shared/domain/exports/exporter.ts';
import { closesCuts, type WritingFacts } from '../../../../shared/domain/exports/write-export.ts';
import type { CueProblem } from '../../../../shared/domain/subtitles/check-cues.ts';
import { lettersOf, readingSpeedOf, type CueWord } from '../../../../shared/domain/subtitles/cue.ts';
import { redactedText } from '../../../../shared/domain/transcript/edit-marks.ts';
import { secondHalf, spanInRecording, type CaptionSplit, type Mend } from './caption-fixes.ts';
import { wordLayout } from './word-layout.ts';
import {
  isCut,
  isRedacted,
  type Segment,
  type TimeSpan,
  type Transcript,
  type Word,
} from '../../../../shared/domain/transcript/transcript.ts';

export interface SegmentProblem extends CueProblem {
  readonly caption: {
    readonly startMs: number;
    readonly endMs: number;
    readonly text: string;
    readonly letters: number;
    readonly name: string;
    readonly lettersWithoutName: number;
    readonly segmentCount: number;
    readonly place: number;
    readonly count: number;
    readonly word: number;
    readonly inFile: readonly (readonly string[])[];
  };
  /** The fix that changes no word; null where only other words would help. */
  readonly mend: Mend | null;
  readonly split: CaptionSplit | null;
}

export interface CaptionFile {
  readonly format: ExportFormat;
  readonly given: GivenOptions;
  readonly writing: WritingFacts;
}

/**
 * The problems of all captions of a file, by the id of the segment in which the caption begins, in text order. They are
 * those that the export counts. The cost grows with the number of words.
 */
export function captionProblems(
  transcript: Transcript,
  { format, given, writing }: CaptionFile,
): ReadonlyMap<string, readonly SegmentProblem[]> {
  const found = new Map<string, SegmentProblem[]>();
  const checked = checkCaptions(exporters[format], transcript, given, writing);
  if (checked === null) return found;
  const { plain, mended, written } = checked;
  const left = new Map(mended.found.map(({ cue, kind, is }) => [`${String(cue)} ${kind}`, is]));
  const byId = new Map(transcript.segments.map((segment) => [segment.id, segment]));
  const cuts = closesCuts(exporters[format], transcript, given) ? leftOut(transcript, given['redactedAudio']) : [];
  const inRecording = spanInRecording(transcript, cuts);
  const placeIn = wordFinder(cuts);
  const wordIn = (id: string, word: CueWord) => placeIn(byId.get(id)?.words ?? [], word);
  const offsetOf = (id: string, word: CueWord): number => {
    const segment = byId.get(id);
    return segment === undefined ? 0 : (wordLayout(segment).ranges[wordIn(id, word)]?.[0] ?? 0);
  };
  const endOf = (segmentId = '', toMs: number, { endMs }: TimeSpan): Mend['end'] =>
    byId.get(segmentId)?.words.at(-1)?.endMs === endMs ? { segmentId, toMs } : null;
  const ofSegment = new Map<string, number[]>();
  for (const [place, { segmentIds }] of written.cues.entries())
    for (const id of segmentIds) ofSegment.set(id, [...(ofSegment.get(id) ?? []), place]);
  for (const { cue: place, kind, is, limit } of written.found) {
    const cue = written.cues[place];
    const [id] = cue?.segmentIds ?? [];
    if (cue === undefined || id === undefined) continue;
    const { startMs, endMs, lines, prefix, segmentIds } = cue;
    const words = plain.cues[place]?.rows.flat() ?? [];
    const [first, last, wanted] = [words[0], words.at(-1), mended.cues[place]];
    // Nearer to the limit is better, even where nothing reaches it.
    const isBetter = Math.abs((left.get(`${String(place)} ${kind}`) ?? limit) - limit) < Math.abs(is - limit);
    const saidFromMs = first?.saidMs ?? first?.startMs ?? 0;
    const mend =
      written !== plain || !isBetter || last === undefined || wanted === undefined
        ? null
        : inRecording(
            segmentIds,
            { startMs: saidFromMs, endMs: Math.max(last.saidMs ?? 0, last.endMs) },
            // A caption that is shown before its first word is said may need no other start.
            { startMs: wanted.startMs < startMs ? wanted.startMs : saidFromMs, endMs: wanted.endMs },
            wanted.endMs < endMs ? endOf(segmentIds.at(-1), wanted.endMs, last) : null,
          );
    const letters = lettersOf(cue);
    const name = prefix === turnMark ? '' : prefix;
    const caption = {
      startMs,
      endMs,
      text: lines.join(' '),
      letters,
      name,
      lettersWithoutName: name === '' ? letters : letters - name.length - 1,
      segmentCount: segmentIds.length,
      place: (ofSegment.get(id) ?? []).indexOf(place) + 1,
      count: ofSegment.get(id)?.length ?? 0,
      word: first === undefined ? 0 : wordIn(id, first),
      inFile: kind === 'lines-changed' ? (ofSegment.get(id) ?? []).map((one) => written.cues[one]?.lines ?? []) : [],
    };
    const known = found.get(id);
    const isWholeSegment = segmentIds.length === 1 && caption.count === 1;
    const { rows = [], ownRows } = plain.cues[place] ?? {};
    const half =
      ownRows !== undefined || isWholeSegment ? secondHalf(kind, ownRows ?? rows, transcript.language) : null;
    const split = half === null ? null : { segmentId: id, offset: offsetOf(id, half) };
    const problem = { kind, is, limit, caption, mend, split };
    if (known === undefined) found.set(id, [problem]);
    else known.push(problem);
  }
  return found;
}

function wordFinder(cuts: readonly TimeSpan[]) {
  const withoutCuts = timeWithoutCuts(cuts);
  // A word that is left out begins when the next one does.
  const isOf = (word: Word, text: string) => !isCut(word) && (!isRedacted(word) || text.includes(redactedText));
  return (words: readonly Word[], { text, startMs, saidMs = startMs }: CueWord): number =>
    Math.max(
      0,
      words.findIndex((word) => isOf(word, text) && withoutCuts(word.startMs) === saidMs),
    );
}

export function placeOfCaption(
  transcript: Transcript,
  { format, given, writing }: CaptionFile,
  cue: number,
): CaptionPlace | null {
  const checked = checkCaptions(exporters[format], transcript, given, writing);
  const [id] = checked?.written.cues[cue]?.segmentIds ?? [];
  const at = transcript.segments.findIndex((segment) => segment.id === id);
  const segment = transcript.segments[at];
  if (segment === undefined) return null;
  const [first] = checked?.plain.cues[cue]?.rows.flat() ?? [];
  const cuts = closesCuts(exporters[format], transcript, given) ? leftOut(transcript, given['redactedAudio']) : [];
  return placeAt(segment, at, first === undefined ? 0 : wordFinder(cuts)(segment.words, first));
}

export const textSpeed = ({ text, startMs, endMs }: Segment): number =>
  readingSpeedOf({ lines: text.split('\n'), startMs, endMs });

export interface CaptionPlace {
  readonly segment: number;
  readonly offset: number;
  readonly startMs: number;
}

const placeAt = (segment: Segment, at: number, word: number): CaptionPlace => ({
  segment: at,
  offset: wordLayout(segment).ranges[word]?.[0] ?? 0,
  startMs: word === 0 ? segment.startMs : (segment.words[word]?.startMs ?? segment.startMs),
});

export const problemPlaces = (
  segments: readonly Segment[],
  found: ReadonlyMap<string, readonly SegmentProblem[]>,
): readonly CaptionPlace[] =>
  segments.flatMap((segment, at) => {
    const first = [...new Set(found.get(segment.id)?.map(({ caption: { word } }) => word))].toSorted((a, b) => a - b);
    return first.map((word) => placeAt(segment, at, word));
  });

export function nextPlace(
  places: readonly CaptionPlace[],
  here: Pick<CaptionPlace, 'segment' | 'offset'>,
  by: 1 | -1,
): CaptionPlace | undefined {
  const isBeyond = ({ segment, offset }: CaptionPlace) =>
    (segment === here.segment ? offset - here.offset : segment - here.segment) * by > 0;
  return by > 0 ? (places.find(isBeyond) ?? places[0]) : (places.findLast(isBeyond) ?? places.at(-1));
}
