import { createHmac, randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { startedMinutesMs } from '../../shared/domain/ledger/expected-cost.ts';
import {
  estimateByHistory,
  nextPaidState,
  type EarlierPayment,
  type PaidAsked,
  type PaidEnding,
  type PaidIntent,
  type PaidReport,
  type PaidState,
} from '../../shared/domain/ledger/paid-action.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { ensurePrivateFolder } from '../platform/node/data-folder.ts';
import { writeWholeNow } from '../platform/node/place-file.ts';
import { readSmallText } from '../platform/node/small-text-file.ts';
import { openingFailure } from '../platform/node/storage-failure.ts';
import type { Ledger, OpenPaidRequest, PaidRecord } from '../services/account/ledger.ts';
import type { SameContent } from '../services/library/store.ts';
import { setAside } from './library-backups.ts';
import {
  columns,
  inTransaction,
  insertInto,
  isWhole,
  jsonOf,
  openTables,
  openWithSteps,
  read,
  rowsOf,
  saveNote,
  selected,
} from './sqlite-database.ts';

/** Steps of the ledger's schema, by the rules of the library's: run once, in order, never edited after a release. */
const ledgerMigrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE paid_actions (
    id TEXT PRIMARY KEY,
    route TEXT NOT NULL,
    product TEXT NOT NULL,
    -- Counts and choices by an allow-list (PaidAsked), as JSON.
    asked TEXT NOT NULL,
    -- How many units the route is charged by, as far as we know; for estimates.
    units INTEGER,
    estimate TEXT,
    began_at_ms INTEGER NOT NULL,
    last_at_ms INTEGER NOT NULL,
    ended_at_ms INTEGER,
    attempts INTEGER NOT NULL,
    -- An earlier attempt had no end when this one began.
    was_interrupted INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL,
    status INTEGER,
    row TEXT,
    code TEXT,
    request_id TEXT,
    llm_request_id TEXT,
    remote_id TEXT,
    credits TEXT,
    characters INTEGER,
    duration_ms INTEGER,
    input_tokens INTEGER,
    output_tokens INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX paid_actions_by_time ON paid_actions (began_at_ms);
  CREATE INDEX paid_actions_by_remote_id ON paid_actions (remote_id) WHERE remote_id IS NOT NULL;
  CREATE INDEX paid_actions_by_question ON paid_actions (llm_request_id) WHERE llm_request_id IS NOT NULL;

  CREATE TABLE open_wishes (
    fingerprint TEXT PRIMARY KEY,
    action_id TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    remote_id TEXT
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- A fingerprint of the recording (HMAC of its SHA-256), by which it is known again when the library lost its row.
  ALTER TABLE paid_actions ADD COLUMN content TEXT;
  CREATE INDEX paid_actions_by_content ON paid_actions (content) WHERE content IS NOT NULL;
  `,
  `
  -- Who paid: a fingerprint of address and key; null in rows of earlier versions.
  ALTER TABLE paid_actions ADD COLUMN account TEXT;
  `,
];

interface LedgerOptions {
  readonly path: string;
  readonly now: () => number;
  readonly account?: (() => string) | undefined;
  /** The disk refused an end or a report, or a damaged ledger was set aside (library-damaged). */
  readonly onTrouble: (failure: Failure) => void;
  readonly onChanged?: () => void;
}

/** A damaged one is set aside; the new one begins with the open requests and their keys. */
export function openLedger(options: LedgerOptions): Result<Ledger> {
  const { path, now, onTrouble } = options;
  try {
    ensurePrivateFolder(dirname(path));
    const kept = openRequestsBeside(path);
    let opened = tryOpen(path);
    const isDamaged = !opened.ok && opened.error.kind === 'library-damaged';
    if (!opened.ok && isDamaged) {
      setAside(path, now());
      onTrouble(opened.error);
      opened = tryOpen(path);
    }
    if (!opened.ok) return opened;
    const database = opened.value;
    const secret = inTransaction(database, () => resume(database, kept, isDamaged ? now() : null));
    return ok(ledgerIn(database, secret, () => kept.write(database, secret), options));
  } catch (error) {
    return err(openingFailure(error));
  }
}

function tryOpen(path: string): Result<DatabaseSync> {
  const opened = openWithSteps(path, ledgerMigrations);
  // Damage is found here and not in the middle of a paid action.
  if (!opened.ok || isWhole(opened.value)) return opened;
  opened.value.close();
  return err(localFailure('library-damaged'));
}

/** Without a copy, a ledger that follows a damaged one notes that earlier requests are unknown. */
function resume(
  database: DatabaseSync,
  kept: ReturnType<typeof openRequestsBeside>,
  damagedAtMs: number | null,
): string {
  const copy = kept.read();
  const own = database.prepare(query.note).get('secret')?.['value'];
  const secret = typeof own === 'string' ? own : (copy?.secret ?? randomBytes(32).toString('hex'));
  const save = database.prepare(saveNote);
  if (own === undefined) save.run({ key: 'secret', value: secret });
  if (copy === null && damagedAtMs !== null) save.run({ key: lostKey, value: String(damagedAtMs) });
  const add = database.prepare(query.addKept);
  if (copy?.secret === secret) for (const request of copy.requests) add.run(request);
  if (copy?.secret !== secret || own === undefined) kept.write(database, secret);
  return secret;
}

/** Beside the ledger, so that a ledger that is damaged, cut off or deleted takes no idempotency key with it. */
const requestsFileName = 'open-requests.json';
const largestBytes = 64 * 1024 * 1024;

const keptRequests = lazySchema(() =>
  z.object({
    secret: z.string().min(1),
    requests: z.array(
      z.object({
        fingerprint: z.string(),
        action_id: z.string(),
        created_at_ms: z.number(),
        remote_id: z.string().nullable(),
      }),
    ),
  }),
);

/** A second copy of the open requests, written inside the transactions that change them. */
function openRequestsBeside(ledgerPath: string) {
  const path = join(dirname(ledgerPath), requestsFileName);
  return {
    read(): z.output<ReturnType<typeof keptRequests>> | null {
      const found = readSmallText(path, largestBytes);
      return found.kind === 'text' ? (keptRequests().safeParse(jsonOf(found.text)).data ?? null) : null;
    },
    write: (database: DatabaseSync, secret: string): void =>
      writeWholeNow(path, JSON.stringify({ secret, requests: database.prepare(query.requests).all() })),
  };
}

const judgedBy = 20;
/** Credits in millionths, because counts are whole. */
const finely = (credits: string): number => Math.round(Number(credits) * 1_000_000);
const everything = -1;
/** In `meta`: when earlier requests were lost with a damaged ledger, Unix ms; until the user has sent again. */
const lostKey = 'requests_lost_at';

/** Bytes stand for the length of a recording; dictated phrases are counted in minutes of audio. */
const unitsOf = ({ characters, audioMs, bytes }: PaidAsked): number | null => characters ?? audioMs ?? bytes ?? null;

const reported = 'credits characters durationMs inputTokens outputTokens';
const recorded = `id route product asked estimate beganAtMs lastAtMs endedAtMs attempts state status row code
  requestId llmRequestId remoteId`.replaceAll(/\s+/gu, ' ');
const select = `SELECT ${selected(`${recorded} ${reported}`)} FROM paid_actions`;
/** What is known stays where nothing is given. */
const adding = (names: string) => columns(names, (column, name) => `${column} = COALESCE(:${name}, ${column})`);
const report = `UPDATE paid_actions SET ${adding(reported)}`;
const charged = (count: string, of: string) => `SELECT ${count} AS count, credits FROM paid_actions
  WHERE ${of} AND credits IS NOT NULL AND ${count} IS NOT NULL AND (account IS NULL OR account = ?)
  ORDER BY began_at_ms DESC LIMIT ${String(judgedBy)}`;
const ofRoute = "NOT coalesce(asked ->> '$.includesSpeakers', 0) AND route = ?";

const query = {
  note: 'SELECT value FROM meta WHERE key = ?',
  dropNote: 'DELETE FROM meta WHERE key = ?',
  requests: 'SELECT * FROM open_wishes ORDER BY created_at_ms, fingerprint',
  addKept: `INSERT INTO open_wishes VALUES (:fingerprint, :action_id, :created_at_ms, :remote_id)
    ON CONFLICT DO NOTHING`,
  find: 'SELECT state, was_interrupted AS wasInterrupted FROM paid_actions WHERE id = ?',
  insert: insertInto(
    'paid_actions',
    'id route product asked units estimate beganAtMs lastAtMs attempts state content account',
  ),
  repeat: `UPDATE paid_actions SET attempts = attempts + 1, last_at_ms = :now, ended_at_ms = NULL,
    was_interrupted = :wasInterrupted, state = :state WHERE id = :id`,
  finish: `UPDATE paid_actions SET state = :state, ended_at_ms = :now, status = :status, row = :row, code = :code,
    ${adding('requestId llmRequestId remoteId')} WHERE id = :id`,
  report: `${report} WHERE id = :id`,
  reportByRemote: `${report} WHERE remote_id = :id OR llm_request_id = :id`,
  reportByRequest: `UPDATE paid_actions SET credits = :credits, characters = COALESCE(characters, :characters),
    duration_ms = COALESCE(duration_ms, :durationMs) WHERE request_id = :id AND (credits IS NULL OR product = 'ask')`,
  ofContent: `${select} WHERE content = ? AND state IN ('accepted', 'unknown', 'open')
    ORDER BY remote_id IS NULL, began_at_ms DESC`,
  forget: 'UPDATE paid_actions SET content = NULL WHERE content = ?',
  byUnits: charged('units', ofRoute),
  byLength: charged('duration_ms', ofRoute),
  questions: charged('estimate', "product = 'ask'"),
  list: `${select} WHERE began_at_ms >= :fromMs AND began_at_ms < :toMs AND (:product IS NULL OR product = :product)
    AND (:account IS NULL OR account IS NULL OR account = :account) ORDER BY began_at_ms DESC, id LIMIT :limit`,
  costs: `SELECT remote_id AS id, credits FROM paid_actions WHERE remote_id IS NOT NULL AND credits IS NOT NULL
    UNION ALL SELECT llm_request_id, credits FROM paid_actions WHERE llm_request_id IS NOT NULL AND credits IS NOT NULL`,
  request: `SELECT ${selected('fingerprint actionId createdAtMs remoteId')} FROM open_wishes WHERE fingerprint = ?`,
  addRequest: `${insertInto('open_wishes', 'fingerprint actionId createdAtMs')} ON CONFLICT DO NOTHING`,
  nameRequest: 'UPDATE open_wishes SET remote_id = ? WHERE fingerprint = ?',
  dropRequest: 'DELETE FROM open_wishes WHERE fingerprint = ?',
} as const;

function ledgerIn(
  database: DatabaseSync,
  secret: string,
  /** Stores the open requests beside the ledger too; called inside the transaction that changes them. */
  keepRequests: () => void,
  { now, account = () => '', onTrouble, onChanged = () => undefined }: LedgerOptions,
): Ledger {
  const { sql, write, rowsAs } = openTables(database);
  const paid = rowsAs(readPaid);
  const fingerprint = (parts: readonly string[]): string =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');
  const contentOf = (sha256: string): string => fingerprint(['content', sha256]);

  const orTell = (work: () => unknown): void => {
    const done = write(work);
    if (!done.ok) onTrouble(done.error);
  };
  const noted = (work: () => unknown): void => {
    orTell(work);
    onChanged();
  };
  const changeRequest = (text: string, ...values: readonly string[]): void =>
    orTell(() => {
      if (Number(sql(text).run(...values).changes) > 0) keepRequests();
    });
  const find = (id: string) => rowsOf<{ state: string; wasInterrupted: number }>(sql(query.find), id)[0];

  const orNull = <T>(work: () => T): T | null => {
    const known = read(work);
    return known.ok ? known.value : null;
  };
  const byHistory = <Count>(wanted: Count, unitsIn: (count: Count) => number, text: string, ...of: readonly string[]) =>
    estimateByHistory(
      unitsIn(wanted),
      rowsOf<{ readonly count: Count; readonly credits: string }>(sql(text), ...of, account()).map((row) => ({
        count: unitsIn(row.count),
        credits: row.credits,
      })),
    );

  function estimate(route: string, asked: PaidAsked): string | null {
    const units = unitsOf(asked);
    // A recording is charged by its length, of which its bytes say nothing.
    if (units === null || route === 'stt.submit') return null;
    if (route !== 'dictate.stream') return byHistory(units, (count) => count, query.byUnits, route);
    return byHistory(units, startedMinutesMs, query.byLength, 'stt.submit');
  }

  const usualCost = (most: string): string | null => orNull(() => byHistory(most, finely, query.questions));

  function begin({ id, route, product, asked, sha256, estimate: known }: PaidIntent): null {
    const before = find(id);
    if (before === undefined) {
      const content = sha256 === undefined ? null : contentOf(sha256);
      const facts = { id, route, product, asked: JSON.stringify(asked), units: unitsOf(asked), content };
      const times = { beganAtMs: now(), lastAtMs: now(), attempts: 1, state: 'open' };
      const expected = known ?? estimate(route, asked);
      sql(query.insert).run({ ...facts, ...times, estimate: expected, account: account() || null });
      return null;
    }
    const state = stateOf(before.state);
    // What was refused or not sent starts over; what was or may have been accepted stays so, whatever comes now.
    const isSettled = state === 'accepted' || state === 'unknown';
    const wasInterrupted = state === 'open' || before.wasInterrupted === 1 ? 1 : 0;
    sql(query.repeat).run({ id, now: now(), wasInterrupted, state: isSettled ? state : 'open' });
    return null;
  }

  function settle(id: string, { outcome, report: told, ...facts }: PaidEnding): void {
    const before = find(id);
    if (before === undefined) return;
    const state = nextPaidState(stateOf(before.state), outcome, before.wasInterrupted === 1 ? 2 : 1);
    sql(query.finish).run({ ...facts, id, state, now: now() });
    if (told !== null) sql(query.report).run({ ...told, id });
  }

  return {
    begin(intent) {
      const begun = write(() => begin(intent));
      onChanged();
      return begun;
    },
    end: (id, ending) => noted(() => settle(id, ending)),
    report: (remoteId, told) => noted(() => sql(query.reportByRemote).run({ ...told, id: remoteId })),
    reportRequest: (requestId, told) => noted(() => sql(query.reportByRequest).run({ ...told, id: requestId })),
    reportAction: (id, told) => noted(() => sql(query.report).run({ ...told, id })),
    list: ({ product = null, account: payer = null, limit = everything, ...span }) =>
      rowsAs((stored: StoredPaid) => {
        const row = readPaid(stored);
        // Earlier versions stored one by bytes.
        if (row.route === 'stt.submit') return { ...row, estimate: null };
        // What is known of a question before it is asked is the most that it can cost.
        if (row.product !== 'ask' || row.estimate === null || row.report?.credits != null) return row;
        return { ...row, estimate: usualCost(row.estimate) };
      }).all(query.list, { ...span, product, account: payer, limit }),
    usualCost,
    expectedCredits: (route, asked) => orNull(() => estimate(route, asked)),
    findPaid(content): EarlierPayment | null {
      const found = paid.all(query.ofContent, contentOf(content.sha256));
      if (!found.ok) onTrouble(found.error);
      const earlier = found.ok ? found.value.find(isWorkOn(content)) : undefined;
      return earlier === undefined
        ? null
        : { id: earlier.id, remoteId: earlier.remoteId, beganAtMs: earlier.beganAtMs };
    },
    creditsByRemoteId: () =>
      new Map(
        orNull(() => rowsOf<{ id: string; credits: string }>(sql(query.costs)))?.map(({ id, credits }) => [
          id,
          credits,
        ]),
      ),
    forgetContents: (sha256s) => orTell(() => sha256s.forEach((sha256) => sql(query.forget).run(contentOf(sha256)))),
    fingerprint,
    openRequest(wanted, newId, sendsAgain) {
      const opened = write((): Result<OpenPaidRequest> => {
        if (sendsAgain) {
          sql(query.dropRequest).run(wanted);
          sql(query.dropNote).run(lostKey);
        }
        const isNew = sql(query.request).get(wanted) === undefined;
        if (isNew && sql(query.note).get(lostKey) !== undefined)
          return err(makeFailure('job-not-found', { code: 'record_lost' }));
        sql(query.addRequest).run({ fingerprint: wanted, actionId: newId, createdAtMs: now() });
        if (isNew) keepRequests();
        const [request] = rowsOf<OpenPaidRequest>(sql(query.request), wanted);
        if (request === undefined) throw new Error('the request was not kept');
        return ok(request);
      });
      return opened.ok ? opened.value : opened;
    },
    noteRemoteId: (wanted, remoteId) => changeRequest(query.nameRequest, remoteId, wanted),
    closeRequest: (wanted) => changeRequest(query.dropRequest, wanted),
    close: () => database.close(),
  };
}

const isWorkOn =
  (wanted: SameContent) =>
  ({ product, route, asked }: PaidRecord): boolean =>
    product === wanted.kind &&
    (wanted.kind === 'isolate'
      ? (asked.restoresSpeech ?? false) === wanted.restoresSpeech && asked.model === wanted.restorationModel
      : (route === 'legacy.stt.submit-long') === (wanted.isLegacy === true) &&
        asked.language === wanted.language &&
        (asked.includesSpeakers ?? false) === wanted.includeSpeakers);

const states: readonly PaidState[] = ['open', 'accepted', 'refused', 'not-sent', 'unknown'];

/** A state that no version of ours wrote counts as "may have been charged". */
const stateOf = (value: string): PaidState => states.find((state) => state === value) ?? 'unknown';

type StoredPaid = Omit<PaidRecord, 'asked' | 'report'> & PaidReport & { readonly asked: string };

function readPaid({ credits, characters, durationMs, inputTokens, outputTokens, ...row }: StoredPaid): PaidRecord {
  const told = { credits, characters, durationMs, inputTokens, outputTokens };
  const isReported = Object.values(told).some((value) => value !== null);
  return { ...row, state: stateOf(row.state), asked: askedIn(row.asked), report: isReported ? told : null };
}

function askedIn(value: string): PaidAsked {
  const found = jsonOf(value);
  return typeof found === 'object' && found !== null ? found : {};
}
