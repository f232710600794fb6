import { tempoOf, pauseAfter, titleOf, type SpeechDocument } from '../../../shared/domain/speech/speech-document.ts';
import { createHash } from 'node:crypto';
import { markPattern } from '../../../shared/domain/assistant/ask-messages.ts';
import type { TakeSummary } from '../../../shared/domain/dictation/take-view.ts';
import { writePhrases, type WritingRules } from '../../../shared/domain/dictation/written-phrases.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { addAmounts } from '../../../shared/domain/ledger/paid-action.ts';
import type { ItemState } from '../../../shared/domain/library/library-item.ts';
import { countCharacters, withoutMarks } from '../../../shared/domain/speech/split-text.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { chargedFor, type Exchange, type Priced } from '../assistant/conversations.ts';
import type { ConversationService } from '../assistant/conversation-service.ts';
import type { StoredTake as StoredDictation } from '../dictation/take-engine.ts';
import type { DictationService } from '../dictation/dictation-service.ts';
import type { Queue } from '../../queue/queue.ts';
import { readDeletedAtService } from './at-service.ts';
import type { LibrarySource } from './library-items.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';
import { placeOfAudio, type AudioExtractor, type AudioFolder } from '../media/audio-extractor.ts';
import type { SpokenPart, StoredTake } from '../speech/speech-file.ts';
import type { SpeechStore } from '../../storage/sqlite-speech-store.ts';
import type { DeletionService, Traces } from './deletion.ts';
import { findFacts, type TranscriptService } from '../transcripts/transcript-service.ts';

const isOrigin = (state: ItemState): boolean => state === 'made-here' || state === 'made-at-service';

interface TranscriptSourcePorts {
  readonly store: Pick<LibraryStore, 'note' | 'transcriptFacts' | 'items'>;
  readonly transcripts: Pick<TranscriptService, 'rename'>;
  readonly extractor: Pick<AudioExtractor, 'pathOf'>;
  readonly deletion: Pick<DeletionService, 'eraseTrashed'>;
  readonly isPractice: boolean;
  readonly costs: () => ReadonlyMap<string, string>;
  readonly account: () => string | null;
}

export function transcriptSource(ports: TranscriptSourcePorts): LibrarySource {
  const { store, transcripts, extractor, deletion, isPractice, costs, account } = ports;
  return {
    kind: 'transcript',
    list(stored) {
      const known: ReadonlyMap<string, string> = isPractice ? new Map() : costs();
      const deletedThere = readDeletedAtService(store);
      const elsewhere = store.items.elsewhere(account());
      return ok(
        stored.map(({ item, remoteId }) => ({
          ...item,
          isAtService: item.isAtService === true && !elsewhere.has(item.id),
          credits: known.get(remoteId ?? '') ?? null,
          // What is practised with was recognised by nobody.
          states: isPractice ? item.states.filter((state) => !isOrigin(state)) : item.states,
          ...(deletedThere.has(remoteId ?? '')
            ? { isAtService: false, states: [...item.states, 'deleted-at-service' as const] }
            : {}),
        })),
      );
    },
    rename: (id, title) => transcripts.rename(id, title),
    audio(id) {
      // Trashed items can be played too, before they are restored or erased.
      const found = findFacts(store, id);
      if (!found.ok) return found;
      const { mediaPath, mediaSha256, sourceName } = found.value;
      return ok({ path: placeOfAudio(extractor, mediaPath), sha256: mediaSha256, name: sourceName });
    },
    erase: (ids, atService) => deletion.eraseTrashed(ids, atService),
  };
}

export interface IsolationSourcePorts extends Traces {
  readonly store: Pick<LibraryStore, 'listAudio' | 'audio' | 'eraseItems'>;
  readonly jobs: Pick<Queue, 'list' | 'act'>;
  readonly audio: AudioFolder;
}

export const isolationSource = ({ store, jobs, audio, backups, sweep }: IsolationSourcePorts): LibrarySource => ({
  kind: 'isolation',
  list: (stored) => ok(stored.map(({ item }) => item)),
  audio(id) {
    const found = store.audio(id);
    if (!found.ok) return found;
    if (found.value === null) return err(localFailure('deleted-at-service', { code: 'unknown_audio' }));
    const { fileName, sha256, sourceName } = found.value;
    return ok({ path: audio.pathOf(fileName), sha256, name: sourceName });
  },
  async erase(ids) {
    const found = ids.flatMap((id) => {
      const one = store.audio(id);
      return one.ok && one.value !== null ? [one.value] : [];
    });
    await backups.settled();
    const listed = new Set(jobs.list().jobs.map(({ id }) => id));
    const rows = found.map(({ jobId }) => jobId).filter((id) => listed.has(id));
    if (rows.length > 0) await jobs.act(rows, 'remove');
    const erased = store.eraseItems(ids);
    if (!erased.ok) return erased;
    const left = store.listAudio();
    // A copy of an earlier result plays the same file, which stays as long as one of them does.
    const isUsed = (name: string) => left.ok && left.value.some(({ fileName }) => fileName === name);
    // Its other formats are named after its id.
    await Promise.all(
      found
        .flatMap(({ id, fileName }) => (isUsed(fileName) ? [id] : [id, fileName.split('.')[0] ?? id]))
        .map((name) => audio.removeAll(name)),
    );
    await sweep({ transcriptIds: ids, contents: erased.value.unusedContents });
    return ok(null);
  },
});

const titleLength = 80;
const headerBytes = 44;

export interface DictationSourcePorts {
  readonly dictation: Pick<
    DictationService,
    'everything' | 'read' | 'stored' | 'storedOf' | 'setTitle' | 'audioPath' | 'remove'
  >;
  readonly rules: () => WritingRules;
  /** What phrases cost, by their ids in the ledger; null: nothing is charged. */
  readonly costs: () => ReadonlyMap<string, string> | null;
}

interface Shown {
  readonly isShownAsDocument: (take: Pick<TakeSummary, 'id' | 'transcriptId'>) => boolean;
}

function costOf({ facts, phrases }: StoredDictation, costs: ReadonlyMap<string, string>): string | null {
  const known = [
    ...phrases.flatMap(({ texts }) =>
      texts.flatMap(({ received }) => (received.paidIds ?? []).flatMap((id) => costs.get(id) ?? [])),
    ),
    ...[...phrases.map(({ cleanUp }) => cleanUp), ...facts.rewritings].flatMap((one) => one?.credits ?? []),
  ];
  return known.length === 0 ? null : addAmounts(known);
}

export function firstWords(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  if (line.length <= titleLength) return line;
  return `${line.slice(0, line.lastIndexOf(' ', titleLength)).trimEnd() || line.slice(0, titleLength)}…`;
}

/** One that was saved as a document is listed only as that, as long as the document is there. */
export const dictationSource = ({
  dictation,
  rules,
  costs,
  isShownAsDocument,
}: DictationSourcePorts & Shown): LibrarySource => ({
  kind: 'dictation',
  async list(stored) {
    const takes = await dictation.everything();
    const filed = new Map(stored.map(({ item }) => [item.id, item]));
    const known = costs();
    const phrases = known === null ? [] : await dictation.stored();
    const credits = new Map(phrases.map((take) => [take.facts.id, costOf(take, known ?? new Map())]));
    return ok(
      takes
        .filter((take) => !take.isRecording && !isShownAsDocument(take))
        .map((take) => ({
          sourceName: '',
          speakers: [],
          characters: null,
          isAtService: null,
          trashedAtMs: filed.get(take.id)?.trashedAtMs ?? null,
          folderId: filed.get(take.id)?.folderId ?? null,
          tagIds: filed.get(take.id)?.tagIds ?? [],
          kind: 'dictation' as const,
          id: take.id,
          title: take.title ?? firstWords(take.text),
          language: take.language,
          createdAtMs: take.startedAtMs,
          durationMs: take.durationMs,
          sizeBytes: take.hasSound ? Math.round((take.durationMs / 1000) * 32_000) + headerBytes : 0,
          credits: credits.get(take.id) ?? null,
          states: [
            ...(take.waitingCount > 0 ? (['unfinished'] as const) : []),
            ...(take.hasSound ? [] : (['no-audio'] as const)),
          ],
        })),
    );
  },
  rename: async (id, title) =>
    dictation.setTitle(id, title) ? ok(null) : err(localFailure('deleted-at-service', { code: 'no_such_take' })),
  audio(id) {
    const path = dictation.audioPath(id);
    const title = dictation.storedOf(id)?.facts.title ?? '';
    return path === null
      ? err(localFailure('file-unreadable', { code: 'file_missing', params: { name: title } }))
      : ok({ path, sha256: `take-${id}`, name: title });
  },
  async erase(ids) {
    for (const id of ids) dictation.remove(id);
    return ok(null);
  },
  async texts() {
    const known = rules();
    // Other writing rules give other words of the same take.
    const ruleHash = createHash('sha256').update(JSON.stringify(known)).digest('hex').slice(0, 16);
    const listed = (await dictation.stored()).filter(({ facts }) => !isShownAsDocument(facts));
    return listed.map((take) => ({
      id: take.facts.id,
      version: `${take.revision} ${ruleHash}`,
      read() {
        const written = writePhrases(take.phrases, known).filter(
          ({ text, isTakenBack }) => text !== '' && !isTakenBack,
        );
        return {
          title: take.facts.title ?? '',
          moments: written.map(({ startMs, text }) => ({ startMs, text })),
        };
      },
    }));
  },
});

export interface SpeechSourcePorts {
  readonly store: Pick<SpeechStore, 'documents' | 'document' | 'allDocuments' | 'takes'>;
  readonly folder: AudioFolder;
  readonly save: (path: string, parts: readonly SpokenPart[]) => Promise<Result<unknown>>;
}

function charactersCharged({ blocks }: SpeechDocument, takes: ReadonlyMap<string, StoredTake>): number | null {
  const made = [...new Set(blocks.flatMap(({ takeIds }) => takeIds))].flatMap((id) => {
    const take = takes.get(id);
    // What was found at the service was not ordered for this text.
    return take?.state === 'made' && take.idempotencyKey !== null ? [countCharacters(take.text)] : [];
  });
  return made.length === 0 ? null : made.reduce((sum, count) => sum + count, 0);
}

export function speechSource(
  ports: SpeechSourcePorts & Traces & { readonly isPractice: boolean; readonly eraseItems: LibraryStore['eraseItems'] },
): LibrarySource {
  const { store, folder, save, backups, sweep, isPractice, eraseItems } = ports;
  const heard = ({ blocks, defaults }: SpeechDocument, takes: ReadonlyMap<string, StoredTake>) =>
    blocks.map((block) => {
      const known = block.takeId === null ? undefined : takes.get(block.takeId);
      const take = known?.state === 'made' ? known : undefined;
      const tempo = take === undefined ? 1 : tempoOf(block, defaults, take);
      return { block, take, tempo, durationMs: (take?.durationMs ?? 0) / tempo };
    });
  const takesOf = (documents: readonly SpeechDocument[]): Result<ReadonlyMap<string, StoredTake>> => {
    const found = store.takes([
      ...new Set(documents.flatMap(({ blocks }) => blocks.flatMap(({ takeIds }) => takeIds))),
    ]);
    return found.ok ? ok(new Map(found.value.map((take) => [take.id, take]))) : found;
  };
  const find = (id: string): Result<SpeechDocument> => {
    const found = store.document(id);
    if (!found.ok) return found;
    return found.value === null ? err(localFailure('deleted-at-service', { code: 'unknown_text' })) : ok(found.value);
  };

  return {
    kind: 'speech',
    list(stored) {
      const documents = store.allDocuments();
      if (!documents.ok) return documents;
      const takes = takesOf(documents.value);
      if (!takes.ok) return takes;
      const items = new Map(stored.map(({ item }) => [item.id, item]));
      return ok(
        documents.value
          .filter(({ text }) => text.trim() !== '')
          .flatMap((document) => {
            const item = items.get(document.id);
            if (item === undefined) return [];
            const parts = heard(document, takes.value);
            const isWhole = parts.length > 0 && parts.every(({ take }) => take !== undefined);
            const durationMs = parts.reduce(
              (sum, { block, durationMs: ownMs }, at) =>
                sum + ownMs + (at === parts.length - 1 ? 0 : pauseAfter(block, document)),
              0,
            );
            return {
              ...item,
              title: titleOf(document),
              language: document.defaults.language,
              durationMs: isWhole ? Math.round(durationMs) : null,
              sizeBytes: parts.reduce((sum, { take }) => sum + (take?.sizeBytes ?? 0), 0),
              characters: countCharacters(document.text),
              chargedCharacters: isPractice ? null : charactersCharged(document, takes.value),
              states: isWhole ? [] : (['unfinished'] as const),
            };
          }),
      );
    },
    async audio(id) {
      const document = find(id);
      if (!document.ok) return document;
      const takes = takesOf([document.value]);
      if (!takes.ok) return takes;
      const name = titleOf(document.value);
      const missing = err(localFailure('file-unreadable', { code: 'not_spoken_yet', params: { name } }));
      const parts = heard(document.value, takes.value).flatMap(({ block, take, tempo }) =>
        take === undefined
          ? []
          : {
              path: folder.pathOf(take.fileName ?? ''),
              tempo,
              text: withoutMarks(block.text),
              pauseMs: pauseAfter(block, document.value),
            },
      );
      if (parts.length === 0) return missing;
      const path = folder.pathOf(`${id}-whole.wav`);
      const written = await save(path, parts);
      return written.ok ? ok({ path, sha256: `speech-${id}`, name }) : written;
    },
    async erase(ids) {
      await backups.settled();
      const erased = eraseItems(ids);
      if (!erased.ok) return erased;
      await Promise.all([...ids, ...erased.value.takeIds].map((name) => folder.removeAll(name)));
      await sweep({ transcriptIds: ids, contents: [] });
      return ok(null);
    },
    async texts() {
      const lines = store.documents();
      return (lines.ok ? lines.value : []).map(({ id, updatedAtMs, title }) => ({
        id,
        version: `${String(updatedAtMs)} ${title}`,
        read() {
          const found = store.document(id);
          if (!found.ok || found.value === null) return null;
          const document = found.value;
          const takes = takesOf([document]);
          let atMs = 0;
          const moments = heard(document, takes.ok ? takes.value : new Map()).map(({ block, take, durationMs }) => {
            const startMs = Math.round(atMs);
            atMs += take === undefined ? 0 : durationMs + pauseAfter(block, document);
            return { startMs, text: withoutMarks(block.text) };
          });
          return { title: titleOf(document), moments };
        },
      }));
    },
  };
}

export interface ConversationSourcePorts extends Traces {
  readonly store: Pick<LibraryStore, 'eraseItems' | 'conversations'>;
  readonly conversations: Pick<ConversationService, 'end'>;
  /** Practice costs nothing. */
  readonly isPractice: boolean;
  readonly costs: () => ReadonlyMap<string, string>;
}

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
export function conversationSource(ports: ConversationSourcePorts): LibrarySource {
  const { store, conversations, backups, sweep, isPractice, costs } = ports;
  const momentsOf = ({ question, answer }: Exchange, at: number) =>
    [question.trim(), ...linesOf(answer)].filter((text) => text !== '').map((text) => ({ startMs: at, text }));
  return {
    kind: 'conversation',
    list(stored) {
      const facts = store.conversations.facts();
      if (!facts.ok) return facts;
      const known = costs();
      return ok(
        stored.map(({ item }) => ({ ...item, credits: costOf(facts.value.get(item.id)?.priced ?? [], known) })),
      );
    },
    audio: () => err(localFailure('deleted-at-service', { code: 'no_audio' })),
    async erase(ids) {
      for (const id of ids) {
        const ended = await conversations.end(id);
        if (!ended.ok) return ended;
      }
      await backups.settled();
      const erased = store.eraseItems(ids);
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

  function costOf(priced: readonly Priced[], known: ReadonlyMap<string, string>): string | null {
    const credits = priced.flatMap((one) => chargedFor(one, known) ?? []);
    return isPractice || credits.length === 0 ? null : addAmounts(credits);
  }
}
