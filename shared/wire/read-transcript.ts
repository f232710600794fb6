import type { ReceivedSegment, ReceivedTranscript, ReceivedWord } from '../domain/transcript/received.ts';
import { asFilledText, asText, pickFrom, type JsonObject } from './values.ts';
import { readDuration, decideUnits, spanToMs, toMs, type RawTime, type BareUnit } from './time-units.ts';
import { readSegments, type RawSegment, type RawTranscript, type RawWord } from './read-segments.ts';

const textNames = ['text', 'transcript', 'transcription', 'full_text', 'fullText'];

interface PlacedWord extends ReceivedWord {
  readonly speaker?: string;
}

/**
 * Finds a transcript in the objects of a body, whatever usual shape it has (assumptions: transcript-fields). Null when
 * there is neither text nor segments. `acceptsSilence`: an empty text is an answer too (nobody spoke).
 */
export function readTranscript(
  sources: readonly JsonObject[],
  acceptsSilence: boolean,
  knownDurationMs?: number,
): ReceivedTranscript | null {
  const raw = readSegments(sources);
  const statedText = pickFrom(sources, textNames, asFilledText);
  const isSilent = acceptsSilence && pickFrom(sources, textNames, asText) !== undefined;
  if (raw.segments.length === 0 && raw.looseWords.length === 0 && statedText === undefined && !isSilent) return null;

  const duration = pickDuration(sources);
  const units = decideUnits({ spans: evidenceOf(raw, statedText), duration, knownDurationMs });
  const segments = placeSegments(raw, units.times);
  const title = pickFrom(sources, ['title'], asFilledText);
  const language = pickFrom(sources, ['language', 'language_code', 'lang', 'detected_language'], asFilledText);
  return {
    text: statedText ?? segments.map((segment) => segment.text).join('\n'),
    segments,
    ...(title === undefined ? {} : { title }),
    ...(language === undefined ? {} : { language }),
    ...(duration === undefined ? {} : { durationMs: toMs(duration, units.duration) }),
  };
}

function pickDuration(sources: readonly JsonObject[]): RawTime | undefined {
  for (const source of sources) {
    const found = readDuration(source);
    if (found !== undefined) return found;
  }
  return undefined;
}

function evidenceOf(
  { segments, looseWords, turns }: RawTranscript,
  text: string | undefined,
): readonly { readonly span: RawWord['span']; readonly characters: number }[] {
  const items = [...segments, ...segments.flatMap((segment) => segment.words), ...looseWords, ...turns];
  if (items.length === 0) return [{ span: {}, characters: text?.length ?? 0 }];
  return items.map(({ span, text: words }) => ({ span, characters: words.length }));
}

function placeSegments(raw: RawTranscript, unit: BareUnit): readonly ReceivedSegment[] {
  const looseWords = raw.looseWords.map((word) => placeWord(word, unit));
  if (raw.segments.length === 0) return groupWords(looseWords);

  const segments = raw.segments.map((segment) => placeSegment(segment, unit));
  const hasOwnWords = segments.some((segment) => segment.words.length > 0);
  const withWords = hasOwnWords ? segments : shareWords(segments, looseWords);
  const isSpeakerKnown = withWords.some((segment) => segment.speaker !== undefined);
  if (isSpeakerKnown || raw.turns.length === 0) return withWords;
  const speakerAt = findSpeakers(raw.turns, unit);
  return withWords.map((segment) => {
    const speaker = speakerAt(segment.startMs ?? 0, segment.endMs ?? 0);
    return speaker === undefined ? segment : { ...segment, speaker };
  });
}

function placeWord(word: RawWord, unit: BareUnit): PlacedWord {
  return {
    text: word.text,
    ...spanToMs(word.span, unit),
    ...(word.speaker === undefined ? {} : { speaker: word.speaker }),
  };
}

function placeSegment(segment: RawSegment, unit: BareUnit): ReceivedSegment {
  const words = segment.words.map((word) => placeWord(word, unit));
  const speaker = segment.speaker ?? words.find((word) => word.speaker !== undefined)?.speaker;
  return {
    text: segment.text === '' ? words.map((word) => word.text).join(' ') : segment.text,
    ...spanToMs(segment.span, unit),
    ...(speaker === undefined ? {} : { speaker }),
    words: words.map(withoutSpeaker),
  };
}

function withoutSpeaker({ text, startMs, endMs }: PlacedWord): ReceivedWord {
  return { text, ...(startMs === undefined ? {} : { startMs }), ...(endMs === undefined ? {} : { endMs }) };
}

/** Assigns each loose word to the segment that contains its middle, or to the nearest. */
function shareWords(segments: readonly ReceivedSegment[], words: readonly PlacedWord[]): readonly ReceivedSegment[] {
  const shares = segments.map((): PlacedWord[] => []);
  const timed = segments
    .map((segment, at) => ({ at, startMs: segment.startMs ?? -1, endMs: segment.endMs ?? segment.startMs ?? -1 }))
    .filter(({ startMs }) => startMs >= 0)
    .toSorted((a, b) => a.startMs - b.startMs);
  let from = 0;
  for (const word of words.filter(({ startMs }) => startMs !== undefined)) {
    const middle = ((word.startMs ?? 0) + (word.endMs ?? word.startMs ?? 0)) / 2;
    while (from + 1 < timed.length && (timed[from + 1]?.startMs ?? Infinity) <= middle) from += 1;
    while (from > 0 && (timed[from]?.startMs ?? 0) > middle) from -= 1;
    const here = timed[from];
    const next = timed[from + 1];
    if (here === undefined) break;
    const isNearerToNext = next !== undefined && middle > here.endMs && next.startMs - middle < middle - here.endMs;
    shares[isNearerToNext ? next.at : here.at]?.push(word);
  }
  return segments.map((segment, at) => {
    const share = shares[at] ?? [];
    const speaker = segment.speaker ?? share.find((word) => word.speaker !== undefined)?.speaker;
    return { ...segment, words: share.map(withoutSpeaker), ...(speaker === undefined ? {} : { speaker }) };
  });
}

const longPauseMs = 800;
const mostWords = 60;

/** Groups words into segments: a new one with each speaker, after a sentence and a pause, or when it grows too long. */
function groupWords(words: readonly PlacedWord[]): readonly ReceivedSegment[] {
  const groups: PlacedWord[][] = [];
  for (const word of words) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group === undefined || last === undefined || isNewGroup(last, word, group.length)) groups.push([word]);
    else group.push(word);
  }
  return groups.map((group) => {
    const startMs = group[0]?.startMs;
    const endMs = group.at(-1)?.endMs;
    const speaker = group[0]?.speaker;
    return {
      text: group.map((word) => word.text).join(' '),
      ...(startMs === undefined ? {} : { startMs }),
      ...(endMs === undefined || (startMs !== undefined && endMs < startMs) ? {} : { endMs }),
      ...(speaker === undefined ? {} : { speaker }),
      words: group.map(withoutSpeaker),
    };
  });
}

function isNewGroup(last: PlacedWord, next: PlacedWord, size: number): boolean {
  if (last.speaker !== next.speaker || size >= mostWords) return true;
  const pause = (next.startMs ?? 0) - (last.endMs ?? next.startMs ?? 0);
  return pause >= longPauseMs && (/[.!?…]["»”]?$/u.test(last.text) || pause >= 3 * longPauseMs);
}

interface Turn {
  readonly speaker: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Index in the original list: of two equal overlaps the first counts. */
  readonly at: number;
}

/**
 * Makes a look-up of the speaker between two times (milliseconds): the one whose turn overlaps them the longest,
 * undefined without any. Turns are kept as a balanced tree by start in which every branch knows its last end, so that
 * only overlapping turns are visited: a long recording has ten thousand segments and as many turns.
 */
export function findSpeakers(
  raw: readonly RawWord[],
  unit: BareUnit,
): (startMs: number, endMs: number) => string | undefined {
  const turns = raw
    .flatMap(({ span, speaker }, at): Turn[] => {
      const { startMs = 0, endMs = 0 } = spanToMs(span, unit);
      return speaker === undefined || endMs <= startMs ? [] : [{ speaker, startMs, endMs, at }];
    })
    .toSorted((a, b) => a.startMs - b.startMs);
  const lastEnds = lastEndsOf(turns);

  return (startMs, endMs) => {
    let best: Turn | null = null;
    let longest = 0;
    const look = (from: number, to: number): void => {
      const middle = (from + to) >> 1;
      const turn = turns[middle];
      if (from >= to || turn === undefined || (lastEnds[middle] ?? 0) <= startMs) return;
      look(from, middle);
      const overlap = Math.min(turn.endMs, endMs) - Math.max(turn.startMs, startMs);
      if (overlap > longest || (overlap === longest && best !== null && turn.at < best.at)) {
        best = turn;
        longest = overlap;
      }
      if (turn.startMs < endMs) look(middle + 1, to);
    };
    look(0, turns.length);
    return (best as Turn | null)?.speaker;
  };
}

/** For the middle of every branch the latest end in it. */
function lastEndsOf(turns: readonly Turn[]): Float64Array {
  const ends = new Float64Array(turns.length);
  const fill = (from: number, to: number): number => {
    if (from >= to) return 0;
    const middle = (from + to) >> 1;
    const last = Math.max(turns[middle]?.endMs ?? 0, fill(from, middle), fill(middle + 1, to));
    ends[middle] = last;
    return last;
  };
  fill(0, turns.length);
  return ends;
}
