import { isWorkerScript, pagePolicy, workerPolicy } from './csp.ts';

/** Sent with every answer of the app's scheme, whatever its status (S-20). */
export const securityHeaders = (path: string, nonce: string): Readonly<Record<string, string>> => ({
  'content-security-policy': isWorkerScript(path) ? workerPolicy : pagePolicy(nonce),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=(), usb=(), hid=(), serial=(), display-capture=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});
