import { z } from 'zod';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import type { LibraryStore } from '../library/store.ts';
import type { AssistantService } from './assistant-service.ts';
import type { ConversationStore } from './conversation-store.ts';

interface QuestionFilesPorts {
  readonly store: Pick<ConversationStore, 'fileIds'>;
  readonly notes: Pick<LibraryStore, 'note' | 'saveNote'>;
  readonly assistant: Pick<AssistantService, 'detach'>;
  readonly log: Logger;
}

const noted = lazySchema(() => z.array(z.string()));

/**
 * The files that questions have at the service. Their ids are noted apart from the conversations, so that a file whose
 * conversation was erased can still be deleted there, after a restart too. Files with the same content are one file at
 * the service, which several conversations may use.
 */
export function createQuestionFiles({ store, notes, assistant, log }: QuestionFilesPorts) {
  const stop = new AbortController();
  let last: Promise<void> = Promise.resolve();

  const read = (): readonly string[] => {
    const note = notes.note('question-files');
    if (!note.ok || note.value === null) return [];
    try {
      return noted().parse(JSON.parse(note.value));
    } catch {
      return [];
    }
  };
  const remember = (uploaded: readonly string[] = []): readonly string[] | null => {
    const used = store.fileIds();
    if (!used.ok) return null;
    const before = read();
    const all = [...new Set([...before, ...used.value, ...uploaded])];
    if (all.length > before.length) notes.saveNote('question-files', JSON.stringify(all));
    return all.filter((id) => !used.value.includes(id));
  };
  const sweep = async (isAsking: () => boolean): Promise<void> => {
    for (const id of remember() ?? []) {
      // A question that is being asked may be about to use the same content again.
      if (isAsking() || stop.signal.aborted) return;
      // oxlint-disable-next-line no-await-in-loop -- one that fails ends it: the others would fail too
      const removed = await assistant.detach(id, stop.signal);
      if (!removed.ok) {
        log.write({ event: 'not-deleted-at-service', level: 'warn', row: removed.error.row });
        return;
      }
      notes.saveNote('question-files', JSON.stringify(read().filter((one) => one !== id)));
    }
  };

  return {
    /** Notes the files of the questions that are kept, and those that were uploaded for one. */
    remember: (uploaded: readonly string[]): void => void remember(uploaded),
    /**
     * Resolves when nothing is being deleted, or when it is aborted: a file that is uploaded meanwhile could be the one
     * that is going.
     */
    async settled(signal: AbortSignal): Promise<void> {
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      if (!signal.aborted) await Promise.race([last, aborted]);
    },
    /** Deletes the files that no kept question has. What fails stays noted, and the next call tries it again. */
    sweep(isAsking: () => boolean): Promise<void> {
      // A sweep that throws must not keep the next one from starting.
      last = last
        .then(() => sweep(isAsking))
        .catch(() => log.write({ event: 'not-deleted-at-service', level: 'warn' }));
      return last;
    },
    async close(): Promise<void> {
      stop.abort();
      await last;
    },
  };
}
