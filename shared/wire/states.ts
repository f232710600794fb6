/** Every state that the document names, by what goes through them (service-api 3). Others may come: they mean "not finished". */
export const serviceStates = {
  'api-key': ['enabled', 'disabled', 'revoked', 'removed'],
  webhook: ['enabled', 'disabled'],
  delivery: ['pending', 'delivering', 'retrying', 'succeeded', 'failed', 'canceled'],
  enrollment: ['transcript_review', 'details_pending', 'verification_pending', 'ready'],
  verification: ['not_started', 'passed'],
  'older-task': ['PENDING', 'SUCCESS', 'FAILED'],
  transcription: ['queued', 'completed', 'failed'],
  'isolation-audio': ['completed'],
  dictation: ['connected', 'ready', 'started', 'finished', 'cancelled'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
