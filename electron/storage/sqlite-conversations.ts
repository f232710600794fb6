import type { StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { askTasks } from '../../shared/domain/assistant/ask-tasks.ts';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';
import {
  exchangeStates,
  type ConversationLine,
  type ConversationStore,
  type Exchange,
} from '../services/assistant/conversation-store.ts';

type Row = Readonly<Record<string, unknown>>;

const conversationRow = lazySchema(() =>
  z
    .object({
      id: z.string(),
      title: z.string(),
      created_at_ms: z.number(),
      changed_at_ms: z.number(),
      transcript_ids: z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
    })
    .transform(
      ({ created_at_ms: createdAtMs, changed_at_ms: changedAtMs, transcript_ids: transcriptIds, ...rest }) => ({
        ...rest,
        createdAtMs,
        changedAtMs,
        transcriptIds,
      }),
    ),
);

const citation = lazySchema(() =>
  z.object({ mark: z.string(), transcriptId: z.string(), segmentId: z.string(), startMs: z.number() }),
);

const file = lazySchema(() =>
  z.object({
    path: z.string(),
    name: z.string(),
    sizeBytes: z.number(),
    purpose: z.enum(['vision', 'document']),
    fileId: z.string().nullable(),
  }),
);

const exchangeRow = lazySchema(() =>
  z.object({
    id: z.string(),
    conversation_id: z.string(),
    asked_at_ms: z.number(),
    task: z.enum(askTasks),
    question: z.string(),
    files: z.string().transform((text) => z.array(file()).parse(JSON.parse(text))),
    model: z.string(),
    estimate: z.string().nullable(),
    answer: z.string(),
    citations: z.string().transform((text) => z.array(citation()).parse(JSON.parse(text))),
    state: z.enum(exchangeStates),
    failure: z
      .string()
      .nullable()
      .transform((text) => (text === null ? null : (JSON.parse(text) as Failure))),
    llm_request_id: z.string().nullable(),
    credits: z.string().nullable(),
  }),
);

const readConversation = (row: Row): ConversationLine | null => conversationRow().safeParse(row).data ?? null;

function readExchange(row: Row): Exchange | null {
  const read = exchangeRow().safeParse(row).data;
  if (read === undefined) return null;
  const { conversation_id: conversationId, asked_at_ms: askedAtMs, llm_request_id: llmRequestId, ...rest } = read;
  return { ...rest, conversationId, askedAtMs, llmRequestId };
}

const sql = {
  list: 'SELECT * FROM conversations ORDER BY changed_at_ms DESC, id',
  find: 'SELECT * FROM conversations WHERE id = ?',
  save: `INSERT INTO conversations (id, title, created_at_ms, changed_at_ms, transcript_ids) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET title = excluded.title, changed_at_ms = excluded.changed_at_ms,
      transcript_ids = excluded.transcript_ids`,
  facts: `SELECT conversation_id, json_group_array(credits) FILTER (WHERE credits IS NOT NULL) AS credits,
      count(*) || ' ' || max(asked_at_ms) || ' ' || sum(length(answer)) || ' ' || group_concat(state) AS version
    FROM exchanges GROUP BY conversation_id`,
  exchanges: 'SELECT * FROM exchanges WHERE conversation_id = ? ORDER BY asked_at_ms, id',
  exchange: 'SELECT * FROM exchanges WHERE id = ?',
  saveExchange: `INSERT INTO exchanges
      (id, conversation_id, asked_at_ms, task, question, model, estimate, answer, citations, state, failure, llm_request_id, credits, files)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET asked_at_ms = excluded.asked_at_ms, estimate = excluded.estimate,
      answer = excluded.answer, citations = excluded.citations, state = excluded.state, failure = excluded.failure,
      llm_request_id = excluded.llm_request_id, credits = excluded.credits,
      files = excluded.files`,
  fileIds: `SELECT DISTINCT one.value ->> '$.fileId' AS id FROM exchanges, json_each(exchanges.files) AS one
    WHERE one.value ->> '$.fileId' IS NOT NULL`,
  endInterrupted: "UPDATE exchanges SET state = 'interrupted' WHERE state = 'asking'",
  newest:
    "SELECT * FROM exchanges WHERE state = 'done' OR failure ->> '$.row' = 'E-074' ORDER BY asked_at_ms DESC LIMIT 1",
} as const;

export interface ConversationTableOptions {
  readonly statement: (sql: string) => StatementSync;
  readonly read: <T>(work: () => T) => Result<T>;
  readonly write: <T>(work: () => T) => Result<T>;
}

/** The tables of questions and answers. */
export function conversationTables({ statement, read, write }: ConversationTableOptions): ConversationStore {
  const done = (text: string, ...values: readonly (string | number | null)[]): Result<null> =>
    write(() => {
      statement(text).run(...values);
      return null;
    });
  const one = <T>(text: string, id: string, readRow: (row: Row) => T | null): Result<T | null> =>
    read(() => {
      const row = statement(text).get(id);
      return row === undefined ? null : readRow(row);
    });
  const all = <T>(text: string, values: readonly string[], readRow: (row: Row) => T | null): Result<readonly T[]> =>
    read(() =>
      statement(text)
        .all(...values)
        .map(readRow)
        .filter((row) => row !== null),
    );

  return {
    list: () => all(sql.list, [], readConversation),
    find: (id) => one(sql.find, id, readConversation),
    exchanges: (conversationId) => all(sql.exchanges, [conversationId], readExchange),
    exchange: (id) => one(sql.exchange, id, readExchange),
    save: ({ id, title, createdAtMs, changedAtMs, transcriptIds }) =>
      done(sql.save, id, title, createdAtMs, changedAtMs, JSON.stringify(transcriptIds)),
    saveExchange: (exchange) =>
      done(
        sql.saveExchange,
        exchange.id,
        exchange.conversationId,
        exchange.askedAtMs,
        exchange.task,
        exchange.question,
        exchange.model,
        exchange.estimate,
        exchange.answer,
        JSON.stringify(exchange.citations),
        exchange.state,
        exchange.failure === null ? null : JSON.stringify(exchange.failure),
        exchange.llmRequestId,
        exchange.credits,
        JSON.stringify(exchange.files),
      ),
    fileIds: () => all(sql.fileIds, [], (row) => String(row['id'])),
    facts: () =>
      read(
        () =>
          new Map(
            statement(sql.facts)
              .all()
              .map((row) => [
                String(row['conversation_id']),
                {
                  credits: z.array(z.string()).parse(JSON.parse(String(row['credits'] ?? '[]'))),
                  version: String(row['version']),
                },
              ]),
          ),
      ),
    endInterrupted: () => done(sql.endInterrupted),
    pending: () =>
      read(() => {
        const row = statement(sql.newest).get();
        const newest = row === undefined ? null : readExchange(row);
        return newest?.state === 'done' ? null : newest;
      }),
  };
}
