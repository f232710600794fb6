import type { FailureKind } from '../../result/failure-kinds.ts';

/**
 * Codes of service-api section 7 that have a kind of their own everywhere. The code's kind wins over the kind of the
 * status. Meanings that hold in one part of the service only are in `area-rows`.
 */
export const codeRows: ReadonlyMap<string, FailureKind> = new Map<string, FailureKind>([
  ['invalid_api_key', 'key-refused'],
  ['session_expired', 'token-refused'],
  ['insufficient_credits', 'credits-exhausted'],
  ['api_key_credit_limit', 'key-limit-reached'],
  ['insufficient_scope', 'permission-missing'],
  ['origin_forbidden', 'key-restricted'],
  ['invalid_idempotency_key', 'idempotency-key-invalid'],
  ['invalid_json', 'request-invalid'],
  ['invalid_multipart', 'request-invalid'],
  ['invalid_cursor', 'request-invalid'],
  ['invalid_pagination', 'request-invalid'],
  ['invalid_filter', 'request-invalid'],
  ['file_too_large', 'file-too-large'],
  ['audio_too_large', 'file-too-large'],
  ['unsupported_media_type', 'type-unsupported'],
  ['validation_error', 'fields-invalid'],
  ['validation_failed', 'fields-invalid'],
  ['internal_error', 'server-error'],
  ['api_key_in_use', 'key-in-use'],
  ['invalid_analytics_window', 'period-invalid'],
  ['llm_usage_pending', 'earlier-question-pending'],
  ['unsupported_attachment', 'attachment-unusable'],
  ['invalid_attachment', 'attachment-unusable'],
  ['attachment_unavailable', 'attachment-expired'],
  ['attachment_quota_exceeded', 'attachment-limit'],
  ['voice_clone_subscription_required', 'paid-plan-needed'],
  ['voice_clone_not_found', 'voice-not-found'],
  ['voice_clone_invalid_state', 'clone-step-passed'],
  ['voice_limit_reached', 'voice-limit'],
  ['invalid_audio', 'speaker-unclear'],
  ['model_missing', 'model-missing'],
  ['model_damaged', 'model-unusable'],
  ['model_of_another_kind', 'model-unusable'],
  ['vocabulary_of_another_model', 'model-unusable'],
  ['too_little_memory', 'memory-short'],
  ['voice_clone_challenge_expired', 'reading-expired'],
  ['challenge_mismatch', 'reading-mismatch'],
  ['speaker_mismatch', 'reading-mismatch'],
  ['voice_clone_rate_limited', 'clone-rate-limited'],
  ['webhook_not_found', 'webhook-unchanged'],
  ['webhook_limit_reached', 'webhook-unchanged'],
  ['webhook_revision_conflict', 'webhook-unchanged'],
  ['webhook_delivery_not_retryable', 'webhook-unchanged'],
  ['invalid_realtime_ticket', 'live-ticket-expired'],
  ['auth_unavailable', 'product-unavailable'],
  ['service_unavailable', 'product-unavailable'],
  ['analytics_unavailable', 'product-unavailable'],
  ['webhooks_unavailable', 'product-unavailable'],
  ['chat_unavailable', 'product-unavailable'],
  ['voice_cloning_unavailable', 'product-unavailable'],
  ['speaker_verification_unavailable', 'product-unavailable'],
]);

/** The kind of request; decides what a lost answer and a 404 mean. */
export type RequestKind = 'read' | 'create-with-key' | 'create' | 'change';

/** What the address identified: a route, one known thing, or a job that is being waited for. */
export type RequestTarget = 'route' | 'resource' | 'job';

/** The kind of a status when its code has none. Total: any number gives a kind. */
export function rowOfStatus(status: number, target: RequestTarget): FailureKind {
  const own = statusRows.get(status);
  if (own !== undefined) return own;
  if (status === 404)
    return target === 'job' ? 'job-not-found' : target === 'resource' ? 'deleted-at-service' : 'not-offered';
  if (status >= 520 && status <= 530) return 'gateway-error';
  if (status >= 100 && status < 200) return 'answer-unexpected';
  if (status >= 200 && status < 300) return 'answer-unexpected';
  if (status >= 300 && status < 400) return 'redirect-refused';
  if (status >= 400 && status < 500) return 'request-rejected';
  return 'unknown-server-error';
}

const statusRows: ReadonlyMap<number, FailureKind> = new Map<number, FailureKind>([
  [200, 'answer-unreadable'],
  [201, 'answer-unreadable'],
  [202, 'no-receipt'],
  [204, 'done-without-data'],
  [205, 'done-without-data'],
  [304, 'answer-unexpected'],
  [400, 'request-invalid'],
  [401, 'key-refused'],
  [402, 'payment-limit-reached'],
  [403, 'key-restricted'],
  [405, 'incompatible'],
  [406, 'incompatible'],
  [407, 'proxy-sign-in'],
  [408, 'asked-to-wait'],
  [409, 'already-sent'],
  [410, 'gone-at-service'],
  [411, 'incompatible'],
  [412, 'changed-elsewhere'],
  [413, 'file-too-large'],
  [414, 'incompatible'],
  [415, 'type-unsupported'],
  [417, 'incompatible'],
  [421, 'incompatible'],
  [422, 'fields-invalid'],
  [423, 'item-busy'],
  [424, 'item-busy'],
  [425, 'asked-to-wait'],
  [426, 'incompatible'],
  [428, 'incompatible'],
  [429, 'rate-limited'],
  [431, 'incompatible'],
  [451, 'legally-unavailable'],
  [500, 'server-error'],
  [501, 'incompatible'],
  [502, 'gateway-error'],
  [503, 'gateway-error'],
  [504, 'gateway-error'],
  [505, 'incompatible'],
  [507, 'gateway-error'],
  [511, 'network-sign-in'],
]);
