import type { FailureEnvelope } from '../../result/failure.ts';
import type { RequestKind } from './code-rows.ts';
import type { KnownRow } from './rows.ts';

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
  readonly codes?: Readonly<Record<string, KnownRow>>;
  /** By status, whatever its code, unless the code is listed above. */
  readonly statuses?: Readonly<Record<number, KnownRow>>;
  /** By status, when its code has no row anywhere. */
  readonly bareStatuses?: Readonly<Record<number, KnownRow>>;
  /** A lost answer, or a 5xx of the service, to anything but a read. */
  readonly lost?: KnownRow;
}

const pages = { invalid_pagination: 'E-062', invalid_cursor: 'E-062' } as const;
const clone = {
  codes: {
    invalid_multipart: 'E-086',
    invalid_json: 'E-086',
    file_too_large: 'E-087',
    audio_too_large: 'E-087',
    validation_failed: 'E-091',
    validation_error: 'E-091',
    invalid_audio: 'E-092',
  },
  bareStatuses: { 400: 'E-086', 410: 'E-093', 413: 'E-087', 422: 'E-091' },
} as const satisfies AreaRule;

const rules: Readonly<Record<FailureArea, AreaRule>> = {
  account: {
    codes: {
      ...pages,
      invalid_json: 'E-061',
      validation_error: 'E-061',
      origin_forbidden: 'E-064',
      not_found: 'E-065',
      api_key_in_use: 'E-066',
    },
    statuses: { 401: 'E-033' },
    bareStatuses: { 400: 'E-061', 404: 'E-065', 409: 'E-066', 422: 'E-061' },
    lost: 'E-067',
  },
  usage: {
    codes: { ...pages, invalid_analytics_window: 'E-063', invalid_filter: 'E-063' },
    statuses: { 401: 'E-033' },
  },
  ask: {
    codes: { insufficient_credits: 'E-075', api_key_credit_limit: 'E-075', llm_usage_pending: 'E-074' },
    statuses: { 402: 'E-075', 409: 'E-070' },
    bareStatuses: { 400: 'E-076', 422: 'E-076' },
    lost: 'E-105',
  },
  attachments: {
    codes: {
      file_too_large: 'E-077',
      unsupported_media_type: 'E-078',
      validation_error: 'E-079',
    },
    bareStatuses: { 413: 'E-077', 415: 'E-078', 422: 'E-079' },
  },
  clone,
  'clone-verify': {
    ...clone,
    codes: { ...clone.codes, service_unavailable: 'E-095', speaker_verification_unavailable: 'E-095' },
    lost: 'E-095',
  },
  'clone-remove': { ...clone, lost: 'E-097' },
  webhooks: {
    codes: {
      ...pages,
      invalid_json: 'E-100',
      invalid_filter: 'E-100',
      validation_error: 'E-100',
    },
    bareStatuses: { 400: 'E-100', 404: 'E-100', 409: 'E-100', 422: 'E-100' },
  },
  'isolation-batch': { statuses: { 400: 'E-162', 402: 'E-162', 422: 'E-162' } },
  dictation: { statuses: { 401: 'E-121', 403: 'E-122', 404: 'E-123', 429: 'E-124' }, lost: 'E-124' },
  legacy: {
    codes: { insufficient_scope: 'E-037', origin_forbidden: 'E-038' },
    // Documented refusals of what was sent (contract 4.16).
    statuses: { 403: 'E-247', 503: 'E-058' },
    bareStatuses: { 400: 'E-151', 422: 'E-151' },
  },
};

/** Server trouble that proves nothing about the request itself. */
const isTrouble = (status: number): boolean =>
  [500, 502, 503, 504, 507].includes(status) || (status >= 520 && status <= 530);

/** The row of an answer in its area; undefined: the general row. */
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
): { readonly certain?: KnownRow; readonly bare?: KnownRow } {
  if (status < 400) return {};
  // The row of this code is about recording one's own voice; for an uploaded recording it means that it can't be read.
  if (area === undefined) return code === 'invalid_audio' && request !== 'read' ? { certain: 'E-049' } : {};
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

/** The row of a lost answer in its area; undefined: the general row. */
export function lostRow(area: FailureArea | undefined, request: RequestKind): KnownRow | undefined {
  if (area === undefined || request === 'read') return undefined;
  // Of the changes to an account only a creation shows a secret once.
  return area === 'account' && request !== 'create' ? undefined : rules[area].lost;
}
