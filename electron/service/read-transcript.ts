import { asText, pick, type JsonObject, asArray, asFilledText, isJsonObject, pickFrom } from './values.ts';
import type { ReceivedSegment, ReceivedTranscript, ReceivedWord } from '../../shared/domain/transcript/received.ts';

/** Milliseconds in one unit of a bare number. */
export type BareUnit = 1000 | 1;

/** The units in one body: of its times, and of the length of the recording. */
export interface TimeUnits {
  readonly times: BareUnit;
  readonly duration: BareUnit;
}

/** What the choice rests on. */
export interface UnitEvidence {
  readonly spans: readonly { readonly span: RawSpan; readonly characters: number }[];
  readonly duration: RawTime | undefined;
}

/** Approximate number of characters spoken per second. */
const usualPace = 14;
const units: readonly BareUnit[] = [1000, 1];

/**
 * Decides whether bare numbers are seconds or milliseconds, once for the whole body. A name that ends in `_ms` (or a
 * clock, or a unit next to the number) is unambiguous and helps to decide the others. Each interpretation of the bare
 * numbers is judged by three questions, and the more plausible one wins; a tie is seconds: 1. does the last time lie
 * within the length of the recording, and near it? 2. is the pace of speech a human one (about 14 characters a second
 * of speech)? 3. would milliseconds have fractions, or would the length of a recording be some milliseconds?
 */
export function decideUnits(evidence: UnitEvidence): TimeUnits {
  let best: { readonly units: TimeUnits; readonly doubt: number } | null = null;
  for (const times of units) {
    const measured = measure(evidence, times);
    for (const duration of units) {
      const doubt = doubtOf(evidence, measured, { times, duration });
      if (best === null || doubt < best.doubt - 1e-9) best = { units: { times, duration }, doubt };
    }
  }
  return best?.units ?? { times: 1000, duration: 1000 };
}

function doubtOf(
  evidence: UnitEvidence,
  { lastMs, spokenMs, characters, hasBareFraction }: Measured,
  choice: TimeUnits,
): number {
  const statedMs = evidence.duration === undefined ? undefined : toMs(evidence.duration, choice.duration);
  let doubt = 0;
  if (statedMs !== undefined && statedMs > 0 && lastMs > 0) doubt += lengthDoubt(lastMs, statedMs);
  if (spokenMs > 0 && characters > 0) doubt += Math.abs(Math.log((characters * 1000) / spokenMs / usualPace)) / 2;
  else if (lastMs === 0 && statedMs !== undefined && characters > 0) {
    doubt += Math.abs(Math.log((characters * 1000) / Math.max(1, statedMs) / usualPace)) / 2;
  }
  if (hasBareFraction && choice.times === 1) doubt += 3;
  const isBareDuration = evidence.duration?.unit === 'bare';
  if (isBareDuration && choice.duration === 1 && !Number.isInteger(evidence.duration?.value)) doubt += 3;
  return doubt;
}

/** Speech may end early, so a last time before the end costs little; one after the end costs a lot. */
function lengthDoubt(lastMs: number, lengthMs: number): number {
  const ratio = Math.log(lastMs / lengthMs);
  return ratio > 0.1 ? 2 * ratio : Math.max(0, -ratio - 0.5) / 2;
}

interface Measured {
  readonly lastMs: number;
  readonly spokenMs: number;
  readonly characters: number;
  readonly hasBareFraction: boolean;
}

function measure(evidence: UnitEvidence, unit: BareUnit): Measured {
  const total = { lastMs: 0, spokenMs: 0, characters: 0, hasBareFraction: false };
  for (const { span, characters } of evidence.spans) {
    const { startMs, endMs } = spanToMs(span, unit);
    total.lastMs = Math.max(total.lastMs, endMs ?? startMs ?? 0);
    if (characters > 0 && startMs !== undefined && endMs !== undefined && endMs > startMs) {
      total.spokenMs += endMs - startMs;
      total.characters += characters;
    }
    total.hasBareFraction ||= isBareFraction(span.start) || isBareFraction(span.end) || isBareFraction(span.length);
  }
  if (total.characters === 0) total.characters = evidence.spans.reduce((sum, { characters }) => sum + characters, 0);
  return total;
}

const isBareFraction = (time: RawTime | undefined): boolean => time?.unit === 'bare' && !Number.isInteger(time.value);

/** A time in integer milliseconds. */
export function toMs(time: RawTime, bare: BareUnit): number {
  const factor = time.unit === 'ms' ? 1 : time.unit === 's' ? 1000 : bare;
  return Math.round(time.value * factor);
}

/** A span in integer milliseconds; an end before its start is missing. */
export function spanToMs(span: RawSpan, bare: BareUnit): { startMs?: number; endMs?: number } {
  const startMs = span.start === undefined ? undefined : toMs(span.start, bare);
  const stated = span.end === undefined ? undefined : toMs(span.end, bare);
  const endMs =
    stated ?? (span.length === undefined || startMs === undefined ? undefined : startMs + toMs(span.length, bare));
  return {
    ...(startMs === undefined ? {} : { startMs }),
    ...(endMs === undefined || (startMs !== undefined && endMs < startMs) ? {} : { endMs }),
  };
}

/** A time as written. `bare`: a number whose name does not reveal its unit. */
export interface RawTime {
  readonly value: number;
  readonly unit: 'ms' | 's' | 'bare';
}

/** Begin and end, as far as given. */
export interface RawSpan {
  readonly start?: RawTime;
  readonly end?: RawTime;
  readonly length?: RawTime;
}

/**
 * The names of one time with their units, in order of precedence. Looked up by the keys of an object, which are few,
 * because a long recording has a hundred thousand spans.
 */
type TimeNames = ReadonlyMap<string, { readonly rank: number; readonly unit: RawTime['unit'] }>;
function timeNames(...bare: readonly string[]): TimeNames {
  const units: readonly (readonly [RawTime['unit'], readonly string[]])[] = [
    ['ms', bare.flatMap((name) => [`${name}_ms`, `${name}Ms`])],
    ['s', bare.flatMap((name) => [`${name}_s`, `${name}_sec`, `${name}_seconds`, `${name}Seconds`])],
    ['bare', bare],
  ];
  const names = units.flatMap(([unit, list]) => list.map((name) => ({ name, unit })));
  return new Map(names.map(({ name, unit }, rank) => [name, { rank, unit }]));
}
const startNames = timeNames('start', 'start_time', 'startTime', 'begin', 'from', 'offset');
const endNames = timeNames('end', 'end_time', 'endTime', 'stop', 'to');
const lengthNames = timeNames('duration', 'length');
const durationNames = timeNames('duration', 'audio_duration', 'audioDuration', 'total_duration', 'length');
const pairNames = ['timestamp', 'timestamps'];

/** Reads the times of a segment or a word under every usual name; anything else is missing. */
export function readSpan(source: JsonObject): RawSpan {
  const pair = pick(source, pairNames, asPair);
  const start = readTime(source, startNames) ?? pair?.[0];
  const end = readTime(source, endNames) ?? pair?.[1];
  const length = end === undefined ? readTime(source, lengthNames) : undefined;
  return {
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(length === undefined ? {} : { length }),
  };
}

/** The length of the whole recording. */
export const readDuration = (sources: readonly JsonObject[]): RawTime | undefined =>
  sources.map((source) => readTime(source, durationNames)).find((found) => found !== undefined);

function readTime(source: JsonObject, names: TimeNames): RawTime | undefined {
  let found: RawTime | undefined;
  let foundRank = Infinity;
  for (const key of Object.keys(source)) {
    const known = names.get(key);
    if (known === undefined || known.rank > foundRank) continue;
    const time = known.unit === 'bare' ? asTime(source[key]) : numeric(source[key], known.unit);
    if (time === undefined) continue;
    found = time;
    foundRank = known.rank;
  }
  return found;
}

function asPair(value: unknown): readonly [RawTime | undefined, RawTime | undefined] | undefined {
  return Array.isArray(value) && value.length === 2 ? [asTime(value[0]), asTime(value[1])] : undefined;
}

/** A bare number, a number with its unit ("1.5s", "1500ms"), or a clock ("00:00:01.500", "1:02,5"). */
function asTime(value: unknown): RawTime | undefined {
  if (typeof value === 'number') return numeric(value, 'bare');
  const text = asText(value)?.trim() ?? '';
  const clock = /^(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,9})?)$/u.exec(text);
  if (clock) {
    const seconds = Number((clock[3] ?? '0').replace(',', '.'));
    return numeric(Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + seconds, 's');
  }
  const measured = /^(\d{1,12}(?:\.\d{1,9})?)\s*(ms|s)?$/u.exec(text);
  return measured
    ? numeric(Number(measured[1]), measured[2] === 'ms' ? 'ms' : measured[2] === 's' ? 's' : 'bare')
    : undefined;
}

/** Finite and not negative, below a year; otherwise missing. */
function numeric(value: unknown, unit: RawTime['unit']): RawTime | undefined {
  const number = typeof value === 'string' && /^\d+(?:\.\d+)?$/u.test(value.trim()) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0 || number > 31_536_000_000) return undefined;
  return { value: number, unit };
}

/** A word, a segment or a turn of a speaker before the units of its times are decided. */
export interface RawWord {
  readonly text: string;
  readonly span: RawSpan;
  readonly speaker?: string;
}

export interface RawSegment extends RawWord {
  readonly words: readonly RawWord[];
}

/** The parts of a transcript found in a body, in the given order. */
export interface RawTranscript {
  readonly segments: readonly RawSegment[];
  /** Words that are next to the segments, not in them. */
  readonly looseWords: readonly RawWord[];
  /** Who spoke when, without text. */
  readonly turns: readonly RawWord[];
}

const segmentNames = [
  'segments',
  'utterances',
  'chunks',
  'diarization',
  'results',
  'transcript',
  'transcription',
  'sentences',
  'paragraphs',
  'phrases',
];
const wordNames = ['words', 'word_timestamps', 'wordTimestamps'];
const segmentTextNames = ['text', 'transcript', 'content', 'sentence'];
const wordTextNames = ['punctuated_word', 'text', 'word', 'token', 'value'];
const speakerNames = ['speaker', 'speaker_label', 'speaker_id', 'speakerLabel', 'speakerId', 'speaker_name'];
/** More than this can't be the speech of one recording; the rest stays in the raw answer. */
const mostItems = 2_000_000;

/** Finds segments, words and speaker turns under every usual name. */
export function readSegments(sources: readonly JsonObject[]): RawTranscript {
  const lists = sources.flatMap((source) =>
    segmentNames
      .map((name) => (Object.hasOwn(source, name) ? asArray(source[name]) : undefined))
      .filter((list) => list !== undefined)
      .map((list) => list.slice(0, mostItems).filter(isJsonObject).map(readSegment)),
  );
  const spoken = lists.map((list) => list.filter((segment) => segment.text !== '' || segment.words.length > 0));
  const segments = spoken.find((list) => list.length > 0) ?? [];
  const spokenOnes = new Set(segments);
  const turns = lists.flat().filter((segment) => segment.speaker !== undefined && !spokenOnes.has(segment));
  const looseWords = pickFrom(sources, wordNames, (value) => readWords(value)) ?? [];
  return { segments, looseWords, turns };
}

function readSegment(item: JsonObject): RawSegment {
  const alternative = pick(item, ['alternatives'], asArray)?.[0];
  const sources = isJsonObject(alternative) ? [item, alternative] : [item];
  const speaker = readSpeaker(item);
  return {
    text: pickFrom(sources, segmentTextNames, asFilledText) ?? '',
    span: readSpan(item),
    words: pickFrom(sources, wordNames, (value) => readWords(value)) ?? [],
    ...(speaker === undefined ? {} : { speaker }),
  };
}

function readWords(value: unknown): readonly RawWord[] | undefined {
  const words = asArray(value)
    ?.slice(0, mostItems)
    .map((item) => (isJsonObject(item) ? readWord(item) : { text: asText(item)?.trim() ?? '', span: {} }))
    .filter((word) => word.text !== '');
  return words === undefined || words.length === 0 ? undefined : words;
}

function readWord(item: JsonObject): RawWord {
  const speaker = readSpeaker(item);
  return {
    text: pick(item, wordTextNames, asFilledText) ?? '',
    span: readSpan(item),
    ...(speaker === undefined ? {} : { speaker }),
  };
}

/** A label of a speaker: text, a number, or an object with a name. */
function readSpeaker(item: JsonObject): string | undefined {
  return pick(item, speakerNames, (value) => {
    const label = isJsonObject(value) ? pick(value, ['name', 'label', 'id', 'speaker_id'], asLabel) : asLabel(value);
    return label?.slice(0, 80);
  });
}

const asLabel = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : asFilledText(value);

const textNames = ['text', 'transcript', 'transcription', 'full_text', 'fullText'];

interface PlacedWord extends ReceivedWord {
  readonly speaker?: string;
}

/**
 * Finds a transcript in the objects of a body, whatever usual shape it has (assumptions: transcript-fields). Null when
 * there is neither text nor segments. `acceptsSilence`: an empty text is an answer too (nobody spoke).
 */
export function readTranscript(sources: readonly JsonObject[], acceptsSilence: boolean): ReceivedTranscript | null {
  const raw = readSegments(sources);
  const statedText = pickFrom(sources, textNames, asFilledText);
  const isSilent = acceptsSilence && pickFrom(sources, textNames, asText) !== undefined;
  if (raw.segments.length === 0 && raw.looseWords.length === 0 && statedText === undefined && !isSilent) return null;

  const duration = readDuration(sources);
  const units = decideUnits({ spans: evidenceOf(raw, statedText), duration });
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

/**
 * Makes a look-up of the speaker between two times (milliseconds): the one whose turn overlaps them the longest,
 * undefined without any.
 */
export function findSpeakers(
  raw: readonly RawWord[],
  unit: BareUnit,
): (startMs: number, endMs: number) => string | undefined {
  const turns = raw.flatMap(({ span, speaker }) =>
    speaker === undefined ? [] : [{ speaker, ...spanToMs(span, unit) }],
  );
  return (fromMs, toMs) => {
    let best: string | undefined;
    let longest = 0;
    for (const { speaker, startMs = 0, endMs = 0 } of turns) {
      const overlap = Math.min(endMs, toMs) - Math.max(startMs, fromMs);
      if (overlap > longest) [best, longest] = [speaker, overlap];
    }
    return best;
  };
}
