import type { SpeechDefaults } from '../../../shared/domain/speech/blocks.ts';
import type { Pronunciation } from '../../../shared/domain/speech/find-readings.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import {
  emptyDocument,
  pauseAfter,
  titleOf,
  type SpeechDocument,
} from '../../../shared/domain/speech/speech-document.ts';
import { tempoOf } from '../../../shared/domain/speech/tempo.ts';
import { withoutMarks } from '../../../shared/domain/speech/split-text.ts';
import type { SpeechVoice, VoiceCatalogue, VoiceMarks } from '../../../shared/domain/speech/voices.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { SpeakApi } from '../../api/resources/speak.ts';
import type { DocumentLine, SpeechStore } from './speech-store.ts';

/** Words of all texts, by language. */
export type Pronunciations = Readonly<Partial<Record<SpeechLanguage, readonly Pronunciation[]>>>;

/** Texts to speak, the voices for them, and the pronunciations for all of them. */
export interface SpeechDocuments {
  /** Those that are not in the trash, newest first. */
  list(): Result<readonly DocumentLine[], Failure>;
  /** The given text, by default the last changed one; a new one in this language where there is none. */
  open(id: string | null, language?: SpeechLanguage): Result<SpeechDocument, Failure>;
  create(defaults: SpeechDefaults): Result<SpeechDocument, Failure>;
  /** The texts, newest first, that these takes belong to. */
  textsWith(takeIds: ReadonlySet<string>): Result<readonly SpokenDocument[], Failure>;
  save(document: SpeechDocument): Result<null, Failure>;
  /** The current list of the service, or the last known one while it can't be reached. */
  voices(signal?: AbortSignal): Promise<Result<VoiceCatalogue, Failure>>;
  /** Favourites, and the voices used lately. */
  voiceMarks(): Result<VoiceMarks, Failure>;
  saveVoiceMarks(marks: VoiceMarks): Result<null, Failure>;
  pronunciations(): Result<Pronunciations, Failure>;
  savePronunciations(list: Pronunciations): Result<null, Failure>;
}

/** A text with the audio of its current takes. */
export interface SpokenDocument {
  readonly id: string;
  readonly title: string;
  /** All that it keeps. */
  readonly takeIds: readonly string[];
  /** What is heard of it, in order. */
  readonly parts: readonly {
    readonly takeId: string;
    readonly pauseMs: number;
    readonly text: string;
    readonly tempo: number;
    readonly startMs?: number;
  }[];
}

export interface SpeechDocumentsPorts {
  readonly store: SpeechStore;
  readonly api: SpeakApi;
  /** Whether a text is in the trash of the library. */
  readonly isTrashed: (id: string) => boolean;
  readonly now: () => number;
  readonly newId: () => string;
}

export function createSpeechDocuments({ store, api, isTrashed, now, newId }: SpeechDocumentsPorts): SpeechDocuments {
  const readNote = <T>(name: Parameters<SpeechStore['note']>[0]): Result<T | null, Failure> => {
    const note = store.note(name);
    if (!note.ok) return note;
    return ok(note.value === null ? null : (JSON.parse(note.value) as T));
  };
  const list = () => {
    const listed = store.documents();
    return listed.ok ? ok(listed.value.filter(({ id }) => !isTrashed(id))) : listed;
  };
  const create = (defaults: SpeechDefaults): Result<SpeechDocument, Failure> => {
    const document = emptyDocument(newId(), defaults);
    const saved = store.saveDocument(document, now());
    return saved.ok ? ok(document) : saved;
  };

  return {
    list,
    open(id, language = 'uz') {
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
    textsWith(takeIds) {
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
    save: (document) => store.saveDocument(document, now()),
    async voices(signal) {
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
    voiceMarks() {
      const kept = readNote<VoiceMarks>('speech-voice-marks');
      return kept.ok ? ok(kept.value ?? { favourites: [], recent: [] }) : kept;
    },
    saveVoiceMarks: (marks) => store.saveNote('speech-voice-marks', JSON.stringify(marks)),
    pronunciations() {
      const kept = readNote<Pronunciations>('speech-pronunciations');
      return kept.ok ? ok(kept.value ?? {}) : kept;
    },
    savePronunciations: (list) => store.saveNote('speech-pronunciations', JSON.stringify(list)),
  };
}
