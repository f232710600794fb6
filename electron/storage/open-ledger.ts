import { createHmac, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
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
import { readSmallText } from '../platform/node/small-text-file.ts';
import { libraryFailure, openingFailure } from '../platform/node/storage-failure.ts';
import type { Ledger, OpenPaidRequest, PaidRecord } from '../services/account/ledger.ts';
import type { SameContent } from '../services/library/store.ts';
import { isWhole, setAside } from './library-backups.ts';
import { inTransaction, jsonOf, openDatabase, rowsOf, runSteps, schemaVersion } from './sqlite-database.ts';

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

interface OpenLedgerOptions {
  readonly path: string;
  readonly now: () => number;
  readonly account?: (() => string) | undefined;
  /** A disk error during work, or a damaged ledger that was set aside (library-damaged). */
  readonly onTrouble: (failure: Failure) => void;
  readonly onChanged?: () => void;
}

/** A damaged one is set aside; the new one begins with the open requests and their keys. */
export function openLedger({
  path,
  now,
  account,
  onTrouble,
  onChanged = () => undefined,
}: OpenLedgerOptions): Result<Ledger> {
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
    return ok(
      createSqliteLedger({
        database,
        secret,
        keepRequests: () => kept.write(database, secret),
        now,
        account,
        onTrouble,
        onChanged,
      }),
    );
  } catch (error) {
    return err(openingFailure(error));
  }
}

function tryOpen(path: string): Result<DatabaseSync> {
  let database: DatabaseSync | null = null;
  try {
    database = openDatabase(path);
    if (schemaVersion(database) > ledgerMigrations.length) {
      database.close();
      return err(localFailure('library-newer'));
    }
    runSteps(database, ledgerMigrations);
    // Damage is found here and not in the middle of a paid action.
    if (isWhole(database)) return ok(database);
    database.close();
    return err(localFailure('library-damaged'));
  } catch (error) {
    if (database?.isOpen) database.close();
    return err(openingFailure(error));
  }
}

/** Without a copy, a ledger that follows a damaged one notes that earlier requests are unknown. */
function resume(
  database: DatabaseSync,
  kept: ReturnType<typeof openRequestsBeside>,
  damagedAtMs: number | null,
): string {
  const copy = kept.read();
  const own = database.prepare("SELECT value FROM meta WHERE key = 'secret'").get()?.['value'];
  const secret = typeof own === 'string' ? own : (copy?.secret ?? randomBytes(32).toString('hex'));
  const note = database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
  if (own === undefined) note.run('secret', secret);
  if (copy === null && damagedAtMs !== null) note.run(lostKey, String(damagedAtMs));
  const add = database.prepare('INSERT INTO open_wishes VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
  if (copy?.secret === secret)
    for (const { fingerprint, action_id, created_at_ms, remote_id } of copy.requests)
      add.run(fingerprint, action_id, created_at_ms, remote_id);
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
type KeptRequests = z.output<ReturnType<typeof keptRequests>>;

/** A second copy of the open requests, written inside the transactions that change them. */
function openRequestsBeside(ledgerPath: string) {
  const path = join(dirname(ledgerPath), requestsFileName);
  return {
    read(): KeptRequests | null {
      const found = readSmallText(path, largestBytes);
      try {
        return found.kind === 'text' ? keptRequests().parse(JSON.parse(found.text)) : null;
      } catch {
        return null;
      }
    },
    write(database: DatabaseSync, secret: string): void {
      const requests = database.prepare('SELECT * FROM open_wishes ORDER BY created_at_ms, fingerprint').all();
      const file = openSync(`${path}.part`, 'w', 0o600);
      try {
        writeFileSync(file, JSON.stringify({ secret, requests }));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(`${path}.part`, path);
    },
  };
}

const judgedBy = 20;
/** Credits in millionths, because counts are whole. */
const finely = (credits: unknown): number => Math.round(Number(credits) * 1_000_000);
const everything = -1;
/** In `meta`: when earlier requests were lost with a damaged ledger, Unix ms; until the user has sent again. */
export const lostKey = 'requests_lost_at';

/** Bytes stand for the length of a recording; dictated phrases are counted in minutes of audio. */
const unitsOf = ({ characters, audioMs, bytes }: PaidAsked): number | null => characters ?? audioMs ?? bytes ?? null;

export function createSqliteLedger(options: {
  readonly database: DatabaseSync;
  readonly secret: string;
  /** Stores the open requests beside the ledger too; called inside the transaction that changes them. */
  readonly keepRequests: () => void;
  readonly now: () => number;
  readonly account?: (() => string) | undefined;
  /** The disk refused an end or a report: the intent is stored, its row stays open. */
  readonly onTrouble: (failure: Failure) => void;
  readonly onChanged: () => void;
}): Ledger {
  const { database, secret, keepRequests, now, account = () => null, onTrouble, onChanged } = options;
  const find = database.prepare('SELECT state, was_interrupted FROM paid_actions WHERE id = ?');
  const insert = database.prepare(
    `INSERT INTO paid_actions
       (id, route, product, asked, units, estimate, began_at_ms, last_at_ms, attempts, state, content, account)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 'open', ?, ?)`,
  );
  const ofContent = database.prepare(
    `${paidColumns} WHERE content = ? AND state IN ('accepted', 'unknown', 'open')
     ORDER BY remote_id IS NULL, began_at_ms DESC`,
  );
  const forget = database.prepare('UPDATE paid_actions SET content = NULL WHERE content = ?');
  const fingerprint = (parts: readonly string[]): string =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');
  const contentOf = (sha256: string): string => fingerprint(['content', sha256]);
  const repeat = database.prepare(
    `UPDATE paid_actions SET attempts = attempts + 1, last_at_ms = ?, ended_at_ms = NULL, was_interrupted = ?, state = ?
     WHERE id = ?`,
  );
  const finish = database.prepare(
    `UPDATE paid_actions SET state = ?, ended_at_ms = ?, status = ?, row = ?, code = ?,
       request_id = COALESCE(?, request_id), llm_request_id = COALESCE(?, llm_request_id),
       remote_id = COALESCE(?, remote_id) WHERE id = ?`,
  );
  const report = `UPDATE paid_actions SET credits = COALESCE(?, credits), characters = COALESCE(?, characters),
    duration_ms = COALESCE(?, duration_ms), input_tokens = COALESCE(?, input_tokens),
    output_tokens = COALESCE(?, output_tokens)`;
  const reportById = database.prepare(`${report} WHERE id = ?`);
  const reportByRemote = database.prepare(`${report} WHERE remote_id = ? OR llm_request_id = ?`);
  const reportByRequest = database.prepare(
    `UPDATE paid_actions SET credits = ?, characters = COALESCE(characters, ?), duration_ms = COALESCE(duration_ms, ?)
     WHERE request_id = ? AND (credits IS NULL OR product = 'ask')`,
  );
  const history = database.prepare(
    `SELECT units, credits FROM paid_actions WHERE route = ? AND credits IS NOT NULL AND units IS NOT NULL
     ORDER BY began_at_ms DESC LIMIT ?`,
  );
  const lengths = database.prepare(
    `SELECT duration_ms AS units, credits FROM paid_actions WHERE route = ? AND credits IS NOT NULL
     AND duration_ms IS NOT NULL ORDER BY began_at_ms DESC LIMIT ?`,
  );
  const select = database.prepare(
    `${paidColumns} WHERE began_at_ms >= ? AND began_at_ms < ? AND (? IS NULL OR product = ?)
       AND (? IS NULL OR account IS NULL OR account = ?)
     ORDER BY began_at_ms DESC, id LIMIT ?`,
  );
  const questions = database.prepare(
    `SELECT estimate, credits FROM paid_actions WHERE product = 'ask' AND estimate IS NOT NULL AND credits IS NOT NULL
     ORDER BY began_at_ms DESC LIMIT ?`,
  );
  const costs = database.prepare(
    'SELECT remote_id, llm_request_id, credits FROM paid_actions WHERE credits IS NOT NULL',
  );
  const findRequest = database.prepare(
    `SELECT fingerprint, action_id AS actionId, created_at_ms AS createdAtMs, remote_id AS remoteId FROM open_wishes
     WHERE fingerprint = ?`,
  );
  const addRequest = database.prepare(
    'INSERT INTO open_wishes (fingerprint, action_id, created_at_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const nameRequest = database.prepare('UPDATE open_wishes SET remote_id = ? WHERE fingerprint = ?');
  const dropRequest = database.prepare('DELETE FROM open_wishes WHERE fingerprint = ?');
  const findLoss = database.prepare('SELECT value FROM meta WHERE key = ?');
  const acceptLoss = database.prepare('DELETE FROM meta WHERE key = ?');

  const attempt = <T>(work: () => T): Result<T> => {
    try {
      return ok(work());
    } catch (error) {
      return err(libraryFailure(error));
    }
  };
  const orTell = (work: () => unknown): void => {
    const done = attempt(work);
    if (!done.ok) onTrouble(done.error);
  };

  const change = (work: () => { readonly changes: number | bigint }): void =>
    orTell(() =>
      inTransaction(database, () => {
        if (Number(work().changes) > 0) keepRequests();
      }),
    );

  function estimate(route: string, asked: PaidAsked): string | null {
    const units = unitsOf(asked);
    if (units === null) return null;
    const seen = (route === 'dictate.stream' ? lengths.all('stt.submit', judgedBy) : history.all(route, judgedBy)).map(
      (row) => ({ count: Number(row['units']), credits: String(row['credits']) }),
    );
    return estimateByHistory(units, seen);
  }

  function usualCost(most: string): string | null {
    const known = attempt(() => questions.all(judgedBy));
    const seen = known.ok ? known.value : [];
    return estimateByHistory(
      finely(most),
      seen.map((row) => ({ count: finely(row['estimate']), credits: String(row['credits']) })),
    );
  }

  function write(intent: PaidIntent): null {
    const before = find.get(intent.id);
    if (before === undefined) {
      const { id, route, product, asked, sha256 } = intent;
      const guess = intent.estimate ?? estimate(route, asked);
      insert.run(
        id,
        route,
        product,
        JSON.stringify(asked),
        unitsOf(asked),
        guess,
        now(),
        now(),
        sha256 === undefined ? null : contentOf(sha256),
        account(),
      );
      return null;
    }
    const state = stateOf(before['state']);
    // What was refused or not sent starts over; what was or may have been accepted stays so, whatever comes now.
    const isSettled = state === 'accepted' || state === 'unknown';
    repeat.run(
      now(),
      state === 'open' || before['was_interrupted'] === 1 ? 1 : 0,
      isSettled ? state : 'open',
      intent.id,
    );
    return null;
  }

  function settle(id: string, ending: PaidEnding): void {
    const before = find.get(id);
    if (before === undefined) return;
    const { outcome, status, row, code, requestId, llmRequestId, remoteId, report } = ending;
    const attempts = before['was_interrupted'] === 1 ? 2 : 1;
    const state = nextPaidState(stateOf(before['state']), outcome, attempts);
    finish.run(state, now(), status, row, code, requestId, llmRequestId, remoteId, id);
    if (report !== null) reportById.run(...valuesOf(report), id);
  }

  return {
    begin(intent) {
      const begun = attempt(() => inTransaction(database, () => write(intent)));
      onChanged();
      return begun;
    },
    end(id, ending) {
      orTell(() => inTransaction(database, () => settle(id, ending)));
      onChanged();
    },
    report(remoteId, report) {
      orTell(() => reportByRemote.run(...valuesOf(report), remoteId, remoteId));
      onChanged();
    },
    reportRequest(requestId, { credits, characters, durationMs }) {
      orTell(() => reportByRequest.run(credits, characters, durationMs, requestId));
      onChanged();
    },
    reportAction(id, report) {
      orTell(() => reportById.run(...valuesOf(report), id));
      onChanged();
    },
    list: ({ fromMs, toMs, product = null, account: payer = null, limit = everything }) =>
      attempt(() =>
        rowsOf<StoredPaid>(select, fromMs, toMs, product, product, payer, payer, limit)
          .map(readPaid)
          // What is known of a question before it is asked is the most that it can cost.
          .map((row) =>
            row.product === 'ask' && row.estimate !== null && row.report?.credits == null
              ? { ...row, estimate: usualCost(row.estimate) }
              : row,
          ),
      ),
    usualCost,
    expectedCredits(route, asked) {
      const known = attempt(() => estimate(route, asked));
      return known.ok ? known.value : null;
    },
    findPaid(content) {
      const found = attempt(() => rowsOf<StoredPaid>(ofContent, contentOf(content.sha256)).map(readPaid));
      if (!found.ok) onTrouble(found.error);
      const [earlier] = (found.ok ? found.value : []).filter(isWorkOn(content));
      return earlier === undefined ? null : earlierOf(earlier);
    },
    creditsByRemoteId() {
      const read = attempt(() => costs.all());
      return new Map(
        (read.ok ? read.value : []).flatMap((row) =>
          [row['remote_id'], row['llm_request_id']].flatMap((id) =>
            id === null ? [] : [[String(id), String(row['credits'])] as const],
          ),
        ),
      );
    },
    forgetContents: (sha256s) => orTell(() => sha256s.forEach((sha256) => forget.run(contentOf(sha256)))),
    fingerprint,
    openRequest(fingerprint, newId, sendsAgain) {
      const opened = attempt(() =>
        inTransaction(database, (): Result<OpenPaidRequest> => {
          if (sendsAgain) {
            dropRequest.run(fingerprint);
            acceptLoss.run(lostKey);
          }
          const isNew = findRequest.get(fingerprint) === undefined;
          if (isNew && findLoss.get(lostKey) !== undefined)
            return err(makeFailure('job-not-found', { code: 'record_lost' }));
          addRequest.run(fingerprint, newId, now());
          if (isNew) keepRequests();
          const [request] = rowsOf<OpenPaidRequest>(findRequest, fingerprint);
          if (request === undefined) throw new Error('the request was not kept');
          return ok(request);
        }),
      );
      return opened.ok ? opened.value : opened;
    },
    noteRemoteId: (fingerprint, remoteId) => change(() => nameRequest.run(remoteId, fingerprint)),
    closeRequest: (fingerprint) => change(() => dropRequest.run(fingerprint)),
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

const valuesOf = ({ credits, characters, durationMs, inputTokens, outputTokens }: PaidReport) =>
  [credits, characters, durationMs, inputTokens, outputTokens] as const;

const earlierOf = ({ id, remoteId, beganAtMs }: PaidRecord): EarlierPayment => ({ id, remoteId, beganAtMs });

const states: readonly PaidState[] = ['open', 'accepted', 'refused', 'not-sent', 'unknown'];

/** A state that no version of ours wrote counts as "may have been charged". */
const stateOf = (value: unknown): PaidState => states.find((state) => state === value) ?? 'unknown';

type StoredPaid = Omit<PaidRecord, 'asked' | 'report'> & PaidReport & { readonly asked: string };

const paidColumns = `SELECT id, route, product, asked, estimate, began_at_ms AS beganAtMs, last_at_ms AS lastAtMs,
  ended_at_ms AS endedAtMs, attempts, state, status, row, code, request_id AS requestId, llm_request_id AS llmRequestId,
  remote_id AS remoteId, credits, characters, duration_ms AS durationMs, input_tokens AS inputTokens,
  output_tokens AS outputTokens FROM paid_actions`;

function readPaid({ credits, characters, durationMs, inputTokens, outputTokens, ...row }: StoredPaid): PaidRecord {
  const report = { credits, characters, durationMs, inputTokens, outputTokens };
  const isReported = valuesOf(report).some((value) => value !== null);
  return { ...row, state: stateOf(row.state), asked: askedIn(row.asked), report: isReported ? report : null };
}

function askedIn(value: string): PaidAsked {
  const found = jsonOf(value);
  return typeof found === 'object' && found !== null ? found : {};
}
