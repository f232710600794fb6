import { createHmac } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import {
  estimateByHistory,
  nextPaidState,
  type EarlierPayment,
  type PaidAsked,
  type PaidEnding,
  type PaidIntent,
  type PaidReport,
} from '../../shared/domain/ledger/paid-action.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { Ledger, OpenPaidRequest, PaidRecord } from '../services/account/ledger.ts';
import { readPaidRow, stateOf } from './ledger-rows.ts';
import { inTransaction } from './sqlite-database.ts';
import type { SameContent } from '../services/library/store.ts';
import { libraryFailure } from '../platform/node/storage-failure.ts';

export interface SqliteLedgerOptions {
  readonly database: DatabaseSync;
  /** Private to this ledger; fingerprints of requests are made with it. */
  readonly secret: string;
  /** Stores the open requests beside the ledger too; called inside the transaction that changes them. */
  readonly keepRequests: () => void;
  /** Unix ms. */
  readonly now: () => number;
  /** The disk refused an end or a report: the intent is stored, its row stays open. */
  readonly onTrouble: (failure: Failure) => void;
  /** An action began, ended, or has another cost. */
  readonly onChanged: () => void;
}

/** How many earlier actions of its kind an estimate is based on. */
const judgedBy = 20;
const everything = -1;
/** In `meta`: when earlier requests were lost with a damaged ledger, Unix ms; until the user has sent again. */
export const lostKey = 'requests_lost_at';

/**
 * The unit a route is charged by, as far as the request contains it. Bytes stand for the length of a recording. What a
 * dictated phrase costs is never reported, but the service counts minutes of audio for it as for a recording.
 */
const unitsOf = ({ characters, audioMs, bytes }: PaidAsked): number | null => characters ?? audioMs ?? bytes ?? null;

/** The ledger over an open database of its own. */
export function createSqliteLedger(options: SqliteLedgerOptions): Ledger {
  const { database, secret, keepRequests, now, onTrouble, onChanged } = options;
  const find = database.prepare('SELECT state, was_interrupted FROM paid_actions WHERE id = ?');
  const insert = database.prepare(
    `INSERT INTO paid_actions
       (id, route, product, asked, units, estimate, began_at_ms, last_at_ms, attempts, state, content)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 'open', ?)`,
  );
  const ofContent = database.prepare(
    `SELECT * FROM paid_actions WHERE content = ? AND state IN ('accepted', 'unknown', 'open')
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
  const reportById =
    database.prepare(`UPDATE paid_actions SET credits = COALESCE(?, credits), characters = COALESCE(?, characters),
    duration_ms = COALESCE(?, duration_ms), input_tokens = COALESCE(?, input_tokens),
    output_tokens = COALESCE(?, output_tokens) WHERE id = ?`);
  const reportByRemote = database.prepare(
    `UPDATE paid_actions SET credits = COALESCE(?, credits), characters = COALESCE(?, characters),
    duration_ms = COALESCE(?, duration_ms), input_tokens = COALESCE(?, input_tokens),
    output_tokens = COALESCE(?, output_tokens) WHERE remote_id = ? OR llm_request_id = ?`,
  );
  const reportByRequest = database.prepare(
    `UPDATE paid_actions SET credits = ?, characters = COALESCE(characters, ?), duration_ms = COALESCE(duration_ms, ?)
     WHERE request_id = ? AND credits IS NULL`,
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
    `SELECT * FROM paid_actions WHERE began_at_ms >= ? AND began_at_ms < ? AND (? IS NULL OR product = ?)
     ORDER BY began_at_ms DESC, id LIMIT ?`,
  );
  const costs = database.prepare(
    'SELECT remote_id, credits FROM paid_actions WHERE remote_id IS NOT NULL AND credits IS NOT NULL',
  );
  const findRequest = database.prepare('SELECT * FROM open_wishes WHERE fingerprint = ?');
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

  /** Changes the open requests, here and beside the ledger. */
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
    list: ({ fromMs, toMs, product = null, limit = everything }) =>
      attempt(() => select.all(fromMs, toMs, product, product, limit).map(readPaidRow)),
    expectedCredits(route, asked) {
      const known = attempt(() => estimate(route, asked));
      return known.ok ? known.value : null;
    },
    findPaid(content) {
      const found = attempt(() => ofContent.all(contentOf(content.sha256)).map(readPaidRow));
      if (!found.ok) onTrouble(found.error);
      const [earlier] = (found.ok ? found.value : []).filter(isWorkOn(content));
      return earlier === undefined ? null : earlierOf(earlier);
    },
    creditsByRemoteId() {
      const read = attempt(() => costs.all());
      return new Map(read.ok ? read.value.map((row) => [String(row['remote_id']), String(row['credits'])]) : []);
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
          if (isNew && findLoss.get(lostKey) !== undefined) return err(makeFailure('E-041', { code: 'record_lost' }));
          addRequest.run(fingerprint, newId, now());
          if (isNew) keepRequests();
          return ok(readPaidRequest(findRequest.get(fingerprint) ?? {}));
        }),
      );
      return opened.ok ? opened.value : opened;
    },
    noteRemoteId: (fingerprint, remoteId) => change(() => nameRequest.run(remoteId, fingerprint)),
    closeRequest: (fingerprint) => change(() => dropRequest.run(fingerprint)),
    close: () => database.close(),
  };
}

/** Whether the paid work is of this kind, with these fields. */
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

const readPaidRequest = (row: Readonly<Record<string, unknown>>): OpenPaidRequest => ({
  fingerprint: String(row['fingerprint']),
  actionId: String(row['action_id']),
  createdAtMs: Number(row['created_at_ms']),
  remoteId: typeof row['remote_id'] === 'string' ? row['remote_id'] : null,
});
