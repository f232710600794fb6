import type { FailureKind } from '../../result/failure-kinds.ts';
import { type FailureRule, rule } from './row.ts';

/** Answers of the service by status and code, and the state of its jobs. */
const httpRows = {
  'request-invalid': rule('R', 'never', 'item', 'http', ['copy-details', 'remove']),
  'idempotency-key-invalid': rule('R', 'never', 'item', 'http', ['copy-details']),
  'key-refused': rule('R', 'user', 'queue', 'http', ['enter-key', 'try-now'], { blocks: 'key' }),
  'token-refused': rule('R', 'user', 'product', 'http', ['copy-details']),
  'credits-exhausted': rule('R', 'user', 'queue', 'http', ['go-on'], { blocks: 'credits' }),
  'key-limit-reached': rule('R', 'user', 'queue', 'http', ['change-key', 'go-on'], { blocks: 'credits' }),
  'payment-limit-reached': rule('R', 'user', 'queue', 'http', ['go-on', 'change-key'], { blocks: 'credits' }),
  'permission-missing': rule('R', 'user', 'product', 'http', ['change-key', 'copy-details'], {
    blocks: 'permission',
    params: ['permission'],
  }),
  'key-restricted': rule('R', 'user', 'queue', 'http', ['try-now', 'change-key'], { blocks: 'permission' }),
  'not-offered': rule('R', 'user', 'product', 'http', ['retry', 'change-address'], { blocks: 'service' }),
  'deleted-at-service': rule('R', 'never', 'item', 'http', ['remove']),
  'job-not-found': rule('U', 'user', 'item', 'http', ['check-again', 'send-again', 'remove']),
  'other-key': rule('R', 'user', 'item', 'http', ['change-key', 'send-again', 'remove'], { params: ['suffix'] }),
  incompatible: rule('R', 'never', 'product', 'http', ['change-address', 'copy-details']),
  'asked-to-wait': rule('U', 'same', 'item', 'http', ['retry']),
  'already-sent': rule('U', 'look', 'item', 'http', ['check-again', 'copy-details']),
  'gone-at-service': rule('R', 'never', 'item', 'http', ['remove']),
  'changed-elsewhere': rule('R', 'look', 'item', 'http', ['check-again']),
  'file-too-large': rule('R', 'never', 'item', 'http', ['remove', 'copy-details'], { params: ['size'] }),
  'type-unsupported': rule('R', 'never', 'item', 'http', ['remove', 'copy-details']),
  'fields-invalid': rule('R', 'never', 'item', 'http', ['copy-details', 'remove'], { params: ['fields'] }),
  'item-busy': rule('U', 'same', 'item', 'http', ['retry'], { maxTries: 5 }),
  'rate-limited-until': rule('R', 'same', 'queue', 'http', ['cancel'], { params: ['wait'] }),
  'rate-limited': rule('R', 'same', 'queue', 'http', ['cancel']),
  'legally-unavailable': rule('R', 'never', 'item', 'http', ['copy-details', 'remove']),
  'request-rejected': rule('R', 'never', 'item', 'http', ['copy-details', 'remove']),
  'server-error': rule('U', 'same', 'item', 'http', ['retry', 'copy-details'], { maxTries: 5 }),
  'gateway-error': rule('U', 'same', 'queue', 'http', ['try-now', 'copy-details']),
  'product-unavailable': rule('R', 'same', 'product', 'http', ['try-now', 'copy-details']),
  'network-sign-in': rule('N', 'user', 'queue', 'http', ['try-now', 'copy-details'], { blocks: 'service' }),
  'unknown-server-error': rule('U', 'same', 'item', 'http', ['retry', 'copy-details'], { maxTries: 3 }),
  'results-not-permitted': rule('A', 'user', 'product', 'http', ['change-key', 'copy-details']),
  'key-cannot-collect': rule('R', 'user', 'product', 'http', ['change-key', 'send-again']),
  'recording-unprocessable': rule('R', 'never', 'item', 'http', ['send-again', 'copy-details', 'remove']),
  'unusually-long': rule('A', 'user', 'item', 'http', ['check-again', 'remove']),
  'batch-refused': rule('R', 'user', 'item', 'http', ['remove', 'send-again']),
  'deleted-while-processing': rule('R', 'never', 'item', 'http', ['remove']),
  'duplicate-at-service': rule('A', 'never', 'item', 'http', ['copy-details']),
  'download-expired': rule('R', 'look', 'item', 'storage', ['retry'], { maxTries: 5 }),
  'download-interrupted': rule('U', 'look', 'item', 'storage', ['retry'], { maxTries: 5 }),
  'download-restarted': rule('U', 'same', 'item', 'storage', ['retry']),
  'download-damaged': rule('U', 'look', 'item', 'storage', ['retry'], { maxTries: 2 }),
  'download-unsafe': rule('R', 'never', 'item', 'storage', ['copy-details']),
  'disk-space-short': rule('N', 'user', 'item', 'local', ['retry'], { blocks: 'disk', params: ['need', 'free'] }),
} as const;

/** Account keys, usage and webhooks. */
const accountRows = {
  'account-fields-invalid': rule('R', 'never', 'item', 'http', ['fix-input', 'copy-details']),
  'list-reloaded': rule('R', 'never', 'product', 'http', ['retry']),
  'period-invalid': rule('R', 'never', 'product', 'http', ['choose-period']),
  'keys-not-managed': rule('R', 'never', 'product', 'http', ['copy-details']),
  'key-not-found': rule('R', 'never', 'item', 'http', ['check-again']),
  'key-in-use': rule('R', 'never', 'item', 'http', ['revoke-key']),
  'key-secret-lost': rule('U', 'look', 'item', 'http', ['revoke-key', 'check-again']),
  'key-revoked': rule('R', 'user', 'queue', 'local', ['enter-key'], { blocks: 'key' }),
  'webhook-unchanged': rule('R', 'never', 'item', 'http', ['check-again', 'copy-details']),
} as const;

/** Failures of the app itself, beyond the documented table: bugs, refused calls, the first screen, practice mode. */
const appRows = {
  /** A bug of ours; the log has the `bugId` of its params. */
  'internal-error': rule('U', 'user', 'item', 'local', ['retry', 'copy-details']),
  /** A call from the page that should not have been made. */
  'ipc-refused': rule('N', 'never', 'app', 'local', ['copy-details']),
  /** The practice service did not start, or ended twice. */
  'practice-not-started': rule('N', 'user', 'app', 'local', ['try-now', 'copy-details']),
  /** What was entered or found on the clipboard can't be an API key. */
  'not-a-key': rule('N', 'user', 'app', 'local', ['enter-key']),
  /** No service address yet, or one that can't be used. */
  'address-invalid': rule('N', 'user', 'app', 'local', ['change-address']),
  /** The service needs a key and there is none. */
  'key-missing': rule('N', 'user', 'app', 'local', ['enter-key'], { blocks: 'key' }),
  /** No workspace is open yet: the first screen is not completed. */
  'nothing-open': rule('N', 'user', 'app', 'local', []),
  /** A text that looks like a key was entered where no key belongs (S-68). */
  'key-in-text': rule('N', 'user', 'item', 'local', ['enter-key']),
  /** Something that costs was requested without a user activation (S-15). */
  'not-asked-for': rule('N', 'user', 'item', 'local', []),
  /** The library could not be moved to the chosen folder; the code gives the reason. */
  'library-not-moved': rule('N', 'user', 'app', 'local', []),
  /**
   * Something between here and the service refuses this recording only: it gets HTML answers while others get through.
   */
  'refused-by-proxy': rule('U', 'user', 'item', 'http', ['retry', 'remove', 'copy-details'], { params: ['name'] }),
  /** A program using the tool server requested something that costs or deletes, and the user declined. */
  'consent-refused': rule('N', 'user', 'item', 'local', []),
  /** The same, but nobody could be asked: the app is not open, or nobody answered. */
  'consent-unavailable': rule('N', 'user', 'item', 'local', []),
  /** The input or the result of a tool is larger than one message may be. */
  'message-too-large': rule('N', 'user', 'item', 'local', []),
  /** Nothing can be heard in a recording that is about to be paid for. */
  'recording-silent': rule('N', 'user', 'item', 'local', ['send-anyway', 'remove']),
  /** Something can be heard in it, but no voice was recognised. */
  'voice-not-recognised': rule('N', 'user', 'item', 'local', ['send-anyway', 'remove']),
  /** The legacy API refused a recording for its length or for what its key may do (contract 4.16). */
  'legacy-not-permitted': rule('R', 'never', 'item', 'http', ['copy-details', 'remove']),
  /** A ticket names another host than the service's; the host is named. */
  'live-host-differs': rule('N', 'user', 'product', 'ws', ['copy-details'], { params: ['name'] }),
  /** Live speech that ended without saying whether it is charged. */
  'live-speech-cut': rule('U', 'user', 'item', 'ws', ['send-again', 'copy-details']),
  /** Recognition on this computer has no model for the language. */
  'model-missing': rule('R', 'user', 'item', 'local', ['retry', 'remove'], { blocks: 'model' }),
  /** A model is damaged or of another kind. */
  'model-unusable': rule('R', 'user', 'item', 'local', ['retry', 'copy-details']),
  /** What was downloaded is not the published file. */
  'model-checksum': rule('N', 'user', 'item', 'local', ['retry', 'copy-details']),
  /** A model takes more memory than is free. */
  'memory-short': rule('R', 'user', 'item', 'local', ['retry', 'remove']),
  /** The host of a model can't be reached; it is named. */
  'model-host-unreachable': rule('N', 'user', 'item', 'storage', ['retry', 'copy-details'], { params: ['name'] }),
} as const;

/** Questions to a model, their streams and attachments. */
const askRows = {
  'question-already-asked': rule('A', 'look', 'item', 'http', ['check-again']),
  'answer-charged-lost': rule('A', 'never', 'item', 'http', ['ask-again', 'copy-details']),
  'question-not-answered': rule('R', 'never', 'item', 'http', ['ask-again']),
  'question-processing': rule('A', 'user', 'item', 'http', ['check-again', 'cancel']),
  'earlier-question-pending': rule('U', 'user', 'product', 'http', ['check-again', 'copy-details']),
  'credits-too-few-to-ask': rule('R', 'user', 'product', 'http', ['go-on', 'change-key']),
  'question-rejected': rule('R', 'never', 'item', 'http', ['copy-details']),
  'attachment-too-large': rule('R', 'never', 'item', 'http', ['remove']),
  'attachment-type': rule('R', 'never', 'item', 'http', ['remove']),
  'attachment-unusable': rule('R', 'never', 'item', 'http', ['remove', 'copy-details']),
  'attachment-expired': rule('R', 'user', 'item', 'http', ['attach-again', 'remove']),
  'attachment-limit': rule('R', 'user', 'product', 'http', ['manage-attachments']),
  'stream-complete': rule('A', 'never', 'item', 'stream', []),
  'stream-stopped-early': rule('U', 'look', 'item', 'stream', ['ask-again', 'copy-details']),
  'stream-failed': rule('U', 'look', 'item', 'stream', ['check-again', 'copy-details']),
  'stream-silent': rule('U', 'look', 'item', 'stream', ['ask-again', 'copy-details']),
  'stream-retried': rule('U', 'same', 'item', 'http', ['check-again', 'copy-details'], { maxTries: 2 }),
  'stream-piece-unreadable': rule('U', 'never', 'item', 'stream', []),
  stopped: rule('U', 'look', 'item', 'stream', ['ask-again']),
  'stream-sent-whole': rule('A', 'never', 'item', 'http', []),
  'closed-mid-answer': rule('U', 'look', 'item', 'stream', ['check-again']),
  'stream-complete-extra': rule('A', 'never', 'item', 'stream', []),
} as const;

/** Cloning a voice. */
const cloneRows = {
  'paid-plan-needed': rule('R', 'never', 'product', 'http', ['copy-details']),
  'clone-step-rejected': rule('R', 'never', 'item', 'http', ['copy-details']),
  'clone-recording-too-large': rule('R', 'never', 'item', 'http', ['record-again']),
  'voice-not-found': rule('R', 'never', 'item', 'http', ['remove']),
  'clone-step-passed': rule('R', 'look', 'item', 'http', ['check-again']),
  'voice-limit': rule('R', 'never', 'product', 'http', ['manage-voices']),
  'clone-fields-invalid': rule('R', 'never', 'item', 'http', ['fix-input', 'copy-details']),
  'speaker-unclear': rule('R', 'never', 'item', 'http', ['record-again']),
  'reading-expired': rule('R', 'user', 'item', 'http', ['new-text']),
  'reading-mismatch': rule('R', 'user', 'item', 'http', ['new-text', 'start-over']),
  'reading-unsettled': rule('U', 'look', 'item', 'http', ['check-again']),
  'clone-rate-limited': rule('R', 'user', 'product', 'http', ['retry'], { params: ['wait'] }),
  'voice-being-deleted': rule('A', 'same', 'item', 'http', ['check-again']),
} as const;

/** Live dictation, live speech and the legacy API. */
const liveRows = {
  'live-not-started': rule('U', 'same', 'product', 'http', ['try-live-again', 'send-as-file']),
  'live-ticket-expired': rule('R', 'same', 'item', 'ws', ['try-live-again'], { maxTries: 4 }),
  'live-not-permitted': rule('R', 'user', 'product', 'ws', ['send-as-file', 'change-key']),
  'live-disabled': rule('R', 'user', 'product', 'ws', ['send-as-file']),
  'live-dropped': rule('U', 'same', 'item', 'ws', ['send-as-file']),
  'live-start-timeout': rule('U', 'same', 'item', 'ws', ['send-as-file']),
  'audio-format-changed': rule('R', 'never', 'product', 'ws', ['send-as-file', 'copy-details']),
  'live-failed': rule('R', 'same', 'item', 'ws', ['send-as-file', 'copy-details'], { maxTries: 1 }),
  'phrase-restarted': rule('R', 'same', 'item', 'ws', [], { maxTries: 1 }),
  'phrase-busy': rule('R', 'same', 'item', 'ws', [], { maxTries: 10 }),
  'phrase-audio-unreadable': rule('R', 'never', 'item', 'ws', ['send-as-file']),
  'phrase-too-long': rule('R', 'same', 'item', 'ws', [], { maxTries: 1 }),
  'no-speech': rule('A', 'never', 'item', 'ws', []),
  'live-credits-exhausted': rule('R', 'user', 'product', 'ws', ['go-on', 'send-as-file']),
  'live-busy': rule('U', 'same', 'item', 'ws', ['send-as-file']),
  'phrase-timeout': rule('U', 'same', 'item', 'ws', [], { maxTries: 1 }),
  'live-error-unknown': rule('U', 'same', 'item', 'ws', ['send-as-file', 'copy-details'], { maxTries: 3 }),
  'phrase-late': rule('U', 'same', 'item', 'ws', ['send-as-file']),
  'phrase-twice': rule('A', 'never', 'item', 'ws', []),
  'live-text-stopped': rule('U', 'user', 'product', 'ws', ['send-as-file', 'try-live-again']),
  'dictation-finished': rule('A', 'never', 'item', 'ws', []),
  'live-closed': rule('U', 'same', 'item', 'ws', ['send-as-file']),
  'live-refused': rule('R', 'same', 'item', 'ws', ['send-as-file', 'copy-details'], { maxTries: 1 }),
  'live-key-or-credits': rule('R', 'user', 'product', 'ws', ['enter-key', 'go-on', 'send-as-file']),
  'live-untrusted': rule('N', 'user', 'queue', 'tls', ['try-now', 'copy-details']),
  'live-closed-after-error': rule('U', 'user', 'item', 'ws', ['try-live-again', 'copy-details']),
  'live-aborted': rule('U', 'same', 'item', 'ws', ['send-as-file']),
  'live-speech-unavailable': rule('N', 'user', 'product', 'ws', ['retry']),
  'legacy-request-rejected': rule('R', 'never', 'item', 'http', ['copy-details', 'remove']),
  'legacy-failed': rule('R', 'user', 'item', 'http', ['send-again', 'remove']),
  'live-speech-refused': rule('R', 'user', 'product', 'ws', ['go-on', 'enter-key']),
} as const;

/** Failures before an HTTP answer, and answers that are not from the service. */
const networkRows = {
  offline: rule('N', 'same', 'queue', 'tcp', ['try-now'], { blocks: 'offline' }),
  'address-not-found': rule('N', 'same', 'queue', 'dns', ['try-now', 'change-address']),
  'service-unreachable': rule('N', 'same', 'queue', 'tcp', ['try-now', 'change-address']),
  'service-timeout': rule('N', 'same', 'queue', 'tcp', ['try-now', 'change-address']),
  'certificate-dates': rule('N', 'user', 'queue', 'tls', ['try-now', 'copy-details']),
  'certificate-untrusted': rule('N', 'user', 'queue', 'tls', ['try-now', 'copy-details']),
  'tls-failed': rule('N', 'same', 'queue', 'tls', ['try-now', 'copy-details'], { maxTries: 5 }),
  'proxy-sign-in': rule('N', 'user', 'queue', 'proxy', ['try-now', 'copy-details']),
  'web-page-answered': rule('U', 'user', 'queue', 'http', ['try-now', 'change-address', 'copy-details'], {
    blocks: 'service',
  }),
  'file-unreadable': rule('N', 'user', 'item', 'local', ['locate-file', 'retry', 'remove'], {
    maxTries: 3,
    params: ['name'],
  }),
  'file-changed': rule('N', 'user', 'item', 'local', ['use-new-version', 'remove'], { params: ['name'] }),
  'connection-dropped': rule('U', 'same', 'item', 'http', ['retry', 'copy-details']),
  'answer-lost': rule('U', 'look', 'item', 'http', ['check-again', 'copy-details']),
  'connection-slow': rule('U', 'same', 'item', 'http', ['retry', 'cancel']),
  'answer-truncated': rule('U', 'same', 'item', 'http', ['retry', 'copy-details']),
  'redirect-refused': rule('U', 'user', 'queue', 'http', ['change-address', 'copy-details']),
  'answer-too-large': rule('U', 'same', 'item', 'http', ['retry', 'copy-details'], { maxTries: 2 }),
  'service-troubled': rule('N', 'same', 'queue', 'http', ['try-now']),
  'computer-slept': rule('U', 'same', 'item', 'http', ['retry']),
  transcribed: rule('A', 'never', 'item', 'http', []),
  'at-service': rule('A', 'never', 'item', 'http', []),
  'no-receipt': rule('A', 'same', 'item', 'http', ['check-again', 'save-raw-answer', 'remove'], { maxTries: 2 }),
  'still-processing': rule('A', 'same', 'item', 'http', []),
  'answer-unreadable': rule('U', 'same', 'item', 'http', ['check-again', 'save-raw-answer', 'copy-details'], {
    maxTries: 2,
  }),
  'audio-damaged': rule('U', 'same', 'item', 'http', ['retry'], { maxTries: 2 }),
  'done-without-data': rule('A', 'never', 'item', 'http', []),
  'job-state-unknown': rule('A', 'never', 'item', 'http', ['check-again'], { params: ['word'] }),
  'result-missing': rule('A', 'user', 'item', 'http', ['check-again', 'save-raw-answer'], { maxTries: 5 }),
  'answer-unexpected': rule('U', 'same', 'item', 'http', ['check-again', 'copy-details'], { maxTries: 2 }),
} as const;

/** This computer: disk, library, keychain, crashes, files and exports. */
const computerRows = {
  'disk-full': rule('N', 'same', 'app', 'local', ['try-now'], { blocks: 'disk' }),
  'disk-error': rule('N', 'user', 'app', 'local', ['try-now', 'copy-details'], { blocks: 'disk' }),
  'library-damaged': rule('N', 'user', 'app', 'local', ['copy-details']),
  'already-open': rule('N', 'never', 'app', 'local', []),
  'library-newer': rule('N', 'never', 'app', 'local', ['copy-details']),
  'data-folder-unwritable': rule('N', 'user', 'app', 'local', ['try-now', 'copy-details'], { blocks: 'disk' }),
  'settings-reset': rule('N', 'never', 'app', 'local', ['copy-details']),
  'keychain-missing': rule('N', 'user', 'app', 'local', ['enter-key', 'recheck-key']),
  'keychain-locked': rule('N', 'user', 'queue', 'local', ['recheck-key', 'enter-key']),
  'keychain-slow': rule('N', 'user', 'queue', 'local', ['recheck-key', 'enter-key']),
  'keychain-denied': rule('N', 'user', 'queue', 'local', ['recheck-key', 'enter-key']),
  'key-not-stored': rule('N', 'user', 'app', 'local', ['enter-key']),
  'window-restarted': rule('U', 'same', 'app', 'local', ['copy-details']),
  'resumed-after-crash': rule('U', 'same', 'app', 'local', []),
  'work-continues-later': rule('U', 'same', 'app', 'local', []),
  'update-ready': rule('N', 'never', 'app', 'local', []),
  'clock-changed': rule('N', 'never', 'app', 'local', []),
  'not-a-recording': rule('N', 'user', 'item', 'local', ['remove'], { params: ['name'] }),
  'already-in-queue': rule('N', 'user', 'item', 'local', ['open-earlier', 'copy-earlier', 'send-again', 'remove'], {
    params: ['name', 'date'],
  }),
  'name-taken': rule('N', 'user', 'item', 'local', ['retry']),
  'export-unfinished': rule('N', 'user', 'item', 'local', ['retry', 'copy-details']),
} as const;

/** What follows from each kind of failure. */
export const failureRows: Readonly<Record<FailureKind, FailureRule>> = {
  ...networkRows,
  ...httpRows,
  ...accountRows,
  ...askRows,
  ...cloneRows,
  ...liveRows,
  ...computerRows,
  ...appRows,
};

/** Whether a kind (of a stored failure, perhaps from a newer version) is in the table. */
export const isFailureKind = (kind: string): kind is FailureKind => Object.hasOwn(failureRows, kind);
