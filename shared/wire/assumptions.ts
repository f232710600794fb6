/**
 * Everything the service's document leaves open and this client assumes, in a sentence each. Readers accept every usual
 * shape instead of one, so an assumption that turns out wrong costs a field, not an answer.
 */
export const assumptions = {
  'transcription-body':
    'The answer to an upload and the detail of a transcription hold their fields at the top, under `data`, or under a named object, at most three levels down.',
  'transcription-id':
    'The identifier is called `transcription_id`, `transcriptionId`, `id` or `uuid`; a job or task id is used only when there is nothing else.',
  'transcription-status':
    'The state is called `status` or `state`; besides queued, completed and failed, words of the same meaning are understood, and any other word means not finished.',
  'transcript-fields':
    'The text is called `text`, `transcript`, `transcription` or `result.text`; segments are called `segments`, `utterances`, `chunks`, `diarization` or `results`; words stand inside them or beside them.',
  'time-units':
    'Times whose names end in `_ms` are milliseconds; clocks are clocks; bare numbers are seconds or milliseconds for the whole body, whichever fits the length of the recording and the pace of speech better.',
  'speaker-labels':
    'A speaker is a text, a number or an object with a name under `speaker`, `speaker_label` or `speaker_id`.',
  'history-body':
    'A page of the history is a list under `data`, `items`, `transcriptions` or `results` with `next_cursor` (or a usual relative of it) beside it; no cursor means the end.',
  'failure-reason': 'A failed transcription may say why in `error_code` or `error.code`.',
  'change-answers': 'Renaming and deleting answer with any 2xx; their bodies are not needed.',
  'export-body': 'An export is the file itself as UTF-8 text.',
  'denied-read':
    'A key without a permission is answered 403 `insufficient_scope` on the free read of that product; a 404 there means the product is not offered.',
} as const satisfies Readonly<Record<string, string>>;

export type AssumptionName = keyof typeof assumptions;
