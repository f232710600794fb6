import { failureNumbers, parseStored } from '../../shared/result/failure-kinds.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import type { ConversationLine, Exchange, Priced } from '../services/assistant/conversations.ts';

import { elseSet, insertInto, rowsOf, saveItem, selected, type Tables } from './sqlite-database.ts';

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
const answered = 'askedAtMs estimate answer citations state failure llmRequestId credits files';
const columns = `id conversationId task question model ${answered}`;
const exchanges = `SELECT ${selected(columns)} FROM exchanges`;
const query = {
  list: `${conversations} ORDER BY i.at_ms DESC, c.id`,
  find: `${conversations} WHERE c.id = ?`,
  save: `${insertInto('conversations', 'id createdAtMs transcriptIds sources')}
    ${elseSet('id', 'transcriptIds sources')}`,
  facts: `SELECT conversation_id AS id, json_group_array(
      json_object('task', task, 'llmRequestId', llm_request_id, 'credits', credits)) AS priced,
      count(*) || ' ' || max(asked_at_ms) || ' ' || sum(length(answer)) || ' ' || group_concat(state) AS version
    FROM exchanges GROUP BY conversation_id`,
  exchanges: `${exchanges} WHERE conversation_id = ? ORDER BY asked_at_ms, id`,
  exchange: `${exchanges} WHERE id = ?`,
  saveExchange: `${insertInto('exchanges', columns)} ${elseSet('id', answered)}`,
  fileIds: `SELECT DISTINCT one.value ->> '$.fileId' AS id FROM exchanges, json_each(exchanges.files) AS one
    WHERE one.value ->> '$.fileId' IS NOT NULL`,
  endInterrupted: "UPDATE exchanges SET state = 'interrupted' WHERE state = 'asking'",
  newest: `${exchanges} WHERE state = 'done' OR failure ->> '$.row' = '${failureNumbers['earlier-question-pending']}' ORDER BY asked_at_ms DESC LIMIT 1`,
} as const;

export function conversationTables({ sql, read, write, run, each }: Tables) {
  const all = <Stored, T>(
    readRow: (row: Stored) => readonly T[],
    text: string,
    ...values: readonly string[]
  ): Result<readonly T[]> => read(() => rowsOf<Stored>(sql(text), ...values).flatMap(readRow));
  const one = <Stored, T>(readRow: (row: Stored) => readonly T[], text: string, id: string): Result<T | null> => {
    const rows = all(readRow, text, id);
    return rows.ok ? ok(rows.value[0] ?? null) : rows;
  };

  return {
    list: () => all(readConversation, query.list),
    find: (id: string) => one(readConversation, query.find, id),
    exchanges: (conversationId: string) => all(readExchange, query.exchanges, conversationId),
    exchange: (id: string) => one(readExchange, query.exchange, id),
    save: (line: ConversationLine): Result<null> =>
      write(() => {
        const { sources, transcriptIds, ...item } = line;
        const stored = { transcriptIds: JSON.stringify(transcriptIds), sources: sources && JSON.stringify(sources) };
        sql(query.save).run({ ...item, ...stored });
        sql(saveItem).run({ ...item, kind: 'conversation', sourceName: '', atMs: item.changedAtMs });
        return null;
      }),
    /** Adds the exchange, or replaces the one with its id. */
    saveExchange: (exchange: Exchange): Result<null> =>
      each([exchange], ({ files, citations, failure, ...facts }) =>
        sql(query.saveExchange).run({
          ...facts,
          files: JSON.stringify(files),
          citations: JSON.stringify(citations),
          failure: failure && JSON.stringify(failure),
        }),
      ),
    fileIds: () => all(({ id }: { id: string }) => [id], query.fileIds),
    facts: (): Result<ReadonlyMap<string, { readonly priced: readonly Priced[]; readonly version: string }>> =>
      read(() => {
        const rows = rowsOf<Readonly<Record<'id' | 'priced' | 'version', string>>>(sql(query.facts));
        return new Map(
          rows.map(({ id, priced, version }) => [id, { priced: JSON.parse(priced) as Priced[], version }]),
        );
      }),
    endInterrupted: () => run(query.endInterrupted),
    /** The last refused because an earlier answer is not settled, unless one succeeded since. */
    pending: (): Result<Exchange | null> => {
      const newest = all(readExchange, query.newest);
      return newest.ok ? ok(newest.value.find(({ state }) => state !== 'done') ?? null) : newest;
    },
  };
}

export type ConversationStore = ReturnType<typeof conversationTables>;
