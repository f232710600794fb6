import type { StoredSegment, TranscriptionRecord } from '../state/records.ts';
import type { ShapeVariant } from './shape-variants.ts';

type Fields = Record<string, unknown>;

/** A detail contains more of a record than a list item. */
export type View = 'detail' | 'item';

const times = (shape: ShapeVariant, startMs: number, endMs: number): Fields =>
  shape.times === 'ms' ? { start_ms: startMs, end_ms: endMs } : { start: startMs / 1000, end: endMs / 1000 };

const timesIfAny = (shape: ShapeVariant, startMs?: number, endMs?: number): Fields =>
  startMs === undefined || endMs === undefined ? {} : times(shape, startMs, endMs);

const strange = (shape: ShapeVariant, at: number): Fields =>
  shape.hasUnknownFields ? { confidence: 0.9, x_trace: { hop: at }, tags: [], language_probability: null } : {};

const speakerOf = (shape: ShapeVariant, segment: StoredSegment): Fields =>
  segment.speaker === undefined ? {} : { [shape.speakerField]: segment.speaker };

function wordsOf(shape: ShapeVariant, segment: StoredSegment): Fields[] {
  return segment.words.map((word, ordinal) => ({
    ordinal,
    ...timesIfAny(shape, word.startMs, word.endMs),
    [shape.wordField]: word.text,
    ...strange(shape, ordinal),
  }));
}

function content(record: TranscriptionRecord, shape: ShapeVariant): Fields {
  const text = record.segments.map((segment) => segment.text).join('\n');
  const segments = record.segments.map((segment, ordinal) => ({
    ordinal,
    ...times(shape, segment.startMs, segment.endMs),
    text: segment.text,
    ...speakerOf(shape, segment),
    ...(shape.words === 'inside' ? { words: wordsOf(shape, segment) } : {}),
    ...strange(shape, ordinal),
  }));
  const beside =
    shape.words === 'beside'
      ? {
          words: record.segments.flatMap((segment) =>
            wordsOf(shape, segment).map((word) => ({ ...word, ...speakerOf(shape, segment) })),
          ),
        }
      : {};
  return {
    ...(shape.textField === 'result.text' ? { result: { text } } : { [shape.textField]: text }),
    segments,
    ...beside,
  };
}

function fieldsOf(record: TranscriptionRecord, shape: ShapeVariant, view: View): Fields {
  const duration = record.durationMs;
  return {
    [shape.idField]: record.id,
    status: record.status,
    title: record.title,
    language: record.language,
    include_speakers: record.includeSpeakers,
    ...(duration === null ? {} : shape.times === 'ms' ? { duration_ms: duration } : { duration: duration / 1000 }),
    revision: record.revision,
    created_at: new Date(record.createdAtMs).toISOString(),
    updated_at: new Date(record.updatedAtMs).toISOString(),
    ...(record.errorCode === null ? {} : { error: { code: record.errorCode } }),
    ...(view === 'detail' && record.status === 'completed' ? content(record, shape) : {}),
    ...strange(shape, 0),
  };
}

/** One transcription as a body in the given shape. */
export function writeTranscription(record: TranscriptionRecord, shape: ShapeVariant): Fields {
  const fields = fieldsOf(record, shape, 'detail');
  return shape.envelope === 'top' ? fields : { [shape.envelope]: fields };
}

/** A page of transcriptions; the cursor is next to the items, or under `data` with them. */
export function writePage(
  records: readonly TranscriptionRecord[],
  nextCursor: string | null,
  shape: ShapeVariant,
): Fields {
  const items = records.map((record) => fieldsOf(record, shape, 'item'));
  const more = { has_more: nextCursor !== null, next_cursor: nextCursor };
  switch (shape.envelope) {
    case 'top':
      return { data: items, ...more };
    case 'data':
      return { data: { transcriptions: items, ...more } };
    case 'transcription':
      return { transcriptions: items, ...more };
  }
}
