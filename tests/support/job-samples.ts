import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import {
  newJobRecord,
  type AnswerFacts,
  type PreparedUpload,
  type JobEvent,
  type JobRecord,
  type JobState,
} from '../../shared/domain/jobs/job-state.ts';

export const now = 1_800_000_000_000;
export const keyA = 'b4a1c0de-0000-4000-8000-000000000001';
export const sha = 'a'.repeat(64);
export const network = makeFailure('connection-dropped', { outcome: 'unknown' });
export const credits = makeFailure('credits-exhausted', { status: 402 });

export const intent: PreparedUpload = {
  idempotencyKey: keyA,
  sha256: sha,
  sizeBytes: 10,
  mtimeMs: 1,
  firstSentAtMs: now - 1000,
  isUnsettled: true,
  boundTo: 'here',
  remoteId: null,
  acceptedAtMs: null,
};
export const answer = (change: Partial<AnswerFacts> = {}): AnswerFacts => ({
  remoteId: 'tr_1',
  status: 'queued',
  rawStatus: 'queued',
  hasRawAnswer: true,
  errorCode: null,
  requestId: 'req_1',
  result: null,
  ...change,
});
export const job = (state: JobState, change: Partial<JobRecord> = {}): JobRecord => ({
  ...newJobRecord,
  intent,
  attempt: 7,
  ...change,
  state,
});

export const states: Record<JobState['tag'], JobRecord> = {
  queued: job({ tag: 'queued' }, { intent: null }),
  prepared: job({ tag: 'prepared' }),
  sending: job({ tag: 'sending', wasUnsettled: false }),
  looking: job({ tag: 'looking' }),
  polling: job(
    { tag: 'polling', isProcessing: false, rawStatus: 'queued' },
    { intent: { ...intent, remoteId: 'tr_1', acceptedAtMs: now, isUnsettled: false } },
  ),
  fetching: job(
    { tag: 'fetching' },
    { intent: { ...intent, remoteId: 'tr_1', acceptedAtMs: now, isUnsettled: false } },
  ),
  done: job({ tag: 'done', transcriptId: 't', speakerCount: 1, finishedAtMs: now }),
  waiting: job({ tag: 'waiting', resume: 'send', untilMs: now, failure: network }),
  blocked: job({ tag: 'blocked', resume: 'send', by: 'credits', failure: credits }),
  paused: job({ tag: 'paused', resume: 'send', sentBytes: 5 }),
  'needs-user': job({ tag: 'needs-user', failure: makeFailure('job-not-found') }),
  failed: job({ tag: 'failed', failure: makeFailure('recording-unprocessable'), hasRawAnswer: false }),
  cancelled: job({ tag: 'cancelled', isAcceptedByService: false }),
};

export const attempt = 7;
export const events: Record<JobEvent['type'], JobEvent> = {
  hashed: { type: 'hashed', attempt, sha256: sha, sizeBytes: 10, mtimeMs: 1, freshKey: keyA, duplicate: null },
  'prepare-failed': {
    type: 'prepare-failed',
    attempt,
    failure: makeFailure('not-a-recording', { code: 'empty' }),
    roll: 0,
  },
  pause: { type: 'pause', sentBytes: 5 },
  unpause: { type: 'unpause' },
  copied: { type: 'copied', result: { transcriptId: 't', speakerCount: 1 } },
  go: { type: 'go', boundTo: 'here' },
  answered: { type: 'answered', attempt, answer: answer() },
  'send-failed': { type: 'send-failed', attempt, failure: network, roll: 0 },
  polled: { type: 'polled', attempt, answer: answer({ result: { transcriptId: 't', speakerCount: 2 } }) },
  'poll-failed': { type: 'poll-failed', attempt, failure: network, roll: 0 },
  looked: { type: 'looked', attempt, remoteId: null },
  'look-failed': { type: 'look-failed', attempt, failure: network, roll: 0 },
  exported: { type: 'exported', attempt, result: { transcriptId: 't', speakerCount: 0 } },
  'export-failed': { type: 'export-failed', attempt, failure: network, roll: 0 },
  woke: { type: 'woke', attempt },
  unblock: { type: 'unblock' },
  cancel: { type: 'cancel' },
  retry: { type: 'retry', consent: true },
};
