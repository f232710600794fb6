import { rule } from './row.ts';

/** Account keys, usage and webhooks (E-061 to E-068, E-100). */
export const accountRows = {
  'E-061': rule('R', 'never', 'item', 'http', ['fix-input', 'copy-details']),
  'E-062': rule('R', 'never', 'product', 'http', ['retry']),
  'E-063': rule('R', 'never', 'product', 'http', ['choose-period']),
  'E-064': rule('R', 'never', 'product', 'http', ['copy-details']),
  'E-065': rule('R', 'never', 'item', 'http', ['check-again']),
  'E-066': rule('R', 'never', 'item', 'http', ['revoke-key']),
  'E-067': rule('U', 'look', 'item', 'http', ['revoke-key', 'check-again']),
  'E-068': rule('R', 'user', 'queue', 'local', ['enter-key']),
  'E-100': rule('R', 'never', 'item', 'http', ['check-again', 'copy-details']),
} as const;
