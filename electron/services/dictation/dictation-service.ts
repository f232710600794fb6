import { randomUUID } from 'node:crypto';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { isModelStyle, type WritingStyle } from '../../../shared/domain/dictation/clean-up.ts';
import { dictationRate } from '../../../shared/domain/dictation/phrase-cutter.ts';
import { msOfSamples, writePhrases, type WrittenPhrase } from '../../../shared/domain/dictation/written-phrases.ts';
import type { DictationMode, TakeSummary } from '../../../shared/domain/dictation/take-view.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { createMemoryTake, summariseTake } from './take-summary.ts';
import { cutsOf, openTakes, stretchesOf, type DictationPorts, type OpenTake } from './open-takes.ts';
import type { PhraseChange } from './take-engine.ts';
import type { StoredTake, TakeFacts } from './takes-store.ts';

export interface StartTake {
  readonly language: SpeechLanguage;
  readonly mode: DictationMode;
  readonly device: string;
  /** Nothing of this take goes to the disk. */
  readonly storesNothing: boolean;
  /** The take to continue; null, or the id of a take that no longer exists: a new one. */
  readonly continues: string | null;
}

/** A take that is being spoken. */
export interface Recording {
  readonly takeId: string;
  /** How long it was before it went on. */
  readonly fromMs: number;
  /** Audio from the microphone; `lostMs`: how much it lost by its own count. */
  push(pcm: Uint8Array, speech: number | null, lostMs: number): void;
  setLanguage(language: SpeechLanguage): void;
  /** The user stopped, or the microphone is gone. */
  end(): void;
}

/** The audio of a take is one file with a maximum length; eight hours are far below it. */
const longestTake = 8 * 3600 * dictationRate;
/**
 * After this much silence a take ends by itself: nobody holds a key and says nothing, so the key's release was lost.
 */
const silenceMs: Readonly<Record<DictationMode, number>> = {
  hold: 2 * 60_000,
  toggle: 10 * 60_000,
  'hands-free': 10 * 60_000,
};
const day = 24 * 3_600_000;

/** Takes that are being spoken, and earlier ones. */
export function createDictationService(ports: DictationPorts) {
  const takes = openTakes(ports);
  const { isSpoken, openEngine, reopen, closeWhenSettled, storedOf, changeFacts, publish, write, open } = takes;

  let isSendingLeft = false;
  let isClosed = false;

  const summaryOf = (stored: StoredTake): TakeSummary =>
    summariseTake(stored, ports.rules(), isSpoken(stored.facts.id));

  const changePhrase = (id: string, phraseId: number, part: PhraseChange): boolean => {
    const phrase = storedOf(id)?.phrases[phraseId - 1];
    if (phrase === undefined) return false;
    const present = open.get(id);
    if (present !== undefined) {
      present.engine.change(phraseId, part);
      return true;
    }
    if (!ports.takes.changePhrase(id, { ...phrase, ...part }).ok) return false;
    const stored = ports.takes.read(id);
    if (stored !== null) takes.publishStored(stored);
    return true;
  };

  /** A phrase that the user corrected keeps its style: the correction would be lost. */
  const canCleanUp = (id: string, phraseId: number): boolean => {
    const phrase = storedOf(id)?.phrases[phraseId - 1];
    return phrase?.state === 'text' && phrase.edited === null;
  };

  /** The take of a session, to continue it; null when it is gone, or is stored differently than requested now. */
  const openAgain = ({ language, mode, storesNothing, continues }: StartTake): OpenTake | null => {
    if (continues === null || ports.isTrashed(continues)) return null;
    const take = reopen(continues);
    if (take === null || take.isStored === storesNothing || take.engine.take.captured > longestTake) return null;
    const stretch = { from: take.engine.take.captured, atMs: ports.now() };
    take.facts = { ...take.facts, language, mode, isEnded: false, goesOn: [...take.facts.goesOn, stretch] };
    write(take, []);
    take.engine.goOn({ language, ...cutsOf(mode) });
    return take;
  };

  const openNew = ({ language, mode, device, storesNothing }: StartTake): Result<OpenTake> => {
    const facts: TakeFacts = {
      id: randomUUID(),
      startedAtMs: ports.now(),
      goesOn: [],
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
    // A session that stored nothing ends when the next one starts.
    for (const [id, { isStored, engine, record, ended }] of open) {
      if (isStored || engine.waiting > 0) continue;
      open.delete(id);
      ended.abort();
      engine.close();
      record.close();
    }
    const record = storesNothing
      ? ok(createMemoryTake())
      : ports.takes.create(facts, () => takes.noteTrouble(facts.id));
    if (!record.ok) return record;
    const take = openEngine(record.value, facts, undefined, !storesNothing);
    take.engine.prepare();
    return ok(take);
  };

  const remove = (id: string): void => {
    const take = open.get(id);
    if (isSpoken(id)) return;
    open.delete(id);
    take?.ended.abort();
    take?.engine.close();
    take?.record.close();
    ports.takes.remove(id);
  };

  return {
    /** Begins a take or continues one. One at a time: a second start is refused, and leaves no empty take. */
    start(options: StartTake): Result<Recording> {
      if (takes.isAnySpoken()) return err(makeFailure('E-238', { code: 'already_recording' }));
      const again = openAgain(options);
      const opened = again === null ? openNew(options) : ok(again);
      if (!opened.ok) return opened;
      const take = opened.value;
      const { id, lostMs: lostBefore } = take.facts;
      takes.setSpoken(id);
      let lastSpeech = take.engine.take.captured;
      publish(take, true);
      const end = (): void => {
        if (!isSpoken(id)) return;
        takes.setSpoken(null);
        take.engine.endCapture();
        take.facts = { ...take.facts, isEnded: true };
        write(take, []);
        publish(take, true);
        // The microphone could not be opened.
        if (take.engine.take.captured === 0) remove(id);
        else void closeWhenSettled(take);
      };
      return ok({
        takeId: id,
        fromMs: msOfSamples(lastSpeech),
        push(pcm, speech, lostMs) {
          if (!isSpoken(id)) return;
          if (lostBefore + lostMs > take.facts.lostMs) take.facts = { ...take.facts, lostMs: lostBefore + lostMs };
          take.engine.push(pcm, speech);
          const { captured } = take.engine.take;
          if (take.engine.openSamples > 0) lastSpeech = captured;
          if (captured - lastSpeech > (silenceMs[options.mode] / 1000) * dictationRate) end();
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

    /** The takes on disk, including those in the trash. */
    stored: () => ports.takes.list(),

    /** All takes, including those that are stored nowhere. */
    async everything(): Promise<readonly TakeSummary[]> {
      const stored = await ports.takes.list();
      const live = [...open.values()]
        .filter(({ facts }) => !stored.some((one) => one.facts.id === facts.id))
        .map(({ facts, engine }) => ({ facts, phrases: engine.take.phrases }));
      return [...live, ...stored.map((take) => storedOf(take.facts.id) ?? take)].map(summaryOf);
    },

    read(id: string): { readonly summary: TakeSummary; readonly phrases: readonly WrittenPhrase[] } | null {
      const stored = storedOf(id);
      if (stored === null) return null;
      const present = open.get(id);
      return {
        summary: summaryOf(stored),
        phrases:
          present === undefined
            ? writePhrases(stored.phrases, ports.rules(), stretchesOf(stored.facts))
            : takes.writtenOf(present),
      };
    },

    storedOf,

    /** Sends again what waits or failed, or one phrase in another language. */
    sendAgain(id: string, phrase: { readonly id: number; readonly language: SpeechLanguage } | null): boolean {
      const take = reopen(id);
      if (take === null) return false;
      if (phrase !== null) take.engine.sendAgain(phrase.id, phrase.language);
      else {
        for (const failed of take.engine.take.phrases.filter(({ state }) => state === 'failed'))
          take.engine.sendAgain(failed.id, failed.language);
        take.engine.tryNow();
      }
      publish(take, true);
      if (!isSpoken(id)) void closeWhenSettled(take);
      return true;
    },

    discard(id: string, phraseId: number): boolean {
      const take = reopen(id);
      take?.engine.discard(phraseId);
      if (take !== null && !isSpoken(id)) void closeWhenSettled(take);
      return take !== null;
    },

    /** Takes back a discard. */
    restore(id: string, phraseId: number): boolean {
      const take = reopen(id);
      take?.engine.restore(phraseId);
      if (take !== null && !isSpoken(id)) void closeWhenSettled(take);
      return take !== null;
    },

    /** The user's text for a phrase; null restores the recognised one. */
    edit: (id: string, phraseId: number, edited: string | null): boolean => changePhrase(id, phraseId, { edited }),

    /** Shows the user's own words of a phrase, or what clean-up made of them. */
    showRaw: (id: string, phraseId: number, showsRaw: boolean): boolean => changePhrase(id, phraseId, { showsRaw }),

    /**
     * How many characters a style would send to a model; 0 for none, and for one that is on its way. Null for a phrase
     * that can't be written in another style.
     */
    charactersToSend(id: string, phraseId: number, style: WritingStyle): number | null {
      if (!canCleanUp(id, phraseId)) return null;
      const present = open.get(id);
      const isNeeded = isModelStyle(style) && (present === undefined || !takes.isArriving(present, phraseId, style));
      return isNeeded ? (this.read(id)?.phrases[phraseId - 1]?.raw.length ?? 0) : 0;
    },

    /**
     * Writes a phrase in another style; `sendsAgain`: even if an earlier try may have been charged. False for one that
     * can't be.
     */
    cleanUp(id: string, phraseId: number, style: WritingStyle, sendsAgain: boolean): boolean {
      const take = canCleanUp(id, phraseId) ? reopen(id) : null;
      if (take === null) return false;
      takes.rewrite(take, phraseId, style, sendsAgain);
      if (!isSpoken(id)) void closeWhenSettled(take);
      return true;
    },

    noteDelivery(id: string, phraseIds: readonly number[], deliveredTo: string): void {
      const take = reopen(id);
      for (const phraseId of phraseIds) take?.engine.change(phraseId, { deliveredTo });
    },

    setPinned: (id: string, isPinned: boolean): boolean => changeFacts(id, { isPinned }),
    setTitle: (id: string, title: string): boolean => changeFacts(id, { title }),
    noteTranscript: (id: string, transcriptId: string): boolean => changeFacts(id, { transcriptId }),

    remove,

    audioPath: (id: string): string | null =>
      storedOf(id)?.facts.hasSound === true ? ports.takes.audioPath(id) : null,

    /** Deletes audio older than the limit; texts stay, and so does audio that is pinned or has no text yet. */
    async removeOldAudio(days: number): Promise<void> {
      for (const { facts, phrases } of await ports.takes.list()) {
        const isOld = ports.now() - facts.startedAtMs > days * day;
        const isNeeded =
          facts.isPinned ||
          open.has(facts.id) ||
          phrases.some(({ state }) => state === 'waiting' || state === 'failed');
        if (isOld && !isNeeded && facts.hasSound) ports.takes.removeAudio(facts.id);
      }
    },

    /** The connection is back, or another one is in use. */
    tryNow(): void {
      for (const { engine } of open.values()) engine.tryNow();
    },

    /** Sends what earlier runs of the app left without a text, take by take. */
    async sendLeft(): Promise<void> {
      if (isSendingLeft) return;
      isSendingLeft = true;
      for (const { facts, phrases } of await ports.takes.list()) {
        if (isClosed) return;
        const isLeft = facts.hasSound && phrases.some(({ state }) => state === 'waiting');
        const take = isLeft && !ports.isTrashed(facts.id) ? reopen(facts.id) : null;
        // oxlint-disable-next-line no-await-in-loop -- one after another
        if (take !== null && !isSpoken(facts.id)) await closeWhenSettled(take);
      }
      isSendingLeft = false;
    },

    /** The app quits: phrases without a text stay on disk, waiting. */
    async close(): Promise<void> {
      isClosed = true;
      takes.setSpoken(null);
      takes.endWork();
      for (const take of open.values()) {
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
