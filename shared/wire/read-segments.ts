import { asArray, asFilledText, asText, isJsonObject, pick, pickFrom, type JsonObject } from './values.ts';
import { readSpan, type RawSpan } from './time-units.ts';

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
