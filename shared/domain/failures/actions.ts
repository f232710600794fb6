/**
 * Actions that a user may be offered after a failure. Each one is something the app can do; a screen shows those that
 * work in its context. Strings are under `errors.actions.<action>`.
 */
export const failureActions = [
  /** Tries this item again at once. */
  'retry',
  /** Unblocks the whole queue and tries again. */
  'try-now',
  /** "I have added credits": like `try-now`, after a payment. */
  'go-on',
  'enter-key',
  /** Replaces a key that is not allowed to do this. */
  'change-key',
  /** Asks the keychain once more. */
  'recheck-key',
  'change-address',
  /** Finds a moved recording by a dialog. */
  'locate-file',
  /** The file changed: sends the current content, as a new item with a new charge. */
  'use-new-version',
  /** Sends again although that may be charged again. */
  'send-again',
  /** Sends a recording although the result will probably be worthless. */
  'send-anyway',
  /** Asks the service about the state of work it has accepted. */
  'check-again',
  'open-earlier',
  /** Gives this item a copy of its earlier duplicate's text; nothing is sent. */
  'copy-earlier',
  'save-raw-answer',
  'remove',
  'cancel',
  /** Opens the form again, with the refused fields marked. */
  'fix-input',
  'choose-period',
  'revoke-key',
  /** Asks a model again, which is charged again. */
  'ask-again',
  'attach-again',
  'manage-attachments',
  'manage-voices',
  'record-again',
  /** Another text to read aloud; counts against the hourly limit. */
  'new-text',
  'start-over',
  /** Sends a live recording as a file. */
  'send-as-file',
  'try-live-again',
  'copy-details',
] as const;
export type FailureAction = (typeof failureActions)[number];

/** The variants of retrying: free steps only. */
export const freeSteps: ReadonlySet<FailureAction> = new Set(['retry', 'try-now', 'go-on', 'check-again']);

/** Actions that may cost again, or confirm a cost that was put off; their texts say so. */
export const newCharges: ReadonlySet<FailureAction> = new Set(['use-new-version', 'send-again', 'send-anyway']);
