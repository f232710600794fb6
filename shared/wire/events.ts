/** Webhook events and the fields of their data (contract 6.1). `webhook.test` comes only from a test. */
export const webhookEvents = {
  'tts.generation.completed': { object: 'tts_generation', fields: ['id', 'status', 'duration_ms', 'credits_used'] },
  'stt.transcription.queued': { object: 'transcription', fields: ['id', 'status', 'duration_ms'] },
  'stt.transcription.completed': { object: 'transcription', fields: ['id', 'status', 'language', 'duration_ms'] },
  'stt.transcription.failed': { object: 'transcription', fields: ['id', 'status', 'error_code'] },
  'webhook.test': { object: 'webhook_test', fields: [] },
} as const;

/** Messages of the server on each kind of stream, and those of a client (contract 4.10, 4.15, 6.2). */
export const streamEvents = {
  dictation: { server: ['ready', 'final', 'error'], client: ['start', 'commit', 'stop', 'interrupt'] },
  'legacy-speech': { server: ['session_started', 'audio', 'error'], client: ['text', 'end'] },
  completion: { server: ['data', 'error', '[DONE]'], client: [] },
} as const;

/** Codes of error events of live dictation (contract 4.10). */
export const dictationErrorCodes = [
  'invalid_message',
  'validation_error',
  'not_started',
  'busy',
  'invalid_audio',
  'audio_too_long',
  'no_speech_detected',
  'insufficient_credits',
  'overloaded',
  'timeout',
  'service_unavailable',
] as const;
