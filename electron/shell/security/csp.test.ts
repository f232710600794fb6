import { expect, it } from 'vitest';
import { workerPolicy } from './csp.ts';

it('a worker may connect to the app only, and loads nothing from elsewhere', () => {
  const rules = Object.fromEntries(
    workerPolicy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]),
  );
  expect(rules).toEqual({
    'default-src': ["'none'"],
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    'connect-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  });
});
