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
