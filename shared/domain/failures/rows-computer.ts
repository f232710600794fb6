import { rule } from './row.ts';

/** This computer: disk, library, keychain, crashes, files and exports (E-180 to E-214). */
export const computerRows = {
  'E-180': rule('N', 'same', 'app', 'local', ['try-now']),
  'E-181': rule('N', 'user', 'app', 'local', ['try-now', 'copy-details']),
  'E-182': rule('N', 'user', 'app', 'local', ['copy-details']),
  'E-183': rule('N', 'never', 'app', 'local', []),
  'E-184': rule('N', 'never', 'app', 'local', ['copy-details']),
  'E-185': rule('N', 'user', 'app', 'local', ['try-now', 'copy-details']),
  'E-186': rule('N', 'never', 'app', 'local', ['copy-details']),
  'E-190': rule('N', 'user', 'app', 'local', ['enter-key', 'recheck-key']),
  'E-191': rule('N', 'user', 'queue', 'local', ['recheck-key', 'enter-key']),
  'E-192': rule('N', 'user', 'queue', 'local', ['recheck-key', 'enter-key']),
  'E-193': rule('N', 'user', 'queue', 'local', ['recheck-key', 'enter-key']),
  'E-194': rule('N', 'user', 'app', 'local', ['enter-key']),
  'E-206': rule('U', 'same', 'app', 'local', ['copy-details']),
  'E-207': rule('U', 'same', 'app', 'local', []),
  'E-208': rule('U', 'same', 'app', 'local', []),
  'E-209': rule('N', 'never', 'app', 'local', []),
  'E-210': rule('N', 'never', 'app', 'local', []),
  'E-211': rule('N', 'user', 'item', 'local', ['remove'], { params: ['name'] }),
  'E-212': rule('N', 'user', 'item', 'local', ['open-earlier', 'copy-earlier', 'send-again', 'remove'], {
    params: ['name', 'date'],
  }),
  'E-213': rule('N', 'user', 'item', 'local', ['retry']),
  'E-214': rule('N', 'user', 'item', 'local', ['retry', 'copy-details']),
} as const;
