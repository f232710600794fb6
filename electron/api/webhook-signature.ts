import { createHmac, timingSafeEqual } from 'node:crypto';
import { deliveryHeaders } from '../../shared/wire/events.ts';
import { limits } from '../../shared/wire/limits.ts';

/** A delivery as it came; header names in any case, the body as raw bytes: never parsed and written again. */
export interface ReceivedDelivery {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export type SignatureVerdict = 'valid' | 'no-signature' | 'bad-timestamp' | 'too-old' | 'mismatch';

/**
 * Whether a delivery is the service's own (contract 6.1): `v1=` and the HMAC-SHA256, in lower-case hex, of the
 * timestamp, a dot and the raw body, keyed by the whole secret as it was shown. Compared in constant time, and looked at
 * before the body is. `nowMs`: Unix milliseconds; five minutes either way are taken.
 */
export function verifyWebhookSignature(delivery: ReceivedDelivery, secret: string, nowMs: number): SignatureVerdict {
  const headers = new Map(Object.entries(delivery.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const timestamp = headers.get(deliveryHeaders.timestamp) ?? '';
  const signature = headers.get(deliveryHeaders.signature) ?? '';
  if (!/^v1=[0-9a-f]{64}$/u.test(signature)) return 'no-signature';
  if (!/^\d{1,12}$/u.test(timestamp)) return 'bad-timestamp';
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(delivery.body).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature.slice(3), 'hex'))) return 'mismatch';
  return Math.abs(nowMs - Number(timestamp) * 1000) > limits.webhook.signatureAgeMs ? 'too-old' : 'valid';
}
