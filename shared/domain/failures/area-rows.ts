import type { FailureEnvelope } from '../../result/failure.ts';
import type { RequestKind } from './code-rows.ts';
import type { FailureKind } from '../../result/failure-kinds.ts';

/** The part of the service that answered, where that changes the meaning of a code, a status or a lost answer. */
export type FailureArea =
  | 'account'
  | 'usage'
  | 'ask'
  | 'attachments'
  | 'clone'
  | 'clone-verify'
  | 'clone-remove'
  | 'webhooks'
  | 'isolation-batch'
  | 'dictation'
  | 'legacy';

interface AreaRule {
  readonly codes?: Readonly<Record<string, FailureKind>>;
  /** By status, whatever its code, unless the code is listed above. */
  readonly statuses?: Readonly<Record<number, FailureKind>>;
  /** By status, when its code has no kind anywhere. */
  readonly bareStatuses?: Readonly<Record<number, FailureKind>>;
  /** A lost answer, or a 5xx of the service, to anything but a read. */
  readonly lost?: FailureKind;
}

const pages = { invalid_pagination: 'list-reloaded', invalid_cursor: 'list-reloaded' } as const;
const clone = {
  codes: {
    invalid_multipart: 'clone-step-rejected',
    invalid_json: 'clone-step-rejected',
    file_too_large: 'clone-recording-too-large',
    audio_too_large: 'clone-recording-too-large',
    validation_failed: 'clone-fields-invalid',
    validation_error: 'clone-fields-invalid',
    invalid_audio: 'speaker-unclear',
  },
  bareStatuses: {
    400: 'clone-step-rejected',
    410: 'reading-expired',
    413: 'clone-recording-too-large',
    422: 'clone-fields-invalid',
  },
} as const satisfies AreaRule;

const rules: Readonly<Record<FailureArea, AreaRule>> = {
  account: {
    codes: {
      ...pages,
      invalid_json: 'account-fields-invalid',
      validation_error: 'account-fields-invalid',
      origin_forbidden: 'keys-not-managed',
      not_found: 'key-not-found',
      api_key_in_use: 'key-in-use',
    },
    statuses: { 401: 'token-refused' },
    bareStatuses: {
      400: 'account-fields-invalid',
      404: 'key-not-found',
      409: 'key-in-use',
      422: 'account-fields-invalid',
    },
    lost: 'key-secret-lost',
  },
  usage: {
    codes: { ...pages, invalid_analytics_window: 'period-invalid', invalid_filter: 'period-invalid' },
    statuses: { 401: 'token-refused' },
  },
  ask: {
    codes: {
      insufficient_credits: 'credits-too-few-to-ask',
      api_key_credit_limit: 'credits-too-few-to-ask',
      llm_usage_pending: 'earlier-question-pending',
    },
    statuses: { 402: 'credits-too-few-to-ask', 409: 'question-already-asked' },
    bareStatuses: { 400: 'question-rejected', 422: 'question-rejected' },
    lost: 'stream-retried',
  },
  attachments: {
    codes: {
      file_too_large: 'attachment-too-large',
      unsupported_media_type: 'attachment-type',
      validation_error: 'attachment-unusable',
    },
    bareStatuses: { 413: 'attachment-too-large', 415: 'attachment-type', 422: 'attachment-unusable' },
  },
  clone,
  'clone-verify': {
    ...clone,
    codes: {
      ...clone.codes,
      service_unavailable: 'reading-unsettled',
      speaker_verification_unavailable: 'reading-unsettled',
    },
    lost: 'reading-unsettled',
  },
  'clone-remove': { ...clone, lost: 'voice-being-deleted' },
  webhooks: {
    codes: {
      ...pages,
      invalid_json: 'webhook-unchanged',
      invalid_filter: 'webhook-unchanged',
      validation_error: 'webhook-unchanged',
    },
    bareStatuses: {
      400: 'webhook-unchanged',
      404: 'webhook-unchanged',
      409: 'webhook-unchanged',
      422: 'webhook-unchanged',
    },
  },
  'isolation-batch': { statuses: { 400: 'batch-refused', 402: 'batch-refused', 422: 'batch-refused' } },
  dictation: {
    statuses: { 401: 'live-ticket-expired', 403: 'live-not-permitted', 404: 'live-disabled', 429: 'live-dropped' },
    lost: 'live-dropped',
  },
  legacy: {
    codes: { insufficient_scope: 'permission-missing', origin_forbidden: 'key-restricted' },
    // Documented refusals of what was sent (contract 4.16).
    statuses: { 403: 'legacy-not-permitted', 503: 'product-unavailable' },
    bareStatuses: { 400: 'legacy-request-rejected', 422: 'legacy-request-rejected' },
  },
};

/** Server trouble that proves nothing about the request itself. */
const isTrouble = (status: number): boolean =>
  [500, 502, 503, 504, 507].includes(status) || (status >= 520 && status <= 530);

/** The kind of an answer in its area; undefined: the general kind. */
export function areaRow(
  area: FailureArea | undefined,
  {
    code = '',
    status,
    request,
    envelope,
  }: {
    readonly code?: string;
    readonly status: number;
    readonly request: RequestKind;
    readonly envelope?: FailureEnvelope;
  },
): { readonly certain?: FailureKind; readonly bare?: FailureKind } {
  if (status < 400) return {};
  // The kind of this code is about recording one's own voice; for an uploaded recording it means that it can't be read.
  if (area === undefined) return code === 'invalid_audio' && request !== 'read' ? { certain: 'type-unsupported' } : {};
  const rule = rules[area];
  const own = Object.hasOwn(rule.codes ?? {}, code) ? rule.codes?.[code] : undefined;
  // A refused free read is neither a refused question nor a refused batch.
  const isAboutWork = request !== 'read' || area === 'account' || area === 'usage' || area === 'dictation';
  // A page proves nothing about a request that can't be repeated under a key.
  const isPage = area === 'legacy' && envelope === 'html';
  const byStatus = isAboutWork && !isPage ? rule.statuses?.[status] : undefined;
  const lost = request !== 'read' && isTrouble(status) ? lostRow(area, request) : undefined;
  const bare = rule.bareStatuses?.[status] ?? lost;
  const certain = own ?? byStatus;
  return { ...(certain === undefined ? {} : { certain }), ...(bare === undefined ? {} : { bare }) };
}

/** The kind of a lost answer in its area; undefined: the general kind. */
export function lostRow(area: FailureArea | undefined, request: RequestKind): FailureKind | undefined {
  if (area === undefined || request === 'read') return undefined;
  // Of the changes to an account only a creation shows a secret once.
  return area === 'account' && request !== 'create' ? undefined : rules[area].lost;
}
