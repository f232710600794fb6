/** Webhook events and the fields of their data (contract 6.1). `webhook.test` comes only from a test. */
export const webhookEvents = {
  'tts.generation.completed': { object: 'tts_generation', fields: ['id', 'status', 'duration_ms', 'credits_used'] },
  'stt.transcription.queued': { object: 'transcription', fields: ['id', 'status', 'duration_ms'] },
  'stt.transcription.completed': { object: 'transcription', fields: ['id', 'status', 'language', 'duration_ms'] },
  'stt.transcription.failed': { object: 'transcription', fields: ['id', 'status', 'error_code'] },
  'webhook.test': { object: 'webhook_test', fields: [] },
} as const;
