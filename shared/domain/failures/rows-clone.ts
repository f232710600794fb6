import { rule } from './row.ts';

/** Cloning a voice (E-085 to E-097). */
export const cloneRows = {
  'E-085': rule('R', 'never', 'product', 'http', ['copy-details']),
  'E-086': rule('R', 'never', 'item', 'http', ['copy-details']),
  'E-087': rule('R', 'never', 'item', 'http', ['record-again']),
  'E-088': rule('R', 'never', 'item', 'http', ['remove']),
  'E-089': rule('R', 'look', 'item', 'http', ['check-again']),
  'E-090': rule('R', 'never', 'product', 'http', ['manage-voices']),
  'E-091': rule('R', 'never', 'item', 'http', ['fix-input', 'copy-details']),
  'E-092': rule('R', 'never', 'item', 'http', ['record-again']),
  'E-093': rule('R', 'user', 'item', 'http', ['new-text']),
  'E-094': rule('R', 'user', 'item', 'http', ['new-text', 'start-over']),
  'E-095': rule('U', 'look', 'item', 'http', ['check-again']),
  'E-096': rule('R', 'user', 'product', 'http', ['retry'], { params: ['wait'] }),
  'E-097': rule('A', 'same', 'item', 'http', ['check-again']),
} as const;
