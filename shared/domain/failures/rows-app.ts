import { rule } from './row.ts';

/** Failures of the app itself, beyond the documented table: bugs, refused calls, the first screen, practice mode. */
export const appRows = {
  /** A bug of ours; the log has the `bugId` of its params. */
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
  /** No workspace is open yet: the first screen is not completed. */
  'E-236': rule('N', 'user', 'app', 'local', []),
  /** A text that looks like a key was entered where no key belongs (S-68). */
  'E-237': rule('N', 'user', 'item', 'local', ['enter-key']),
  /** Something that costs was requested without a user activation (S-15). */
  'E-238': rule('N', 'user', 'item', 'local', []),
  /** The library could not be moved to the chosen folder; the code gives the reason. */
  'E-239': rule('N', 'user', 'app', 'local', []),
  /**
   * Something between here and the service refuses this recording only: it gets HTML answers while others get through.
   */
  'E-240': rule('U', 'user', 'item', 'http', ['retry', 'remove', 'copy-details'], { params: ['name'] }),
  /** A program using the tool server requested something that costs or deletes, and the user declined. */
  'E-241': rule('N', 'user', 'item', 'local', []),
  /** The same, but nobody could be asked: the app is not open, or nobody answered. */
  'E-242': rule('N', 'user', 'item', 'local', []),
  /** The input or the result of a tool is larger than one message may be. */
  'E-243': rule('N', 'user', 'item', 'local', []),
  /** Nothing can be heard in a recording that is about to be paid for. */
  'E-244': rule('N', 'user', 'item', 'local', ['send-anyway', 'remove']),
  /** Something can be heard in it, but no voice was recognised. */
  'E-245': rule('N', 'user', 'item', 'local', ['send-anyway', 'remove']),
  /** The legacy API refused a recording for its length or for what its key may do (contract 4.16). */
  'E-247': rule('R', 'never', 'item', 'http', ['copy-details', 'remove']),
  /** A ticket names another host than the service's; the host is named. */
  'E-248': rule('N', 'user', 'product', 'ws', ['copy-details'], { params: ['name'] }),
  /** Live speech that ended without saying whether it is charged. */
  'E-249': rule('U', 'user', 'item', 'ws', ['send-again', 'copy-details']),
  /** Recognition on this computer has no model for the language. */
  'E-250': rule('R', 'user', 'item', 'local', ['retry', 'remove']),
  /** A model is damaged or of another kind. */
  'E-251': rule('R', 'user', 'item', 'local', ['retry', 'copy-details']),
  /** What was downloaded is not the published file. */
  'E-252': rule('N', 'user', 'item', 'local', ['retry', 'copy-details']),
  /** A model takes more memory than is free. */
  'E-253': rule('R', 'user', 'item', 'local', ['retry', 'remove']),
  /** The host of a model can't be reached; it is named. */
  'E-254': rule('N', 'user', 'item', 'storage', ['retry', 'copy-details'], { params: ['name'] }),
} as const;
