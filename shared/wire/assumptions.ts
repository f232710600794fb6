/**
 * Everything the service's document leaves open and this client assumes, one sentence each. Readers accept every usual
 * shape instead of one, so a wrong assumption costs a field, not an answer.
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
  'editor-body':
    'An edit is sent as `revision` (the number that was read) and `segments`; the answer holds the new revision under `revision` or `version`.',
  'model-entry':
    'A model has `id`, prices as numbers under names with `input` and `output`, and flags under `capabilities` as a list or as yes-and-no fields; credits for a US dollar stand beside the list.',
  'completion-body':
    'A completion holds its text in `choices[0].message.content`, its end in `finish_reason`, and counts in `usage`.',
  'completion-stream': 'A data event of a stream is JSON with the next piece of text in `choices[0].delta.content`.',
  'completion-parameters':
    'A stream is asked for by `stream: true`; `temperature` is called so, as in the tool server.',
  'request-status':
    'The state of a question is under `status` or `state`; credits are under names with `credit`, counts under `usage` or names with `tokens`.',
  'language-entry':
    'Languages are a list under `languages`, `data` or `items`, of codes or of objects with `code`, `language` or `id`.',
  'voice-entry':
    'Voices are a list under `voices`, `data` or `items`, of objects with `voice_id`, `name`, `language` or `languages`, `gender` and `kind`.',
  'generation-entry':
    'A generation has `id` or `generation_id`, `text`, `voice_id`, `language`, `status`, `created_at`, a length, characters, credits, and in its detail `audio_url`.',
  'pending-speech': 'A pending 202 may hold `generation_id` or `id` and a `status`; neither is needed to go on.',
  'speech-stream':
    'The live stream of speech talks as that of transcription does: `ready` from the service, then `start` with language, `voice_id` and speed, `text` and `commit` from us; sound comes as binary PCM, the end as `final`; a whole WAV is understood too. Other messages are skipped. Where the stream is not offered or not ready, the ordinary request takes its place.',
  'signed-address':
    'An address to download from is under `audio_url`, `download_url`, `url` or `audio.url`; its life is not told, so it is asked for just before use.',
  'isolation-upload':
    'An isolation is a form with `audio`, `title`, `speech_restoration` and `restoration_model`, as the tool server names them.',
  'isolation-batch':
    'A batch is one form in which `audio` is repeated, in order; the other fields hold for all, and the answer lists the jobs in that order under `jobs`, `isolations`, `data` or `items`.',
  'isolation-job':
    'A job has `id` or `isolation_id`, `title`, `status`, `audio_status`, `audio_url`, a length and credits; a failure says why in `error_code`.',
  'isolation-export':
    'An export is asked for by `{format}` and tells its state in `status`; the address comes with `completed` or `ready`.',
  'usage-entries': 'Entries of a series have a time or a product, and numbers by the names of the summary.',
  'webhook-paths':
    'One subscription is at `/v1/webhooks/{webhook_id}`: read by GET, changed by PATCH, ended by DELETE; the list is at `/v1/webhooks`.',
  'webhook-actions': 'A new secret and a test are POSTs to `rotate-secret` and `test` below the subscription.',
  'webhook-deliveries':
    'Deliveries are listed below their subscription, and one is sent again by a POST to `retry` below it.',
  'clone-challenge-path': 'The reading text is asked for by a POST to `challenge` below the enrolment.',
  'clone-state-path': 'An enrolment is read where it was created, by its identifier.',
  'clone-capabilities-path': 'What an account may clone is read at `capabilities` below the enrolments.',
  'clone-metadata-path': 'The data of a cloned voice is read and replaced at `/v1/voices/{voice_id}`.',
  'clone-delete-path': 'A cloned voice is deleted at `/v1/voices/{voice_id}`.',
  'verify-field': 'The fresh recording is sent in the field `audio`, as the reference is.',
  'legacy-repeats':
    'The legacy creations take no idempotency key, so after a lost answer their list is looked at before anything is sent again.',
  'legacy-page': 'A page of the legacy lists is under `results`, `items` or `data`, with `count` or `total` beside it.',
  'legacy-call-numbers':
    'The fields of the gRPC messages are numbered in the order in which the document names them; the service has no package.',
  'denied-read':
    'A key without a permission is answered 403 `insufficient_scope` on the free read of that product; a 404 there means the product is not offered.',
} as const satisfies Readonly<Record<string, string>>;

export type AssumptionName = keyof typeof assumptions;
