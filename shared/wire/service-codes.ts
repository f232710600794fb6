import { dictationErrorCodes } from './events.ts';

/** One code of the service, with its context and its statuses (contract 4.10 and 7). */
export interface ServiceCode {
  readonly area: CodeArea;
  /** `null`: an event on a stream, without a status. */
  readonly status: number | null;
  readonly code: string;
}

type CodeArea = 'generic' | 'keys' | 'usage' | 'llm' | 'isolation' | 'files' | 'webhooks' | 'clone' | 'dictation';

const said = (area: CodeArea, status: number | null, ...codes: readonly string[]): readonly ServiceCode[] =>
  codes.map((code) => ({ area, status, code }));

/** Every documented code. `duplicate_idempotency_key` is our name for a 409 whose code is undocumented. */
export const serviceCodes: readonly ServiceCode[] = [
  ...said('generic', 401, 'invalid_api_key'),
  ...said('generic', 403, 'insufficient_scope'),
  ...said('keys', 400, 'invalid_json', 'validation_error', 'invalid_pagination'),
  ...said('keys', 401, 'session_expired'),
  ...said('keys', 403, 'origin_forbidden'),
  ...said('keys', 404, 'not_found'),
  ...said('keys', 409, 'api_key_in_use'),
  ...said('keys', 500, 'internal_error'),
  ...said('keys', 503, 'auth_unavailable', 'service_unavailable'),
  ...said('usage', 400, 'invalid_analytics_window', 'invalid_pagination', 'invalid_cursor', 'invalid_filter'),
  ...said('usage', 401, 'session_expired'),
  ...said('usage', 503, 'analytics_unavailable'),
  ...said('llm', 402, 'insufficient_credits', 'api_key_credit_limit'),
  ...said('llm', 409, 'duplicate_idempotency_key', 'llm_usage_pending'),
  ...said('isolation', 402, 'insufficient_credits', 'api_key_credit_limit'),
  ...said('files', 413, 'file_too_large'),
  ...said('files', 415, 'unsupported_media_type'),
  ...said('files', 422, 'validation_error', 'unsupported_attachment', 'invalid_attachment', 'attachment_unavailable'),
  ...said('files', 429, 'attachment_quota_exceeded'),
  ...said('files', 503, 'chat_unavailable'),
  ...said('webhooks', 400, 'invalid_json', 'invalid_filter', 'invalid_pagination'),
  ...said('webhooks', 404, 'webhook_not_found'),
  ...said('webhooks', 409, 'webhook_limit_reached', 'webhook_revision_conflict', 'webhook_delivery_not_retryable'),
  ...said('webhooks', 422, 'validation_error'),
  ...said('webhooks', 503, 'webhooks_unavailable'),
  ...said('clone', 401, 'invalid_api_key'),
  ...said('clone', 403, 'insufficient_scope'),
  ...said('clone', 402, 'voice_clone_subscription_required'),
  ...said('clone', 400, 'invalid_multipart', 'invalid_json'),
  ...said('clone', 413, 'audio_too_large'),
  ...said('clone', 404, 'voice_clone_not_found'),
  ...said('clone', 409, 'voice_clone_invalid_state', 'voice_limit_reached'),
  ...said('clone', 410, 'voice_clone_challenge_expired'),
  ...said('clone', 422, 'validation_failed', 'invalid_audio', 'challenge_mismatch', 'speaker_mismatch'),
  ...said('clone', 429, 'voice_clone_rate_limited'),
  ...said('clone', 503, 'voice_cloning_unavailable', 'speaker_verification_unavailable'),
  ...said('dictation', 401, 'invalid_realtime_ticket'),
  ...said('dictation', 403, 'origin_forbidden'),
  ...said('dictation', 404, 'not_found'),
  ...said('dictation', null, ...dictationErrorCodes),
];
