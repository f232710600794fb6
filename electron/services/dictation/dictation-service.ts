import { randomUUID } from 'node:crypto';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { dictationRate } from '../../../shared/domain/dictation/phrase-cutter.ts';
import type { DictationMode, TakeSummary } from '../../../shared/domain/dictation/take-view.ts';
import { writePhrases, type WrittenPhrase } from '../../../shared/domain/dictation/written-phrases.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { createMemoryTake } from './memory-take.ts';
import { createOpenTakes, type DictationPorts } from './open-takes.ts';
import { summariseTake } from './take-summary.ts';
import type { StoredTake, TakeFacts } from './takes-store.ts';

export interface StartTake {
  readonly language: SpeechLanguage;
  readonly mode: DictationMode;
  readonly device: string;
  /** Nothing of this take goes to the disk. */
  readonly storesNothing: boolean;
}

/** A take that is being spoken. */
export interface Recording {
  readonly takeId: string;
  /** Sound as the microphone gave it; `lostMs`: what it could not give, by its own count. */
  push(pcm: Uint8Array, speech: number | null, lostMs: number): void;
  setLanguage(language: SpeechLanguage): void;
  /** The speaker is done, or the microphone is gone. */
  end(): void;
}

const silenceMs = 10 * 60_000;
const day = 24 * 3_600_000;

/** Takes that are spoken, and those of before. */
export function createDictationService(ports: DictationPorts) {
  let recordingId: string | null = null;
  const open = createOpenTakes(ports, () => recordingId);
  const { tell, write, reopen, closeWhenSettled } = open;

  const summaryOf = (stored: StoredTake): TakeSummary =>
    summariseTake(stored, ports.rules(), recordingId === stored.facts.id);

  const storedOf = (id: string): StoredTake | null => {
    const present = open.get(id);
    if (present === undefined) return ports.takes.read(id);
    return { facts: present.facts, phrases: present.engine.take.phrases };
  };

  const changeFacts = (id: string, part: Partial<TakeFacts>): boolean => {
    const present = open.get(id);
    if (present !== undefined) {
      present.facts = { ...present.facts, ...part };
      write(present, []);
      return true;
    }
    const changed = ports.takes.change(id, part);
    return changed.ok && changed.value;
  };

  return {
    /** Begins a take. One at a time: a second start is refused, and makes no empty take. */
    start({ language, mode, device, storesNothing }: StartTake): Result<Recording> {
      if (recordingId !== null) return err(makeFailure('E-238', { code: 'already_recording' }));
      const facts: TakeFacts = {
        id: randomUUID(),
        startedAtMs: ports.now(),
        title: null,
        language,
        mode,
        device,
        captured: 0,
        known: 0,
        isEnded: false,
        isPinned: false,
        hasSound: !storesNothing,
        transcriptId: null,
        lostMs: 0,
      };
      const onTrouble = (): void => {
        const take = open.get(facts.id);
        if (take === undefined || take.diskTrouble) return;
        take.diskTrouble = true;
        tell(take, false);
      };
      const record = storesNothing ? ok(createMemoryTake()) : ports.takes.create(facts, onTrouble);
      if (!record.ok) return record;
      const take = open.add(record.value, facts);
      recordingId = facts.id;
      take.engine.prepare();
      let lastSpeech = 0;
      const end = (): void => {
        if (recordingId !== facts.id) return;
        recordingId = null;
        take.engine.endCapture();
        take.facts = { ...take.facts, isEnded: true };
        write(take, []);
        tell(take, true);
        void closeWhenSettled(take);
      };
      return ok({
        takeId: facts.id,
        push(pcm, speech, lostMs) {
          if (recordingId !== facts.id) return;
          if (lostMs > take.facts.lostMs) take.facts = { ...take.facts, lostMs };
          take.engine.push(pcm, speech);
          const { captured } = take.engine.take;
          if (take.engine.openSamples > 0) lastSpeech = captured;
          if (captured - lastSpeech > (silenceMs / 1000) * dictationRate) end();
        },
        setLanguage(next) {
          take.engine.setLanguage(next);
          take.facts = { ...take.facts, language: next };
        },
        end,
      });
    },

    /** All but those in the trash. */
    async list(): Promise<readonly TakeSummary[]> {
      return (await this.everything()).filter(({ id }) => !ports.isTrashed(id));
    },

    /** What is on the disk, with what is in the trash. */
    stored: () => ports.takes.list(),

    /** Every take, also one that is stored nowhere. */
    async everything(): Promise<readonly TakeSummary[]> {
      const stored = await ports.takes.list();
      const live = [...open.all()]
        .filter(({ facts }) => !stored.some((one) => one.facts.id === facts.id))
        .map(({ facts, engine }) => ({ facts, phrases: engine.take.phrases }));
      return [...live, ...stored.map((take) => storedOf(take.facts.id) ?? take)].map(summaryOf);
    },

    read(id: string): { readonly summary: TakeSummary; readonly phrases: readonly WrittenPhrase[] } | null {
      const stored = storedOf(id);
      return stored === null
        ? null
        : { summary: summaryOf(stored), phrases: writePhrases(stored.phrases, ports.rules()) };
    },

    storedOf,

    /** Sends again what waits or failed, or one phrase in a language. */
    sendAgain(id: string, phrase: { readonly id: number; readonly language: SpeechLanguage } | null): boolean {
      const take = reopen(id);
      if (take === null) return false;
      if (phrase !== null) take.engine.sendAgain(phrase.id, phrase.language);
      else {
        for (const failed of take.engine.take.phrases.filter(({ state }) => state === 'failed'))
          take.engine.sendAgain(failed.id, failed.language);
        take.engine.tryNow();
      }
      tell(take, true);
      if (recordingId !== id) void closeWhenSettled(take);
      return true;
    },

    discard(id: string, phraseId: number): boolean {
      const take = reopen(id);
      take?.engine.discard(phraseId);
      if (take !== null && recordingId !== id) void closeWhenSettled(take);
      return take !== null;
    },

    noteDelivery(id: string, phraseIds: readonly number[], deliveredTo: string): void {
      const take = reopen(id);
      for (const phraseId of phraseIds) take?.engine.noteDelivery(phraseId, deliveredTo);
    },

    setPinned: (id: string, isPinned: boolean): boolean => changeFacts(id, { isPinned }),
    setTitle: (id: string, title: string): boolean => changeFacts(id, { title }),
    noteTranscript: (id: string, transcriptId: string): boolean => changeFacts(id, { transcriptId }),

    remove(id: string): void {
      const take = open.get(id);
      if (recordingId === id) return;
      open.delete(id);
      take?.engine.close();
      take?.record.close();
      ports.takes.remove(id);
    },

    soundPath: (id: string): string | null =>
      storedOf(id)?.facts.hasSound === true ? ports.takes.soundPath(id) : null,

    /** Sound that was kept long enough goes; texts stay, and so does what is pinned or waits. */
    async removeOldSound(days: number): Promise<void> {
      for (const { facts, phrases } of await ports.takes.list()) {
        const isOld = ports.now() - facts.startedAtMs > days * day;
        const isNeeded = facts.isPinned || open.has(facts.id) || phrases.some(({ state }) => state === 'waiting');
        if (isOld && !isNeeded && facts.hasSound) ports.takes.removeSound(facts.id);
      }
    },

    /** The connection is back, or another one is in use. */
    tryNow(): void {
      for (const { engine } of open.all()) engine.tryNow();
    },

    /** The app ends: what has no text stays on the disk, waiting. */
    async close(): Promise<void> {
      recordingId = null;
      for (const take of open.all()) {
        take.engine.endCapture();
        take.engine.close();
        take.facts = { ...take.facts, isEnded: true };
        write(take, []);
        await take.record.finish();
        take.record.close();
      }
      open.clear();
    },
  };
}

export type DictationService = ReturnType<typeof createDictationService>;
