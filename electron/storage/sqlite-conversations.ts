import { failureNumbers, parseStored } from '../../shared/result/failure-kinds.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import type { ConversationLine, Exchange, Priced } from '../services/assistant/conversations.ts';

import { saveItem, type Tables } from './item-rows.ts';
import { rowsOf } from './sqlite-database.ts';

type StoredExchange = Omit<Exchange, 'files' | 'citations' | 'failure'> &
  Readonly<Record<'files' | 'citations', string>> & { readonly failure: string | null };

/** A row that can't be understood is passed over. */
function understood<Stored, T>(read: (row: Stored) => T): (row: Stored) => readonly T[] {
  return (row) => {
    try {
      return [read(row)];
    } catch {
      return [];
    }
  };
}
const readConversation = understood(
  ({
    transcriptIds,
    sources,
    ...row
  }: Omit<ConversationLine, 'transcriptIds' | 'sources'> & {
    transcriptIds: string;
    sources: string | null;
  }): ConversationLine => ({
    ...row,
    transcriptIds: JSON.parse(transcriptIds) as string[],
    sources: sources === null ? null : (JSON.parse(sources) as ConversationLine['sources']),
  }),
);
const readExchange = understood(({ files, citations, failure, ...row }: StoredExchange): Exchange => ({
  ...row,
  files: JSON.parse(files) as Exchange['files'],
  citations: JSON.parse(citations) as Exchange['citations'],
  failure: failure === null ? null : (parseStored(failure) as Failure),
}));

const conversations = `SELECT c.id, i.title, c.created_at_ms AS createdAtMs, i.at_ms AS changedAtMs,
  c.transcript_ids AS transcriptIds, c.sources FROM conversations c JOIN items i ON i.kind = 'conversation' AND i.id = c.id`;
const exchanges = `SELECT id, conversation_id AS conversationId, asked_at_ms AS askedAtMs, task, question, files, model, estimate,
  answer, citations, state, failure, llm_request_id AS llmRequestId, credits FROM exchanges`;
const sql = {
  list: `${conversations} ORDER BY i.at_ms DESC, c.id`,
  find: `${conversations} WHERE c.id = ?`,
  save: `INSERT INTO conversations (id, created_at_ms, transcript_ids, sources) VALUES (?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET transcript_ids = excluded.transcript_ids, sources = excluded.sources`,
  facts: `SELECT conversation_id AS id, json_group_array(
      json_object('task', task, 'llmRequestId', llm_request_id, 'credits', credits)) AS priced,
      count(*) || ' ' || max(asked_at_ms) || ' ' || sum(length(answer)) || ' ' || group_concat(state) AS version
    FROM exchanges GROUP BY conversation_id`,
  exchanges: `${exchanges} WHERE conversation_id = ? ORDER BY asked_at_ms, id`,
  exchange: `${exchanges} WHERE id = ?`,
  saveExchange: `INSERT INTO exchanges
      (id, conversation_id, asked_at_ms, task, question, model, estimate, answer, citations, state, failure, llm_request_id, credits, files)
    VALUES (:id, :conversationId, :askedAtMs, :task, :question, :model, :estimate, :answer, :citations, :state, :failure,
      :llmRequestId, :credits, :files)
    ON CONFLICT (id) DO UPDATE SET asked_at_ms = excluded.asked_at_ms, estimate = excluded.estimate,
      answer = excluded.answer, citations = excluded.citations, state = excluded.state, failure = excluded.failure,
      llm_request_id = excluded.llm_request_id, credits = excluded.credits,
      files = excluded.files`,
  fileIds: `SELECT DISTINCT one.value ->> '$.fileId' AS id FROM exchanges, json_each(exchanges.files) AS one
    WHERE one.value ->> '$.fileId' IS NOT NULL`,
  endInterrupted: "UPDATE exchanges SET state = 'interrupted' WHERE state = 'asking'",
  newest: `${exchanges} WHERE state = 'done' OR failure ->> '$.row' = '${failureNumbers['earlier-question-pending']}' ORDER BY asked_at_ms DESC LIMIT 1`,
} as const;

export function conversationTables({ statement, read, write }: Tables) {
  const all = <Stored, T>(
    readRow: (row: Stored) => readonly T[],
    text: string,
    ...values: readonly string[]
  ): Result<readonly T[]> => read(() => rowsOf<Stored>(statement(text), ...values).flatMap(readRow));
  const one = <Stored, T>(readRow: (row: Stored) => readonly T[], text: string, id: string): Result<T | null> => {
    const rows = all(readRow, text, id);
    return rows.ok ? ok(rows.value[0] ?? null) : rows;
  };

  return {
    list: () => all(readConversation, sql.list),
    find: (id: string) => one(readConversation, sql.find, id),
    exchanges: (conversationId: string) => all(readExchange, sql.exchanges, conversationId),
    exchange: (id: string) => one(readExchange, sql.exchange, id),
    save: ({ id, title, createdAtMs, changedAtMs, transcriptIds, sources }: ConversationLine): Result<null> =>
      write(() => {
        const chosen = sources === null ? null : JSON.stringify(sources);
        statement(sql.save).run(id, createdAtMs, JSON.stringify(transcriptIds), chosen);
        statement(saveItem).run('conversation', id, title, '', changedAtMs);
        return null;
      }),
    /** Adds the exchange, or replaces the one with its id. */
    saveExchange: ({ files, citations, failure, ...exchange }: Exchange): Result<null> =>
      write(() => {
        statement(sql.saveExchange).run({
          ...exchange,
          files: JSON.stringify(files),
          citations: JSON.stringify(citations),
          failure: failure === null ? null : JSON.stringify(failure),
        });
        return null;
      }),
    fileIds: () => all(({ id }: { id: string }) => [id], sql.fileIds),
    facts: (): Result<ReadonlyMap<string, { readonly priced: readonly Priced[]; readonly version: string }>> =>
      read(() => {
        const rows = rowsOf<Readonly<Record<'id' | 'priced' | 'version', string>>>(statement(sql.facts));
        return new Map(
          rows.map(({ id, priced, version }) => [id, { priced: JSON.parse(priced) as Priced[], version }]),
        );
      }),
    endInterrupted: (): Result<null> =>
      write(() => {
        statement(sql.endInterrupted).run();
        return null;
      }),
    /** The last refused because an earlier answer is not settled, unless one succeeded since. */
    pending: (): Result<Exchange | null> => {
      const newest = all(readExchange, sql.newest);
      if (!newest.ok) return newest;
      return ok(newest.value.find(({ state }) => state !== 'done') ?? null);
    },
  };
}

export type ConversationStore = ReturnType<typeof conversationTables>;
