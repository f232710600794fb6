import type { KnownRow } from './rows.ts';

/**
 * Codes of service-api section 7 that have a row of their own everywhere. The code's row wins over the row of the
 * status. Meanings that hold in one part of the service only are in `area-rows`.
 */
export const codeRows: ReadonlyMap<string, KnownRow> = new Map<string, KnownRow>([
  ['invalid_api_key', 'E-032'],
  ['session_expired', 'E-033'],
  ['insufficient_credits', 'E-034'],
  ['api_key_credit_limit', 'E-035'],
  ['insufficient_scope', 'E-037'],
  ['origin_forbidden', 'E-038'],
  ['invalid_idempotency_key', 'E-031'],
  ['invalid_json', 'E-030'],
  ['invalid_multipart', 'E-030'],
  ['invalid_cursor', 'E-030'],
  ['invalid_pagination', 'E-030'],
  ['invalid_filter', 'E-030'],
  ['file_too_large', 'E-048'],
  ['audio_too_large', 'E-048'],
  ['unsupported_media_type', 'E-049'],
  ['validation_error', 'E-050'],
  ['validation_failed', 'E-050'],
  ['internal_error', 'E-056'],
  ['api_key_in_use', 'E-066'],
  ['invalid_analytics_window', 'E-063'],
  ['llm_usage_pending', 'E-074'],
  ['unsupported_attachment', 'E-079'],
  ['invalid_attachment', 'E-079'],
  ['attachment_unavailable', 'E-080'],
  ['attachment_quota_exceeded', 'E-081'],
  ['voice_clone_subscription_required', 'E-085'],
  ['voice_clone_not_found', 'E-088'],
  ['voice_clone_invalid_state', 'E-089'],
  ['voice_limit_reached', 'E-090'],
  ['invalid_audio', 'E-092'],
  ['model_missing', 'E-250'],
  ['model_damaged', 'E-251'],
  ['model_of_another_kind', 'E-251'],
  ['vocabulary_of_another_model', 'E-251'],
  ['too_little_memory', 'E-253'],
  ['voice_clone_challenge_expired', 'E-093'],
  ['challenge_mismatch', 'E-094'],
  ['speaker_mismatch', 'E-094'],
  ['voice_clone_rate_limited', 'E-096'],
  ['webhook_not_found', 'E-100'],
  ['webhook_limit_reached', 'E-100'],
  ['webhook_revision_conflict', 'E-100'],
  ['webhook_delivery_not_retryable', 'E-100'],
  ['invalid_realtime_ticket', 'E-121'],
  ['auth_unavailable', 'E-058'],
  ['service_unavailable', 'E-058'],
  ['analytics_unavailable', 'E-058'],
  ['webhooks_unavailable', 'E-058'],
  ['chat_unavailable', 'E-058'],
  ['voice_cloning_unavailable', 'E-058'],
  ['speaker_verification_unavailable', 'E-058'],
]);

/** The kind of request; decides what a lost answer and a 404 mean. */
export type RequestKind = 'read' | 'create-with-key' | 'create' | 'change';

/** What the address identified: a route, one known thing, or a job that is being waited for. */
export type RequestTarget = 'route' | 'resource' | 'job';

/** The row of a status when its code has none. Total: any number gives a row. */
export function rowOfStatus(status: number, target: RequestTarget): KnownRow {
  const own = statusRows.get(status);
  if (own !== undefined) return own;
  if (status === 404) return target === 'job' ? 'E-041' : target === 'resource' ? 'E-040' : 'E-039';
  if (status >= 520 && status <= 530) return 'E-057';
  if (status >= 100 && status < 200) return 'E-029';
  if (status >= 200 && status < 300) return 'E-029';
  if (status >= 300 && status < 400) return 'E-016';
  if (status >= 400 && status < 500) return 'E-055';
  return 'E-060';
}

const statusRows: ReadonlyMap<number, KnownRow> = new Map<number, KnownRow>([
  [200, 'E-024'],
  [201, 'E-024'],
  [202, 'E-022'],
  [204, 'E-026'],
  [205, 'E-026'],
  [304, 'E-029'],
  [400, 'E-030'],
  [401, 'E-032'],
  [402, 'E-036'],
  [403, 'E-038'],
  [405, 'E-043'],
  [406, 'E-043'],
  [407, 'E-008'],
  [408, 'E-044'],
  [409, 'E-045'],
  [410, 'E-046'],
  [411, 'E-043'],
  [412, 'E-047'],
  [413, 'E-048'],
  [414, 'E-043'],
  [415, 'E-049'],
  [417, 'E-043'],
  [421, 'E-043'],
  [422, 'E-050'],
  [423, 'E-051'],
  [424, 'E-051'],
  [425, 'E-044'],
  [426, 'E-043'],
  [428, 'E-043'],
  [429, 'E-053'],
  [431, 'E-043'],
  [451, 'E-054'],
  [500, 'E-056'],
  [501, 'E-043'],
  [502, 'E-057'],
  [503, 'E-057'],
  [504, 'E-057'],
  [505, 'E-043'],
  [507, 'E-057'],
  [511, 'E-059'],
]);
