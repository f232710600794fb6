import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import type { LogEntry } from '../../../shared/domain/diagnostics/log-entry.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { formatLogLine } from './json-log.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const canary = 'CANARY0123456789abcdefXYZ';

/** Realistic secrets of every kind, each containing the canary. */
const secrets = fc.constantFrom(
  `sk_live_${canary}`,
  `Bearer ${canary}`,
  `practice_${canary}_x`,
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIi${canary}.c2ln`,
  `ticket_${canary}`,
  `whsec_${canary}`,
  `https://files.example/a.wav?X-Signature=${canary}&e=1`,
  `wss://live.example/v1/stt/stream?ticket=${canary}`,
  `/home/person/${canary}/interview.mp3`,
);
/** In whatever a careless line would pass. */
const hidden = secrets.chain((secret) =>
  fc.constantFrom<unknown>(
    secret,
    `failed: ${secret}`,
    { key: secret },
    { headers: { authorization: secret } },
    [secret, [secret]],
    new Error(secret, { cause: new Error(secret) }),
    Buffer.from(secret),
    new Map([[secret, secret]]),
    new URL(`https://host.example/?k=${encodeURIComponent(secret)}`),
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ c: secret }) }) }),
    { toJSON: () => secret, toString: () => secret },
  ),
);
const fieldNames = fc.constantFrom(
  ...'event level route method code row requestId item status attempt ms bytes'.split(' '),
  ...'count message error url body path cause headers __proto__'.split(' '),
);

test('P-11: whatever a line is made of, no secret is written, also not in the second of two lines', () => {
  forAllIn(
    isLong ? 50_000 : 2000,
    fc.array(fc.tuple(fieldNames, hidden), { minLength: 1, maxLength: 6 }),
    secrets,
    (fields, secret) => {
      const careless = { event: 'x', ...Object.fromEntries(fields) } as unknown as LogEntry;
      const halves = [secret.slice(0, secret.indexOf(canary) + 12), secret.slice(secret.indexOf(canary) + 12)];
      const split = halves.map((half) => ({ event: 'x', message: half, code: 'ok' }) as unknown as LogEntry);
      const written = [careless, ...split].map((entry) => formatLogLine(entry, 'T')).join('');
      expect(written).not.toContain(canary);
      expect(written).not.toContain(canary.slice(0, 12));
      expect(written.trimEnd().split('\n')).toHaveLength(3);
    },
  );
}, 300_000);

test('P-11: a failure that quotes what holds a secret quotes it without', () => {
  forAllIn(
    isLong ? 20_000 : 1000,
    secrets.filter((secret) => !secret.startsWith('/')),
    fc.lorem(),
    (secret, words) => {
      const failure = makeFailure('request-invalid', {
        details: `${words} ${secret} ${words}`,
        requestId: secret,
        code: secret,
        fields: { title: secret, [secret]: 'x' },
        params: { name: `${words} ${secret}` },
      });
      const told = JSON.stringify(failure);
      // A code and an id are kept when they look like one; the log checks them again.
      const { code: _code, requestId: _requestId, ...shown } = failure;
      expect(JSON.stringify(shown)).not.toContain(canary);
      expect(told.length).toBeLessThan(5000);
    },
  );
}, 300_000);
