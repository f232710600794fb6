import { parseStored } from '../../result/failure-kinds.ts';
import { localFailure } from './job-failures.ts';
import { isFinal, type JobRecord, type JobState } from './job-state.ts';

type Check = (value: unknown) => boolean;

/**
 * Whether a value has the types of a sample, in which a function checks by itself. Plain checks instead of a schema
 * library: thousands of rows are read before the first list can be shown.
 */
function isLike(value: unknown, sample: unknown): boolean {
  if (typeof sample === 'function') return (sample as Check)(value);
  if (typeof sample !== 'object' || sample === null) return typeof value === typeof sample && value !== Infinity;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(sample).every(([name, part]) =>
    isLike((value as Readonly<Record<string, unknown>>)[name], part),
  );
}

const isOneOf =
  (...known: readonly string[]): Check =>
  (value) =>
    known.includes(value as string);
const orNull =
  (sample: unknown): Check =>
  (value) =>
    value === null || isLike(value, sample);
const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

const failure = { row: matches(/^E-\d{3}$/), code: '', scope: '', retry: '', outcome: '' };
const resume = isOneOf('prepare', 'send', 'poll', 'look', 'fetch');
const by = isOneOf('offline', 'key', 'credits', 'permission', 'disk', 'service', 'model');
const transcript = { transcriptId: '', speakerCount: 0, finishedAtMs: 0 };
const audio = { audioId: '', finishedAtMs: 0 };

const states: Readonly<Record<JobState['tag'], unknown>> = {
  queued: {},
  prepared: {},
  sending: { wasUnsettled: true },
  looking: {},
  polling: { isProcessing: true, rawStatus: orNull('') },
  fetching: {},
  done: (value: unknown) => isLike(value, transcript) || isLike(value, audio),
  waiting: { resume, untilMs: 0, failure },
  blocked: { resume, by, failure },
  paused: { resume: isOneOf('prepare', 'send'), sentBytes: 0 },
  'needs-user': { failure },
  failed: { failure, hasRawAnswer: true },
  cancelled: { isAcceptedByService: true },
};

const record = {
  state: (value: { readonly tag?: unknown } | null) =>
    typeof value?.tag === 'string' &&
    Object.hasOwn(states, value.tag) &&
    isLike(value, states[value.tag as JobState['tag']]),
  intent: orNull({
    idempotencyKey: matches(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
    sha256: matches(/^[0-9a-f]{64}$/),
    sizeBytes: 0,
    mtimeMs: 0,
    firstSentAtMs: orNull(0),
    isUnsettled: true,
    boundTo: orNull(''),
    remoteId: orNull(matches(/./s)),
    acceptedAtMs: orNull(0),
  }),
  attempt: 0,
  tries: 0,
  answersWithoutId: 0,
  pages: 0,
  emptyReads: 0,
  missingSinceMs: orNull(0),
  fallbackFailure: orNull(failure),
};

function upgraded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { otherwise, noReceipts, ...known } = value as Readonly<Record<string, unknown>>;
  return { pages: 0, answersWithoutId: noReceipts, fallbackFailure: otherwise, ...known };
}

export function parseJobRecord(text: string): JobRecord | null {
  let value: unknown;
  try {
    value = upgraded(parseStored(text));
  } catch {
    return null;
  }
  return isLike(value, record) ? (value as JobRecord) : null;
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
