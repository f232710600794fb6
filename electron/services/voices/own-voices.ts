import { detailsFrom, labelsOf, type VoiceDetails } from '../../../shared/domain/voices/clone-rules.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { CloneApi } from '../../api/resources/clone.ts';
import type { SpeechStore } from '../speech/speech-store.ts';

/** Voices that this account cloned (contract 4.12). */
export interface OwnVoices {
  details(
    voiceId: string,
  ): Promise<Result<{ readonly details: VoiceDetails; readonly language: string | null }, Failure>>;
  /** Always sends all details; the language of the recording can't be changed. */
  saveDetails(voiceId: string, details: VoiceDetails, language: string): Promise<Result<null, Failure>>;
  /** `isCleaningUp`: the voice is disabled and its recordings are still being deleted; `goOn` repeats the request. */
  remove(voiceId: string): Promise<Result<{ readonly isCleaningUp: boolean }, Failure>>;
  /** Voices that are disabled but not completely deleted yet. */
  beingRemoved(): readonly string[];
  /** Repeats the deletions that are not finished or not answered (E-097). */
  goOn(): Promise<void>;
}

export interface OwnVoicesPorts {
  readonly store: Pick<SpeechStore, 'note' | 'saveNote'>;
  readonly api: CloneApi;
}

const note = 'voice-removals';

export function createOwnVoices({ store, api }: OwnVoicesPorts): OwnVoices {
  const listed = (): readonly string[] => {
    const kept = store.note(note);
    return kept.ok && kept.value !== null ? (JSON.parse(kept.value) as readonly string[]) : [];
  };
  const keep = (ids: readonly string[]) => store.saveNote(note, JSON.stringify([...new Set(ids)]));

  /** Recorded before it is requested, so that a crash leaves no half-finished deletion behind. */
  const remove: OwnVoices['remove'] = async (voiceId) => {
    const before = listed();
    const noted = keep([...before, voiceId]);
    if (!noted.ok) return noted;
    const removed = await api.remove(voiceId);
    const isCleaningUp = !removed.ok && removed.error.row === 'E-097';
    // Whatever stops a repeat, or takes the answer of the first request: recordings may still be at the service.
    const mayBeHalfDone = before.includes(voiceId) || (!removed.ok && removed.error.outcome === 'unknown');
    if (removed.ok || !(isCleaningUp || mayBeHalfDone)) keep(listed().filter((id) => id !== voiceId));
    return removed.ok || isCleaningUp ? ok({ isCleaningUp }) : removed;
  };

  return {
    async details(voiceId) {
      const answer = await api.metadata(voiceId);
      return answer.ok
        ? ok({ details: detailsFrom(answer.value), language: answer.value.labels['language'] ?? null })
        : answer;
    },
    async saveDetails(voiceId, details, language) {
      const saved = await api.replaceMetadata(voiceId, {
        name: details.name.trim(),
        description: details.description.trim(),
        labels: labelsOf(details, language),
        orbPalette: details.palette,
      });
      return saved;
    },
    remove,
    beingRemoved: listed,
    async goOn() {
      for (const voiceId of listed()) await remove(voiceId);
    },
  };
}
