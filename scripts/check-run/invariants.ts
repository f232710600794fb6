interface JobEvidence {
  readonly id: string;
  readonly tag: string;
  readonly addedAtMs: number;
  readonly sha256: string | null;
  readonly key: string | null;
  readonly remoteId: string | null;
  /** The hash of the audio that was extracted and sent, not of the file itself. */
  readonly isPrepared: boolean;
}

interface EventEvidence {
  readonly jobId: string;
  readonly atMs: number;
  readonly type: string;
  readonly freshKey: string | null;
  readonly acceptsCharge: boolean;
  readonly failure: { readonly outcome: string; readonly status: number | null } | null;
}

interface TextEvidence {
  readonly jobId: string;
  readonly remoteId: string | null;
  readonly text: string;
}

interface AcceptanceEvidence {
  readonly atMs: number;
  readonly key: string;
  readonly sha256: string;
  readonly subject: string;
}

/** A request with a key as the service saw it; `status` is null if its answer was cut off. */
interface AttemptEvidence {
  readonly beganAtMs: number;
  readonly endedAtMs: number | null;
  readonly key: string;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
}

export interface Evidence {
  readonly jobs: readonly JobEvidence[];
  readonly events: readonly EventEvidence[];
  readonly texts: readonly TextEvidence[];
  readonly acceptances: readonly AcceptanceEvidence[];
  readonly attempts: readonly AttemptEvidence[];
  readonly serviceTexts: ReadonlyMap<string, string>;
}

export interface Violation {
  readonly invariant: 'I1' | 'I2' | 'I3' | 'I4' | 'I7';
  readonly at: string;
  readonly what: string;
}

export interface Expectation {
  readonly items?: number | undefined;
  readonly done?: number | undefined;
}

const atRest = new Set('done failed cancelled queued prepared waiting blocked paused polling needs-user'.split(' '));
/** Errors that affect every request; the same request may be sent again once something has changed. */
const stopsEverybody = new Set([401, 402, 403]);
const looksAgain = new Set(['unblock', 'retry', 'recovered', 'hold', 'unpause', 'woke']);
/** Status codes that say nothing about the request itself. */
const saysLater = new Set([408, 409, 423, 424, 425, 429]);

export function findViolations(evidence: Evidence, expected: Expectation = {}): readonly Violation[] {
  const owners = ownersOf(evidence);
  return [
    ...countedItems(evidence, expected, owners),
    ...acceptedOnce(evidence, owners),
    ...sameText(evidence),
    ...durableBefore(evidence, owners),
    ...notAskedAgain(evidence, owners),
  ];
}

function ownersOf({ jobs, events }: Evidence): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const { jobId, freshKey } of events) if (freshKey !== null) owners.set(freshKey, jobId);
  for (const { id, key } of jobs) if (key !== null) owners.set(key, id);
  return owners;
}

/** I1: every item exists, is at rest, and has its transcript if it is marked as done. */
function countedItems(
  { jobs, events, texts, acceptances }: Evidence,
  { items, done }: Expectation,
  owners: ReadonlyMap<string, string>,
): readonly Violation[] {
  const found: Violation[] = [];
  const report = (at: string, what: string): void => void found.push({ invariant: 'I1', at, what });
  const ids = new Set(jobs.map(({ id }) => id));
  if (items !== undefined && jobs.length !== items)
    report('list', `${items} items were added, ${jobs.length} are there`);
  const ended = jobs.filter(({ tag }) => tag === 'done').length;
  if (done !== undefined && ended !== done) report('list', `${done} items should be done, ${ended} are`);
  for (const { id, tag } of jobs) {
    if (!atRest.has(tag)) report(id, `is neither at its end nor waiting: ${tag}`);
    const own = texts.filter(({ jobId }) => jobId === id).length;
    if (tag === 'done' && own !== 1) report(id, `is done with ${own} texts`);
  }
  for (const { jobId } of events) if (!ids.has(jobId)) report(jobId, 'has events and is not in the list');
  for (const { key } of acceptances) if (!owners.has(key)) report(key, 'was accepted and belongs to no item');
  return found;
}

/** I2: no request was accepted twice, and a key always stood for the same content. */
function acceptedOnce(
  { jobs, events, acceptances }: Evidence,
  owners: ReadonlyMap<string, string>,
): readonly Violation[] {
  const found: Violation[] = [];
  const report = (at: string, what: string): void => void found.push({ invariant: 'I2', at, what });
  const byId = new Map<string, JobEvidence>(jobs.map((job) => [job.id, job]));
  for (const [key, list] of Map.groupBy(acceptances, (one) => one.key)) {
    if (list.length > 1) report(key, `was accepted ${list.length} times`);
    if (new Set(list.map(({ sha256 }) => sha256)).size > 1) report(key, 'stood for different content');
    const job = byId.get(owners.get(key) ?? '');
    const isOwnKey = job?.key === key && !job.isPrepared && job.sha256 !== null;
    if (isOwnKey && list.some(({ sha256 }) => sha256 !== job.sha256)) report(key, 'sent other content than was hashed');
  }
  for (const [id, list] of Map.groupBy(acceptances, (one) => owners.get(one.key) ?? '')) {
    const consents = events.filter(
      ({ jobId, type, acceptsCharge }) => jobId === id && type === 'retry' && acceptsCharge,
    );
    const keys = new Set(list.map(({ key }) => key)).size;
    if (id !== '' && keys > 1 + consents.length) report(id, `was accepted under ${keys} keys`);
  }
  return found;
}

/** I3: the stored text is what the service wrote. */
function sameText({ jobs, texts, serviceTexts }: Evidence): readonly Violation[] {
  const byId = new Map<string, JobEvidence>(jobs.map((job) => [job.id, job]));
  return texts.flatMap(({ jobId, remoteId, text }): readonly Violation[] => {
    const at = remoteId ?? byId.get(jobId)?.remoteId ?? '';
    const said = serviceTexts.get(at);
    if (said === undefined) return [{ invariant: 'I3', at: jobId, what: 'has a text that the service does not know' }];
    return said === text ? [] : [{ invariant: 'I3', at: jobId, what: 'has another text than the service' }];
  });
}

/** I4: the key and the intent to send were on disk before each request. */
function durableBefore(
  { jobs, events, attempts }: Evidence,
  owners: ReadonlyMap<string, string>,
): readonly Violation[] {
  const found: Violation[] = [];
  const report = (at: string, what: string): void => void found.push({ invariant: 'I4', at, what });
  const addedAt = new Map(jobs.map(({ id, addedAtMs }) => [id, addedAtMs]));
  for (const [key, list] of Map.groupBy(attempts, (one) => one.key)) {
    const id = owners.get(key);
    if (id === undefined) {
      report(key, 'was sent and was never stored');
      continue;
    }
    const own = events.filter(({ jobId }) => jobId === id);
    const storedAt = own.find(({ freshKey }) => freshKey === key)?.atMs ?? addedAt.get(id) ?? Infinity;
    const goes = own.filter(({ type, atMs }) => type === 'go' && atMs >= storedAt);
    for (const [index, { beganAtMs }] of list.entries()) {
      if (storedAt > beganAtMs) report(key, 'was sent before it was stored');
      const before = goes.filter(({ atMs }) => atMs <= beganAtMs).length;
      if (before <= index) report(key, `was sent ${index + 1} times with ${before} stored requests to send`);
    }
  }
  return found;
}

/** I7: a rejected request was not repeated, and no retry came before the time the service asked for. */
function notAskedAgain({ events, attempts }: Evidence, owners: ReadonlyMap<string, string>): readonly Violation[] {
  const found: Violation[] = [];
  const report = (at: string, what: string): void => void found.push({ invariant: 'I7', at, what });
  for (const [key, list] of Map.groupBy(attempts, (one) => one.key)) {
    const own = events.filter(({ jobId }) => jobId === owners.get(key));
    for (const [index, attempt] of list.entries()) {
      const next = list[index + 1];
      if (next === undefined || !wasHeard(attempt, next, own)) continue;
      const { status, endedAtMs, retryAfterMs } = attempt;
      if (status === null || endedAtMs === null) continue;
      const tooEarlyBy = endedAtMs + (retryAfterMs ?? 0) - next.beganAtMs;
      if (tooEarlyBy > 0) report(key, `came back ${Math.ceil(tooEarlyBy)} ms before its time after a ${status}`);
      if (status < 400 || status >= 500 || saysLater.has(status)) continue;
      const since = own.filter(({ atMs }) => atMs >= Math.floor(endedAtMs) && atMs <= next.beganAtMs);
      const isAllowed = since.some(
        ({ type }) => type === 'retry' || (stopsEverybody.has(status) && looksAgain.has(type)),
      );
      if (!isAllowed) report(key, `was asked again after a ${status}`);
    }
  }
  return found;
}

/** Only a rejection that the app recorded counts; an answer lost on the way was never received. */
const wasHeard = (attempt: AttemptEvidence, next: AttemptEvidence, own: readonly EventEvidence[]): boolean =>
  own.some(
    ({ type, atMs, failure }) =>
      type === 'send-failed' &&
      failure?.status === attempt.status &&
      atMs >= Math.floor(attempt.beganAtMs) &&
      atMs <= next.beganAtMs,
  );
