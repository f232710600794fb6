import { rule } from './row.ts';

/** Questions to a model, their streams and attachments (E-070 to E-081, E-101 to E-110). */
export const askRows = {
  'E-070': rule('A', 'look', 'item', 'http', ['check-again']),
  'E-071': rule('A', 'never', 'item', 'http', ['ask-again', 'copy-details']),
  'E-072': rule('R', 'never', 'item', 'http', ['ask-again']),
  'E-073': rule('A', 'user', 'item', 'http', ['check-again', 'cancel']),
  'E-074': rule('U', 'user', 'product', 'http', ['check-again', 'copy-details']),
  'E-075': rule('R', 'user', 'product', 'http', ['go-on', 'change-key']),
  'E-076': rule('R', 'never', 'item', 'http', ['copy-details']),
  'E-077': rule('R', 'never', 'item', 'http', ['remove']),
  'E-078': rule('R', 'never', 'item', 'http', ['remove']),
  'E-079': rule('R', 'never', 'item', 'http', ['remove', 'copy-details']),
  'E-080': rule('R', 'user', 'item', 'http', ['attach-again', 'remove']),
  'E-081': rule('R', 'user', 'product', 'http', ['manage-attachments']),
  'E-101': rule('A', 'never', 'item', 'stream', []),
  'E-102': rule('U', 'look', 'item', 'stream', ['ask-again', 'copy-details']),
  'E-103': rule('U', 'look', 'item', 'stream', ['check-again', 'copy-details']),
  'E-104': rule('U', 'look', 'item', 'stream', ['ask-again', 'copy-details']),
  'E-105': rule('U', 'same', 'item', 'http', ['check-again', 'copy-details'], { maxTries: 2 }),
  'E-106': rule('U', 'never', 'item', 'stream', []),
  'E-107': rule('U', 'look', 'item', 'stream', ['ask-again']),
  'E-108': rule('A', 'never', 'item', 'http', []),
  'E-109': rule('U', 'look', 'item', 'stream', ['check-again']),
  'E-110': rule('A', 'never', 'item', 'stream', []),
} as const;

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
