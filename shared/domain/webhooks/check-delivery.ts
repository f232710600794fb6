import { webhookLimits } from './webhook.ts';

/** Headers of a delivery, in lower case (contract 6.1). */
export const signatureHeaders = { timestamp: 'x-service-timestamp', signature: 'x-service-signature' } as const;

/** `old`: signed with this secret, but longer ago than a receiver should accept (five minutes). */
export type DeliveryVerdict =
  | 'valid'
  | 'old'
  | 'no-signature'
  | 'malformed-signature'
  | 'no-timestamp'
  | 'malformed-timestamp'
  | 'mismatch';

export type BodyHint = 'without-last-line-end' | 'with-last-line-end' | 'windows-line-ends' | 'trimmed';

export interface DeliveryCheck {
  readonly verdict: DeliveryVerdict;
  /** The age of the signature, milliseconds; negative: from the future; null without a readable time. */
  readonly ageMs: number | null;
  /** Only with `mismatch`; null: nothing common explains it. */
  readonly hint: BodyHint | null;
}

/** HMAC-SHA256 of a text's UTF-8 bytes with the whole secret as shown, as lower-case hex. */
export type SignText = (text: string) => string;

/** Any spelling of names, also in the quotes of JSON or curl; the first of a name counts. */
export function readHeaderLines(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split(/\r\n|\n|\r/u)) {
    const found = /^[\s>*'"{,-]*(?:H\s+['"])?(?<name>[A-Za-z][A-Za-z0-9-]*)['"]?\s*:\s*(?<value>.*)$/u.exec(
      line,
    )?.groups;
    if (found === undefined) continue;
    const name = (found['name'] ?? '').toLowerCase();
    const value = (found['value'] ?? '')
      .trim()
      .replace(/^['"]|['"]?[,\\\s]*$/gu, '')
      .replace(/['"]$/u, '')
      .trim();
    if (!headers.has(name)) headers.set(name, value);
  }
  return headers;
}

/** `v1=` and the HMAC of timestamp, dot and raw body, checked before time and body (contract 6.1). */
export function checkDelivery(
  headers: ReadonlyMap<string, string>,
  body: string,
  sign: SignText,
  nowMs: number,
): DeliveryCheck {
  const timestamp = headers.get(signatureHeaders.timestamp);
  const signature = headers.get(signatureHeaders.signature);
  const isTime = timestamp !== undefined && /^\d{1,12}$/u.test(timestamp);
  const ageMs = isTime ? nowMs - Number(timestamp) * 1000 : null;
  const result = (verdict: DeliveryVerdict, hint: BodyHint | null = null): DeliveryCheck => ({ verdict, ageMs, hint });
  if (signature === undefined || signature === '') return result('no-signature');
  if (!/^v1=[0-9a-f]{64}$/u.test(signature)) return result('malformed-signature');
  if (timestamp === undefined || timestamp === '') return result('no-timestamp');
  if (ageMs === null) return result('malformed-timestamp');
  const fits = (text: string): boolean => isSame(`v1=${sign(`${timestamp}.${text}`)}`, signature);
  if (fits(body)) return result(Math.abs(ageMs) > webhookLimits.signatureAgeMs ? 'old' : 'valid');
  return result('mismatch', changes.find(({ change }) => change(body) !== body && fits(change(body)))?.hint ?? null);
}

const changes: readonly { readonly hint: BodyHint; readonly change: (body: string) => string }[] = [
  { hint: 'without-last-line-end', change: (body) => body.replace(/\r?\n$/u, '') },
  { hint: 'with-last-line-end', change: (body) => `${body}\n` },
  { hint: 'windows-line-ends', change: (body) => body.replaceAll(/\r?\n/gu, '\r\n') },
  { hint: 'trimmed', change: (body) => body.trim() },
];

/** Compares every character, so that the time reveals nothing. */
function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
