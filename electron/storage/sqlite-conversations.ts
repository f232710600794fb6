import { failureNumbers } from '../../shared/result/failure-kinds.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import type { ConversationLine, Exchange, Priced } from '../services/assistant/conversations.ts';
import { elseSet, insertInto, read, rowsOf, saveItem, selected, withJson, type Tables } from './sqlite-database.ts';

const conversation = withJson<ConversationLine>('transcriptIds sources');
const exchange = withJson<Exchange>('files citations failure');
/** A row that can't be understood is passed over. */
const understood =
  <T>({ read }: { read(row: object): T }) =>
  (row: object): T | null => {
    try {
      return read(row);
    } catch {
      return null;
    }
  };

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

export function conversationTables({ sql, write, run, rowsAs }: Tables) {
  const lines = rowsAs(understood(conversation));
  const answers = rowsAs(understood(exchange));

  return {
    list: () => lines.all(query.list),
    find: (id: string) => lines.one(query.find, id),
    exchanges: (conversationId: string) => answers.all(query.exchanges, conversationId),
    exchange: (id: string) => answers.one(query.exchange, id),
    save: (line: ConversationLine): Result<null> =>
      write(() => {
        const stored = conversation.write(line);
        sql(query.save).run(stored);
        sql(saveItem).run({ ...stored, kind: 'conversation', sourceName: '', atMs: line.changedAtMs });
        return null;
      }),
    /** Adds the exchange, or replaces the one with its id. */
    saveExchange: (asked: Exchange) => run(query.saveExchange, exchange.write(asked)),
    fileIds: () => rowsAs(({ id }: { readonly id: string }) => id).all(query.fileIds),
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
      const newest = answers.one(query.newest);
      return newest.ok && newest.value?.state === 'done' ? ok(null) : newest;
    },
  };
}

export type ConversationStore = ReturnType<typeof conversationTables>;
