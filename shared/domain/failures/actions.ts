/**
 * What a person may be offered after a failure. Each stands for something the app can do; a screen shows those it can
 * honour in its place. Words are filed under `errors.actions.<action>`.
 */
export const failureActions = [
  /** Tries this item again at once. */
  'retry',
  /** Lifts the stop of the whole queue and looks again. */
  'try-now',
  /** "I have added credits": as `try-now`, after something was paid. */
  'go-on',
  'enter-key',
  /** Another key in place of the one that is not allowed to do this. */
  'change-key',
  /** Asks the keychain once more. */
  'recheck-key',
  'change-address',
  /** Finds a moved recording by a dialog. */
  'locate-file',
  /** The file changed: send what is there now, as a new item with a new charge. */
  'use-new-version',
  /** Sends once more although that may be charged again. */
  'send-again',
  /** Asks the service what became of work it has taken. */
  'check-again',
  'open-earlier',
  /** Gives this item a copy of the text of its earlier twin; nothing is sent. */
  'copy-earlier',
  'save-raw-answer',
  'remove',
  'cancel',
  /** Opens what was entered, with the refused fields marked. */
  'fix-input',
  'choose-period',
  'revoke-key',
  /** Asks a model once more, although that is charged again. */
  'ask-again',
  'attach-again',
  'manage-attachments',
  'manage-voices',
  'record-again',
  /** Another text to read aloud; counts against the hourly limit. */
  'new-text',
  'start-over',
  /** What was recorded live goes the way of a file. */
  'send-as-file',
  'try-live-again',
  'copy-details',
] as const;
export type FailureAction = (typeof failureActions)[number];

/** Retrying in its several names: free steps only. */
export const freeSteps: ReadonlySet<FailureAction> = new Set(['retry', 'try-now', 'go-on', 'check-again']);

/** Answers that may cost once more; their words say it. */
export const newCharges: ReadonlySet<FailureAction> = new Set(['use-new-version', 'send-again']);
