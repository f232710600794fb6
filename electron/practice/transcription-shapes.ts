import { wire } from './state.ts';
import type { StoredSegment, Transcription } from './transcriptions.ts';

/**
 * Contract 4.6 shows no body of a transcription, so a client has to read every usual shape. Each variant is one way in
 * which a service could write the same facts; the server writes them all from this data.
 */
export interface ShapeVariant {
  /** Where the fields are: at the top, under `data`, or under an object that is named after them. */
  readonly envelope: 'top' | 'data' | 'transcription';
  readonly idField: 'id' | 'transcription_id';
  readonly textField: 'text' | 'transcript' | 'result.text';
  /** `start_ms`, `end_ms`, `duration_ms` as integers, or `start`, `end`, `duration` in seconds. */
  readonly times: 'ms' | 'seconds';
  readonly words: 'inside' | 'beside';
  readonly wordField: 'text' | 'word';
  readonly speakerField: 'speaker' | 'speaker_label' | 'speaker_id';
  readonly hasUnknownFields: boolean;
}

const plain: ShapeVariant = {
  envelope: 'top',
  idField: 'id',
  textField: 'text',
  times: 'ms',
  words: 'inside',
  wordField: 'text',
  speakerField: 'speaker',
  hasUnknownFields: false,
};

export const shapeVariants = {
  plain,
  'under-data': { ...plain, envelope: 'data' },
  'under-name': { ...plain, envelope: 'transcription' },
  'long-id': { ...plain, idField: 'transcription_id' },
  transcript: { ...plain, textField: 'transcript' },
  'nested-text': { ...plain, textField: 'result.text' },
  seconds: { ...plain, times: 'seconds' },
  'words-beside': { ...plain, words: 'beside', wordField: 'word' },
  'speaker-label': { ...plain, speakerField: 'speaker_label' },
  'speaker-id': { ...plain, speakerField: 'speaker_id' },
  'unknown-fields': { ...plain, hasUnknownFields: true },
  'all-different': {
    envelope: 'data',
    idField: 'transcription_id',
    textField: 'result.text',
    times: 'seconds',
    words: 'beside',
    wordField: 'word',
    speakerField: 'speaker_id',
    hasUnknownFields: true,
  },
} as const satisfies Readonly<Record<string, ShapeVariant>>;

export type ShapeName = keyof typeof shapeVariants;
export const shapeNames = Object.keys(shapeVariants) as [ShapeName, ...ShapeName[]];

type Fields = Record<string, unknown>;

const times = (shape: ShapeVariant, startMs?: number, endMs?: number): Fields => {
  if (startMs === undefined || endMs === undefined) return {};
  return shape.times === 'ms' ? { start_ms: startMs, end_ms: endMs } : { start: startMs / 1000, end: endMs / 1000 };
};

const strange = (shape: ShapeVariant, at: number): Fields =>
  shape.hasUnknownFields ? { confidence: 0.9, x_trace: { hop: at }, tags: [], language_probability: null } : {};

const speakerOf = (shape: ShapeVariant, segment: StoredSegment): Fields =>
  segment.speaker === undefined ? {} : { [shape.speakerField]: segment.speaker };

function wordsOf(shape: ShapeVariant, segment: StoredSegment): Fields[] {
  return segment.words.map((word, ordinal) => ({
    ordinal,
    ...times(shape, word.startMs, word.endMs),
    [shape.wordField]: word.text,
    ...strange(shape, ordinal),
  }));
}

function content(stored: readonly StoredSegment[], shape: ShapeVariant): Fields {
  const text = stored.map((segment) => segment.text).join('\n');
  const segments = stored.map((segment, ordinal) => ({
    ordinal,
    ...times(shape, segment.startMs, segment.endMs),
    text: segment.text,
    ...speakerOf(shape, segment),
    ...(shape.words === 'inside' ? { words: wordsOf(shape, segment) } : {}),
    ...strange(shape, ordinal),
  }));
  const words = stored.flatMap((segment) =>
    wordsOf(shape, segment).map((word) => ({ ...word, ...speakerOf(shape, segment) })),
  );
  return {
    ...(shape.textField === 'result.text' ? { result: { text } } : { [shape.textField]: text }),
    segments,
    ...(shape.words === 'beside' ? { words } : {}),
  };
}

function fieldsOf(record: Transcription, shape: ShapeVariant): Fields {
  const { seq: _seq, id, durationMs, errorCode, audioSha256: _sha256, model: _model, ...shown } = record;
  return {
    [shape.idField]: id,
    ...wire(shown),
    ...(durationMs === null
      ? {}
      : shape.times === 'ms'
        ? { duration_ms: durationMs }
        : { duration: durationMs / 1000 }),
    ...(errorCode === null ? {} : { error: { code: errorCode } }),
    ...strange(shape, 0),
  };
}

export function writeTranscription(
  record: Transcription,
  segments: readonly StoredSegment[],
  shape: ShapeVariant,
): Fields {
  const words = record.status === 'completed' ? content(segments, shape) : {};
  const fields = { ...fieldsOf(record, shape), ...words };
  return shape.envelope === 'top' ? fields : { [shape.envelope]: fields };
}

/** A page of transcriptions; the cursor is next to the items, or under `data` with them. */
export function writePage(records: readonly Transcription[], nextCursor: string | null, shape: ShapeVariant): Fields {
  const items = records.map((record) => fieldsOf(record, shape));
  const more = { has_more: nextCursor !== null, next_cursor: nextCursor };
  if (shape.envelope === 'top') return { data: items, ...more };
  const page = { transcriptions: items, ...more };
  return shape.envelope === 'data' ? { data: page } : page;
}
