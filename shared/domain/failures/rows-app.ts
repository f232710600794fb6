import { rule } from './row.ts';

/** The app's own doings, beyond the table of the rules: defects, refused calls, the first screen, practice mode. */
export const appRows = {
  /** A defect of ours; `bugId` of its params stands in the log. */
  'E-230': rule('U', 'user', 'item', 'local', ['retry', 'copy-details']),
  /** A call from the page that should not have been made. */
  'E-231': rule('N', 'never', 'app', 'local', ['copy-details']),
  /** The practice service did not start, or ended twice. */
  'E-232': rule('N', 'user', 'app', 'local', ['try-now', 'copy-details']),
  /** What was entered or found on the clipboard can't be an API key. */
  'E-233': rule('N', 'user', 'app', 'local', ['enter-key']),
  /** No service address yet, or one that can't be used. */
  'E-234': rule('N', 'user', 'app', 'local', ['change-address']),
  /** The service needs a key and there is none. */
  'E-235': rule('N', 'user', 'app', 'local', ['enter-key']),
  /** Nothing is open yet: the first screen is not done. */
  'E-236': rule('N', 'user', 'app', 'local', []),
  /** Text that looks like a key was given where no key belongs (S-68). */
  'E-237': rule('N', 'user', 'item', 'local', ['enter-key']),
  /** Something that costs was asked for by no hand (S-15). */
  'E-238': rule('N', 'user', 'item', 'local', []),
  /** The library could not be moved to the folder that was chosen; its code says why. */
  'E-239': rule('N', 'user', 'app', 'local', []),
  /** Something between here and the service refuses this recording only: it is answered by pages, others get through. */
  'E-240': rule('U', 'user', 'item', 'http', ['retry', 'remove', 'copy-details'], { params: ['name'] }),
  /** A program that uses the tool server wanted something that costs or deletes, and the person said no. */
  'E-241': rule('N', 'user', 'item', 'local', []),
  /** The same, and nobody could be asked: the app is not open, or no one answered. */
  'E-242': rule('N', 'user', 'item', 'local', []),
  /** What a program gave to the tool server, or what it would get back, is larger than one message may be. */
  'E-243': rule('N', 'user', 'item', 'local', []),
} as const;
