import { markPattern } from '../../../shared/domain/assistant/ask-messages.ts';
import { addAmounts } from '../../../shared/domain/ledger/paid-action.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { ConversationService } from '../assistant/conversations.ts';
import type { ConversationStore, Exchange } from '../assistant/conversation-store.ts';
import type { LibraryStore } from '../library/store.ts';
import type { Traces } from '../transcripts/deletion.ts';
import type { LibrarySource } from './library-items.ts';

export interface ConversationSourcePorts extends Traces {
  readonly store: Pick<LibraryStore, 'eraseTranscripts'> & { readonly conversations: ConversationStore };
  readonly conversations: Pick<ConversationService, 'rename' | 'end'>;
  /** Practice costs nothing. */
  readonly isPractice: boolean;
}

/** The lines of an answer without citation marks and heading signs. */
const linesOf = (answer: string): readonly string[] =>
  answer
    .split('\n')
    .map((line) =>
      line
        .replaceAll(markPattern, '')
        .replaceAll(/\s+(?=[.,;:!?])/gu, '')
        .replaceAll('**', '')
        .replace(/^#+\s/u, '')
        .trim(),
    )
    .filter((line) => line !== '');

/** Questions and answers about transcripts. A moment of a conversation is the index of a question instead of a time. */
export const conversationSource = ({
  store,
  conversations,
  copies,
  sweep,
  isPractice,
}: ConversationSourcePorts): LibrarySource => {
  const momentsOf = ({ question, answer }: Exchange, at: number) =>
    [question.trim(), ...linesOf(answer)].filter((text) => text !== '').map((text) => ({ startMs: at, text }));
  return {
    kind: 'conversation',
    list() {
      const listed = store.conversations.list();
      if (!listed.ok) return listed;
      const facts = store.conversations.facts();
      if (!facts.ok) return facts;
      return ok(
        listed.value.map(({ id, title, changedAtMs }) => ({
          kind: 'conversation' as const,
          id,
          title,
          sourceName: '',
          language: null,
          createdAtMs: changedAtMs,
          durationMs: null,
          speakers: [],
          sizeBytes: null,
          credits: costOf(facts.value.get(id)?.credits ?? []),
          characters: null,
          states: [],
          isAtService: null,
          trashedAtMs: null,
        })),
      );
    },
    rename: async (id, title) => conversations.rename(id, title),
    audio: () => err(localFailure('E-040', { code: 'no_audio' })),
    async erase(ids) {
      for (const id of ids) {
        // oxlint-disable-next-line no-await-in-loop -- at most one is answered
        const ended = await conversations.end(id);
        if (!ended.ok) return ended;
      }
      await copies.settled();
      const erased = store.eraseTranscripts(ids);
      if (!erased.ok) return erased;
      await sweep({ transcriptIds: ids, contents: [] });
      return ok(null);
    },
    async texts() {
      const listed = store.conversations.list();
      const facts = store.conversations.facts();
      if (!listed.ok || !facts.ok) return [];
      return listed.value.map(({ id, title }) => ({
        id,
        version: `${facts.value.get(id)?.version ?? ''} ${title}`,
        read() {
          const exchanges = store.conversations.exchanges(id);
          return exchanges.ok ? { title, moments: exchanges.value.flatMap(momentsOf) } : null;
        },
      }));
    },
  };

  function costOf(credits: readonly string[]): string | null {
    return isPractice || credits.length === 0 ? null : addAmounts(credits);
  }
};
