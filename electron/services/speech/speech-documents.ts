import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { SpeechDefaults } from '../../../shared/domain/speech/blocks.ts';
import type { Pronunciation } from '../../../shared/domain/speech/find-readings.ts';
import {
  emptyDocument,
  pauseAfter,
  titleOf,
  tempoOf,
  type SpeechDocument,
} from '../../../shared/domain/speech/speech-document.ts';
import { withoutMarks } from '../../../shared/domain/speech/split-text.ts';
import type { SpeechVoice, VoiceCatalogue, VoiceMarks } from '../../../shared/domain/speech/voices.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { SpeakApi } from '../../service/speak.ts';
import type { SpeechStore } from '../../storage/sqlite-speech-store.ts';

export type Pronunciations = Readonly<Partial<Record<SpeechLanguage, readonly Pronunciation[]>>>;

export interface SpokenDocument {
  readonly id: string;
  readonly title: string;
  readonly takeIds: readonly string[];
  readonly parts: readonly {
    readonly takeId: string;
    readonly pauseMs: number;
    readonly text: string;
    readonly tempo: number;
    readonly startMs?: number;
  }[];
}

interface SpeechDocumentsPorts {
  readonly store: SpeechStore;
  readonly api: SpeakApi;
  readonly isTrashed: (id: string) => boolean;
  readonly now: () => number;
  readonly newId: () => string;
}

export function createSpeechDocuments({ store, api, isTrashed, now, newId }: SpeechDocumentsPorts) {
  const readNote = <T>(name: Parameters<SpeechStore['note']>[0]): Result<T | null> => {
    const note = store.note(name);
    if (!note.ok) return note;
    return ok(note.value === null ? null : (JSON.parse(note.value) as T));
  };
  const list = () => {
    const listed = store.documents();
    return listed.ok ? ok(listed.value.filter(({ id }) => !isTrashed(id))) : listed;
  };
  const create = (defaults: SpeechDefaults): Result<SpeechDocument> => {
    const document = emptyDocument(newId(), defaults);
    const saved = store.saveDocument(document, now());
    return saved.ok ? ok(document) : saved;
  };

  return {
    list,
    /** The given text, by default the last changed one; a new one in this language where there is none. */
    open(id: string | null, language: SpeechLanguage = 'uz'): Result<SpeechDocument> {
      const usualDefaults: SpeechDefaults = { language, voiceId: '', otherVoices: {}, speed: 1 };
      const listed = list();
      if (!listed.ok) return listed;
      const wanted = listed.value.find((line) => line.id === id) ?? listed.value[0];
      if (wanted === undefined) return create(usualDefaults);
      const document = store.document(wanted.id);
      if (!document.ok) return document;
      return document.value === null ? create(usualDefaults) : ok(document.value);
    },
    create,
    textsWith(takeIds: ReadonlySet<string>): Result<readonly SpokenDocument[]> {
      const texts = store.allDocuments();
      if (!texts.ok) return texts;
      const wanted = texts.value.filter(
        ({ id, blocks }) => blocks.some((block) => block.takeIds.some((take) => takeIds.has(take))) && !isTrashed(id),
      );
      const takes = store.takes(wanted.flatMap(({ blocks }) => blocks.flatMap(({ takeId }) => takeId ?? [])));
      if (!takes.ok) return takes;
      const byId = new Map(takes.value.map((take) => [take.id, take]));
      return ok(
        wanted.map((document) => ({
          id: document.id,
          title: titleOf(document),
          takeIds: [...new Set(document.blocks.flatMap((block) => block.takeIds))],
          parts: document.blocks.flatMap((block) => {
            const take = byId.get(block.takeId ?? '');
            return take === undefined
              ? []
              : [
                  {
                    takeId: take.id,
                    tempo: tempoOf(block, document.defaults, take),
                    pauseMs: pauseAfter(block, document),
                    text: withoutMarks(block.text),
                    ...(block.slot != null && { startMs: block.slot.startMs }),
                  },
                ];
          }),
        })),
      );
    },
    save: (document: SpeechDocument): Result<null> => store.saveDocument(document, now()),
    /** The current list of the service, or the last known one while it can't be reached. */
    async voices(signal?: AbortSignal): Promise<Result<VoiceCatalogue>> {
      const [catalog, listed] = await Promise.all([api.catalog(signal), api.voices({}, signal)]);
      if (listed.ok) {
        const voices = listed.value.items.map(
          ({ voiceId, name, languages, gender, kind, description, orbPalette, canManage }): SpeechVoice => ({
            id: voiceId,
            name: name ?? voiceId,
            languages,
            gender,
            isOwn: canManage || kind === 'custom',
            description,
            palette: orbPalette,
          }),
        );
        const languages = catalog.ok
          ? catalog.value.languages.map(({ code }) => code)
          : [...new Set(voices.flatMap((voice) => voice.languages))];
        const canSpeak = !catalog.ok || catalog.value.languages.some(({ isAvailable }) => isAvailable);
        const catalogue: VoiceCatalogue = { voices, languages, canSpeak, readAtMs: now(), failure: null };
        store.saveNote('speech-voices', JSON.stringify(catalogue));
        return ok(catalogue);
      }
      const kept = readNote<VoiceCatalogue>('speech-voices');
      if (!kept.ok) return kept;
      if (kept.value === null) return err(listed.error);
      // A list stored by an earlier version has no palettes.
      const known = kept.value.voices.map((voice) => ({ ...voice, palette: voice.palette ?? null }));
      return ok({ ...kept.value, voices: known, failure: listed.error });
    },
    voiceMarks(): Result<VoiceMarks> {
      const kept = readNote<VoiceMarks>('speech-voice-marks');
      return kept.ok ? ok(kept.value ?? { favourites: [], recent: [] }) : kept;
    },
    saveVoiceMarks: (marks: VoiceMarks): Result<null> => store.saveNote('speech-voice-marks', JSON.stringify(marks)),
    pronunciations(): Result<Pronunciations> {
      const kept = readNote<Pronunciations>('speech-pronunciations');
      return kept.ok ? ok(kept.value ?? {}) : kept;
    },
    savePronunciations: (list: Pronunciations): Result<null> =>
      store.saveNote('speech-pronunciations', JSON.stringify(list)),
  };
}

export type SpeechDocuments = ReturnType<typeof createSpeechDocuments>;
