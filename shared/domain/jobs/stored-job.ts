import { parseStored } from '../../result/failure-kinds.ts';
import { isFinal, type JobRecord, type JobState } from './job-state.ts';
import { localFailure } from './job-failures.ts';

// Plain checks instead of a schema library: thousands of rows are read before the first list can be shown.
type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => Number.isFinite(value);
const isInteger: Check = (value) => Number.isSafeInteger(value);
const isAmount: Check = (value) => isNumber(value) && (value as number) >= 0;
const isOneOf =
  (...known: readonly string[]): Check =>
  (value) =>
    known.includes(value as string);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const has = (fields: Fields): Check => {
  const all = Object.entries(fields);
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    all.every(([name, check]) => check((value as Readonly<Record<string, unknown>>)[name]));
};

const isPresent: Check = (value) => value !== undefined;
const isFailure = has({
  row: matches(/^E-\d{3}$/),
  code: isText,
  scope: isPresent,
  retry: isPresent,
  outcome: isPresent,
});
const resume = isOneOf('prepare', 'send', 'poll', 'look', 'fetch');

const isTranscript = has({ transcriptId: isText, speakerCount: isNumber, finishedAtMs: isNumber });
const isAudio = has({ audioId: isText, finishedAtMs: isNumber });

const states: Readonly<Record<JobState['tag'], Check>> = {
  queued: has({}),
  prepared: has({}),
  sending: has({ wasUnsettled: isFlag }),
  looking: has({}),
  polling: has({ isProcessing: isFlag, rawStatus: orNull(isText) }),
  fetching: has({}),
  done: (value) => isTranscript(value) || isAudio(value),
  waiting: has({ resume, untilMs: isNumber, failure: isFailure }),
  blocked: has({
    resume,
    by: isOneOf('offline', 'key', 'credits', 'permission', 'disk', 'service', 'model'),
    failure: isFailure,
  }),
  paused: has({ resume: isOneOf('prepare', 'send'), sentBytes: isAmount }),
  'needs-user': has({ failure: isFailure }),
  failed: has({ failure: isFailure, hasRawAnswer: isFlag }),
  cancelled: has({ isAcceptedByService: isFlag }),
};

const isState: Check = (value) => {
  const tag: unknown = typeof value === 'object' && value !== null && 'tag' in value ? value.tag : null;
  return typeof tag === 'string' && Object.hasOwn(states, tag) && states[tag as JobState['tag']](value);
};

const isMemory = has({
  state: isState,
  intent: orNull(
    has({
      idempotencyKey: matches(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
      sha256: matches(/^[0-9a-f]{64}$/),
      sizeBytes: (value) => isInteger(value) && isAmount(value),
      mtimeMs: isNumber,
      firstSentAtMs: orNull(isNumber),
      isUnsettled: isFlag,
      boundTo: orNull(isText),
      remoteId: orNull((value) => isText(value) && value !== ''),
      acceptedAtMs: orNull(isNumber),
    }),
  ),
  attempt: isInteger,
  tries: isInteger,
  answersWithoutId: isInteger,
  pages: isInteger,
  emptyReads: isInteger,
  missingSinceMs: orNull(isNumber),
  fallbackFailure: orNull(isFailure),
});

function upgraded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { otherwise, noReceipts, ...known } = value as Readonly<Record<string, unknown>>;
  return { pages: 0, answersWithoutId: noReceipts, fallbackFailure: otherwise, ...known };
}

export function parseJobMemory(text: string): JobRecord | null {
  let value: unknown;
  try {
    value = upgraded(parseStored(text));
  } catch {
    return null;
  }
  return isMemory(value) ? (value as JobRecord) : null;
}

/** What was sent after `knownAtMs` (Unix ms) is unknown, so the service or the user is asked before sending. */
export function recoverAfterRestore(job: JobRecord, knownAtMs: number): JobRecord {
  const { intent, state } = job;
  // Work that the service has accepted needs only reads, which are free.
  if (isFinal(state) || (intent !== null && intent.remoteId !== null)) return job;
  const maybeSent = localFailure('job-not-found', { code: 'maybe_sent' });
  // Without the content's name and time there is nothing to search for.
  if (intent === null) return { ...job, state: { tag: 'needs-user', failure: maybeSent } };
  const firstSentAtMs = intent.firstSentAtMs ?? knownAtMs;
  return {
    ...job,
    state: { tag: 'looking' },
    fallbackFailure: maybeSent,
    tries: 0,
    intent: { ...intent, isUnsettled: true, firstSentAtMs },
  };
}
