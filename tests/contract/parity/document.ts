import { rows, type DocumentRow } from './document-row.ts';
import { routes } from './document-routes.ts';

const states = [
  ...rows('state', '3.1', `api-key: enabled\napi-key: disabled\napi-key: revoked\napi-key: removed`),
  ...rows('state', '3.2', `webhook: enabled\nwebhook: disabled`),
  ...rows(
    'state',
    '3.3',
    `delivery: pending
     delivery: delivering
     delivery: retrying
     delivery: succeeded
     delivery: failed
     delivery: canceled`,
  ),
  ...rows(
    'state',
    '3.4',
    `enrollment: transcript_review
     enrollment: details_pending
     enrollment: verification_pending
     enrollment: ready
     verification: not_started
     verification: passed`,
  ),
  ...rows('state', '3.5', `legacy-task: PENDING\nlegacy-task: SUCCESS\nlegacy-task: FAILED`),
  ...rows('state', '3.6', `transcription: queued\ntranscription: completed\ntranscription: failed`),
  ...rows('state', '3.7', `isolation-audio: completed`),
  ...rows('state', '3.8', `dictation: connected\ndictation: ready\ndictation: started`),
];

const codes = [
  ...rows(
    'code',
    '7',
    `403 insufficient_scope
     400 invalid_json
     400 validation_error
     400 invalid_pagination
     401 session_expired
     403 origin_forbidden
     404 not_found
     409 api_key_in_use
     500 internal_error
     503 auth_unavailable
     503 service_unavailable
     400 invalid_analytics_window
     400 invalid_cursor
     400 invalid_filter
     503 analytics_unavailable
     402 insufficient_credits
     402 api_key_credit_limit
     409 duplicate_idempotency_key
     409 llm_usage_pending
     413 file_too_large
     415 unsupported_media_type
     422 validation_error
     422 unsupported_attachment
     422 invalid_attachment
     422 attachment_unavailable
     429 attachment_quota_exceeded
     503 chat_unavailable
     404 webhook_not_found
     409 webhook_limit_reached
     409 webhook_revision_conflict
     409 webhook_delivery_not_retryable
     503 webhooks_unavailable
     401 invalid_api_key
     402 voice_clone_subscription_required
     400 invalid_multipart
     413 audio_too_large
     404 voice_clone_not_found
     409 voice_clone_invalid_state
     409 voice_limit_reached
     410 voice_clone_challenge_expired
     422 validation_failed
     422 invalid_audio
     422 challenge_mismatch
     422 speaker_mismatch
     429 voice_clone_rate_limited
     503 voice_cloning_unavailable
     503 speaker_verification_unavailable
     401 invalid_realtime_ticket`,
  ),
  ...rows(
    'code',
    '4.10',
    `event invalid_message
     event validation_error
     event not_started
     event busy
     event invalid_audio
     event audio_too_long
     event no_speech_detected
     event insufficient_credits
     event overloaded
     event timeout
     event service_unavailable`,
  ),
];

const permissions = [
  ...rows(
    'permission',
    '2.2',
    `text_to_speech: none read write access
     tts_realtime: none access
     speech_to_text: none read write access
     stt_realtime: none access
     audio_isolation: none read write access
     llm: none read write access
     voices: none read write access
     webhooks: access`,
  ),
  ...rows(
    'scope',
    '2.3',
    `tts:read = text_to_speech: read
     tts:write = text_to_speech: write
     tts:realtime = tts_realtime: access
     stt:read = speech_to_text: read
     stt:write = speech_to_text: write
     stt:realtime = stt_realtime: access
     llm:read = llm: read
     llm:write = llm: write
     voices:read = voices: read
     audio_isolation:read = audio_isolation: read
     audio_isolation:write = audio_isolation: write`,
  ),
];

/** Values in milliseconds and bytes, by their position in the table of limits. */
const limits = rows(
  'limit',
  '8',
  `analytics.windowMs = 7776000000
   analytics.hourlyWindowMs = 2678400000
   pages.keys = {"min":1,"max":100,"default":50}
   pages.requestLogs = {"min":1,"max":100,"default":50}
   key.nameCharacters = {"min":1,"max":80}
   key.allowedIps = 100
   pages.generations = {"min":1,"max":100,"default":30}
   pages.transcriptions.default = 10
   pages.isolations = {"min":1,"max":50,"default":20}
   speak.speed = {"min":0.5,"max":2,"default":1}
   speak.toolCharacters = {"min":1,"max":5000}
   legacy.speakCharacters = {"withKey":1000,"public":500}
   legacy.longFileBytes = 500000000
   legacy.diarizationMinMs = 15000
   dictation.commitMinMs = 100
   dictation.commitMaxMs = 35000
   isolation.toolFileBytes = 314572800
   toolRequestBytes = 10485760
   attachment.fileBytes = 4194304
   attachment.pdfPages = 100
   attachment.partsPerMessage = {"min":1,"max":12}
   attachment.filesPerMessage = 4
   attachment.filesPerConversation = 16
   pages.files = {"min":1,"max":100,"default":20}
   attachment.retentionMs = 2592000000
   attachment.activePerAccount = 25
   attachment.attemptsPerDay = 100
   attachment.concurrentPerAccount = 4
   attachment.concurrentPerReplica = 32
   attachment.deadlineMs = 120000
   webhook.activePerAccount = 20
   webhook.urlCharacters = 2048
   webhook.port = 443
   webhook.bodyBytes = 16384
   pages.webhookPage = {"min":1,"max":100000,"default":1}
   pages.webhooks = {"min":1,"max":100,"default":50}
   webhook.receiverTimeoutMs = 10000
   webhook.attempts = 8
   webhook.retriedStatuses = [408,409,425,429]
   webhook.backoffMs = [5000,30000,120000,600000,3600000,10800000,43200000]
   clone.reference = {"minMs":10000,"maxMs":30000,"maxBytes":10485760}
   clone.live = {"minMs":3000,"maxMs":60000,"maxBytes":10485760}
   clone.transcriptCharacters = {"min":1,"max":20000}
   clone.challengeMs = 600000
   clone.attempts = 5
   clone.similarity = 0.72
   clone.deadlineMs = 180000
   clone.uploadsPerHour = {"rate":5,"burst":2}
   clone.stepsPerHour = {"rate":10,"burst":3}
   clone.activeVoices = 5
   requestsPerSecond = 70`,
);

const events = [
  ...rows(
    'event',
    '6.1',
    `tts.generation.completed: tts_generation id status duration_ms credits_used
     stt.transcription.queued: transcription id status duration_ms
     stt.transcription.completed: transcription id status language duration_ms
     stt.transcription.failed: transcription id status error_code
     webhook.test: webhook_test`,
  ),
  ...rows(
    'event',
    '6.2',
    `dictation ready
     dictation final
     dictation error
     legacy-speech session_started
     legacy-speech audio
     legacy-speech error
     completion [DONE]
     completion error`,
  ),
];

/** Name, then the inputs; required ones with a star. */
const tools = rows(
  'tool',
  '4.13',
  `list_models
   chat_completions model* messages* max_tokens temperature idempotency_key
   get_llm_request request_id*
   list_tts_languages
   list_voices language
   text_to_speech text* language* voice_id* speed idempotency_key
   list_tts_generations limit cursor
   get_tts_generation generation_id*
   delete_tts_generation generation_id*
   speech_to_text audio_base64* language* include_speakers idempotency_key
   get_transcription transcription_id*
   list_transcriptions limit cursor
   update_transcription transcription_id* title*
   delete_transcription transcription_id*
   export_transcription transcription_id* format*
   isolate_voice audio_base64* title speech_restoration restoration_model idempotency_key
   get_isolation isolation_id*
   list_isolations limit cursor
   create_isolation_export isolation_id* format*
   get_isolation_export isolation_id* format*
   hide_isolation isolation_id*
   create_realtime_ticket service*`,
);

export const documentRows: readonly DocumentRow[] = [
  ...routes,
  ...states,
  ...codes,
  ...permissions,
  ...limits,
  ...events,
  ...tools,
];
