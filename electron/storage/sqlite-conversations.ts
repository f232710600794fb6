import { failureNumbers, parseStored } from '../../shared/result/failure-kinds.ts';
import { z } from 'zod';
import { askTasks } from '../../shared/domain/assistant/ask-tasks.ts';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';
import {
  exchangeStates,
  type ConversationLine,
  type Exchange,
  type Priced,
} from '../services/assistant/conversations.ts';

import { saveItem, type Tables } from './item-rows.ts';

type Row = Readonly<Record<string, unknown>>;

const conversationRow = lazySchema(() =>
  z.object({
    id: z.string(),
    title: z.string(),
    createdAtMs: z.number(),
    changedAtMs: z.number(),
    transcriptIds: z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
  }),
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
    conversationId: z.string(),
    askedAtMs: z.number(),
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
      .transform((text) => (text === null ? null : (parseStored(text) as Failure))),
    llmRequestId: z.string().nullable(),
    credits: z.string().nullable(),
  }),
);

const priced = lazySchema(() =>
  z.object({ task: z.enum(askTasks), llmRequestId: z.string().nullable(), credits: z.string().nullable() }),
);

const readConversation = (row: Row): ConversationLine | null => conversationRow().safeParse(row).data ?? null;

const readExchange = (row: Row): Exchange | null => exchangeRow().safeParse(row).data ?? null;

const conversations = `SELECT c.id, i.title, c.created_at_ms AS createdAtMs, i.at_ms AS changedAtMs,
  c.transcript_ids AS transcriptIds FROM conversations c JOIN items i ON i.kind = 'conversation' AND i.id = c.id`;
const exchanges = `SELECT id, conversation_id AS conversationId, asked_at_ms AS askedAtMs, task, question, files, model, estimate,
  answer, citations, state, failure, llm_request_id AS llmRequestId, credits FROM exchanges`;
const sql = {
  list: `${conversations} ORDER BY i.at_ms DESC, c.id`,
  find: `${conversations} WHERE c.id = ?`,
  save: `INSERT INTO conversations (id, created_at_ms, transcript_ids) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET transcript_ids = excluded.transcript_ids`,
  facts: `SELECT conversation_id, json_group_array(
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
    find: (id: string) => one(sql.find, id, readConversation),
    exchanges: (conversationId: string) => all(sql.exchanges, [conversationId], readExchange),
    exchange: (id: string) => one(sql.exchange, id, readExchange),
    save: ({ id, title, createdAtMs, changedAtMs, transcriptIds }: ConversationLine): Result<null> =>
      write(() => {
        statement(sql.save).run(id, createdAtMs, JSON.stringify(transcriptIds));
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
    fileIds: () => all(sql.fileIds, [], (row) => String(row['id'])),
    facts: (): Result<ReadonlyMap<string, { readonly priced: readonly Priced[]; readonly version: string }>> =>
      read(
        () =>
          new Map(
            statement(sql.facts)
              .all()
              .map((row) => [
                String(row['conversation_id']),
                {
                  priced: z.array(priced()).parse(JSON.parse(String(row['priced']))),
                  version: String(row['version']),
                },
              ]),
          ),
      ),
    endInterrupted: (): Result<null> =>
      write(() => {
        statement(sql.endInterrupted).run();
        return null;
      }),
    /** The last refused because an earlier answer is not settled, unless one succeeded since. */
    pending: () =>
      read(() => {
        const row = statement(sql.newest).get();
        const newest = row === undefined ? null : readExchange(row);
        return newest?.state === 'done' ? null : newest;
      }),
  };
}

export type ConversationStore = ReturnType<typeof conversationTables>;
