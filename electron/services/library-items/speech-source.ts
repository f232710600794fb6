import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { countCharacters, withoutMarks } from '../../../shared/domain/speech/split-text.ts';
import { tempoOf } from '../../../shared/domain/speech/tempo.ts';
import { pauseAfter, titleOf, type SpeechDocument } from '../../../shared/domain/speech/speech-document.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { AudioFolder } from '../media/audio-folder.ts';
import type { SpokenPart } from '../speech/speech-file.ts';
import type { SpeechStore, StoredTake } from '../speech/speech-store.ts';
import type { Traces } from '../transcripts/deletion.ts';
import type { LibrarySource } from './library-items.ts';

export interface SpeechSourcePorts {
  readonly store: Pick<
    SpeechStore,
    'documents' | 'document' | 'allDocuments' | 'saveDocument' | 'eraseDocuments' | 'takes'
  >;
  readonly folder: AudioFolder;
  /** Joins the parts into a WAV, completely or not at all. */
  readonly save: (path: string, parts: readonly SpokenPart[]) => Promise<Result<unknown>>;
}

/** Texts with speech, each as one item. */
export const speechSource = ({ store, folder, save, copies, sweep }: SpeechSourcePorts & Traces): LibrarySource => {
  /** Each block with its current take; undefined where none was made. */
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
    return found.value === null ? err(localFailure('E-040', { code: 'unknown_text' })) : ok(found.value);
  };

  return {
    kind: 'speech',
    list() {
      const documents = store.allDocuments();
      if (!documents.ok) return documents;
      const takes = takesOf(documents.value);
      if (!takes.ok) return takes;
      return ok(
        documents.value
          .filter(({ text }) => text.trim() !== '')
          .map((document) => {
            const parts = heard(document, takes.value);
            const isWhole = parts.length > 0 && parts.every(({ take }) => take !== undefined);
            const durationMs = parts.reduce(
              (sum, { block, durationMs: ownMs }, at) =>
                sum + ownMs + (at === parts.length - 1 ? 0 : pauseAfter(block, document)),
              0,
            );
            return {
              kind: 'speech' as const,
              id: document.id,
              title: titleOf(document),
              sourceName: '',
              language: document.defaults.language,
              createdAtMs: document.updatedAtMs,
              durationMs: isWhole ? Math.round(durationMs) : null,
              speakers: [],
              sizeBytes: parts.reduce((sum, { take }) => sum + (take?.sizeBytes ?? 0), 0),
              credits: null,
              characters: countCharacters(document.text),
              states: isWhole ? [] : (['unfinished'] as const),
              isAtService: null,
              trashedAtMs: null,
            };
          }),
      );
    },
    async rename(id, title) {
      const documents = store.allDocuments();
      if (!documents.ok) return documents;
      const found = documents.value.find((document) => document.id === id);
      if (found === undefined) return err(localFailure('E-040', { code: 'unknown_text' }));
      const { updatedAtMs, ...document } = found;
      // Renaming is no edit of the text, so its position in the order does not change.
      return store.saveDocument({ ...document, title }, updatedAtMs);
    },
    async audio(id) {
      const document = find(id);
      if (!document.ok) return document;
      const takes = takesOf([document.value]);
      if (!takes.ok) return takes;
      const name = titleOf(document.value);
      const missing = err(localFailure('E-010', { code: 'not_spoken_yet', params: { name } }));
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
      await copies.settled();
      const erased = store.eraseDocuments(ids);
      if (!erased.ok) return erased;
      await Promise.all([...ids, ...erased.value].map((name) => folder.removeAll(name)));
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
};
