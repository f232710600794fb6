import { randomUUID } from 'node:crypto';
import {
  cleanUpWaitsMs,
  isModelStyle,
  mostCleanUpTokens,
  type WritingStyle,
} from '../../../shared/domain/dictation/clean-up.ts';
import { dictationRate } from '../../../shared/domain/dictation/phrase-cutter.ts';
import type {
  DictationMode,
  SendingState,
  TakeChange,
  TakeSummary,
} from '../../../shared/domain/dictation/take-view.ts';
import { pageOf, textOfPage } from '../../../shared/domain/dictation/rewriting.ts';
import { newCleanUp, Take, type Phrase } from '../../../shared/domain/dictation/take.ts';
import {
  msOfSamples,
  writePhrases,
  type Stretches,
  type WritingRules,
  type WrittenPhrase,
} from '../../../shared/domain/dictation/written-phrases.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { CleanUpByModel, CleanUpWanted } from './clean-up-phrase.ts';
import { createRewriting } from './rewriting.ts';
import type { LiveDictation } from '../../service/dictation-socket.ts';
import {
  createMemoryTake,
  TakeEngine,
  type PhraseChange,
  type StoredTake,
  type TakeFacts,
  type TakeRecord,
  type TakesStore,
} from './take-engine.ts';

export interface StartTake {
  readonly language: SpeechLanguage;
  readonly mode: DictationMode;
  readonly device: string;
  readonly storesNothing: boolean;
  readonly continues: string | null;
}

/** The audio of a take is one file with a maximum length; eight hours are far below it. */
const longestTake = 8 * 3600 * dictationRate;
/** Nobody holds a key and says nothing for so long: its release was lost. */
const silenceMs: Readonly<Record<DictationMode, number>> = {
  hold: 2 * 60_000,
  toggle: 10 * 60_000,
  'hands-free': 10 * 60_000,
};
const day = 24 * 3_600_000;

export function createDictationService(ports: DictationPorts) {
  /** The takes that are being spoken or have something to send, each with its engine. */
  const open = new Map<string, OpenTake>();
  let recordingId: string | null = null;

  const writtenOf = ({ engine, facts, arriving }: OpenTake): readonly WrittenPhrase[] =>
    writePhrases(engine.take.phrases, ports.rules(), stretchesOf(facts), (id) => arriving.has(id));

  const tell = (change: TakeChange): void => {
    for (const follow of ports.followers) follow(change);
  };
  const publish = (take: OpenTake, hasPhrases: boolean): void => {
    tell({
      takeId: take.facts.id,
      startedAtMs: take.facts.startedAtMs,
      phrases: hasPhrases ? writtenOf(take) : null,
      rewritings: rewriting.view(take.facts.id),
      sending: take.sending,
      isRecording: recordingId === take.facts.id,
      hasDiskTrouble: take.diskTrouble,
    });
  };
  const publishStored = ({ facts, phrases }: StoredTake): void => {
    tell({
      takeId: facts.id,
      startedAtMs: facts.startedAtMs,
      phrases: writePhrases(phrases, ports.rules(), stretchesOf(facts)),
      rewritings: rewriting.view(facts.id),
      sending: null,
      isRecording: false,
      hasDiskTrouble: false,
    });
  };
  const write = (take: OpenTake, phrases: readonly Phrase[]): void => {
    const { captured, known } = take.engine.take;
    take.facts = { ...take.facts, captured, known };
    take.record.write(take.facts, phrases);
  };

  const openEngine = (record: TakeRecord, facts: TakeFacts, before: Take | undefined, isStored: boolean): OpenTake => {
    const take: OpenTake = {
      record,
      facts,
      sending: null,
      diskTrouble: false,
      isStored,
      arriving: new Map(),
      work: new Set(),
      ended: new AbortController(),
      engine: new TakeEngine(
        {
          live: ports.live,
          spool: record.spool,
          style: ports.style,
          listener: {
            onPhrases: (phrases) => {
              write(take, phrases);
              publish(take, true);
            },
            onText: ({ id, cleanUp }) =>
              startCleanUp(take, id, cleanUp?.style ?? 'verbatim', { sendsAgain: false, isAdmitted: false }),
            onState: (state) => {
              take.sending = state;
              publish(take, false);
            },
          },
        },
        {
          language: facts.language,
          ...cutsOf(facts.mode),
          triesAgain: true,
        },
        before,
      ),
    };
    open.set(facts.id, take);
    return take;
  };

  /** Called before the style is published, so that nobody sees it as a request without an answer. */
  const startCleanUp = (
    take: OpenTake,
    id: number,
    style: WritingStyle,
    how: Pick<CleanUpWanted, 'sendsAgain' | 'isAdmitted'>,
  ): void => {
    // Its earlier text, or its earlier style.
    take.arriving.get(id)?.abort();
    take.arriving.delete(id);
    if (!isModelStyle(style) || take.ended.signal.aborted) return;
    const said = writtenOf(take)[id - 1]?.raw ?? '';
    if (said === '') return;
    const replaced = new AbortController();
    take.arriving.set(id, replaced);
    const running = writeByModel(take, id, { ...how, style, text: said }, replaced).finally(() => {
      if (take.arriving.get(id) === replaced) take.arriving.delete(id);
      take.work.delete(running);
    });
    take.work.add(running);
  };
  const writeByModel = async (
    take: OpenTake,
    id: number,
    wanted: Omit<CleanUpWanted, 'signal' | 'maxTokens'>,
    replaced: AbortController,
  ): Promise<void> => {
    const unwanted = AbortSignal.any([replaced.signal, take.ended.signal]);
    const signal = AbortSignal.any([AbortSignal.timeout(cleanUpWaitsMs), unwanted]);
    const { written, fault, credits } = await ports.cleanUp({ ...wanted, maxTokens: mostCleanUpTokens, signal });
    if (unwanted.aborted) return;
    take.arriving.delete(id);
    const cleaned = { style: wanted.style, written: fault === null ? written : null, fault, credits: null };
    take.engine.change(id, { cleanUp: cleaned });
    const cost = await credits;
    const isLatest = take.engine.take.phrase(id)?.cleanUp === cleaned;
    if (cost !== null && isLatest && !take.ended.signal.aborted)
      take.engine.change(id, { cleanUp: { ...cleaned, credits: cost } });
  };

  const isArriving = (take: OpenTake, id: number, style: WritingStyle): boolean =>
    take.arriving.has(id) && take.engine.take.phrase(id)?.cleanUp?.style === style;

  /** `sendsAgain`: even if an earlier try may have been charged. */
  const rewrite = (take: OpenTake, id: number, style: WritingStyle, sendsAgain: boolean): void => {
    if (isArriving(take, id, style)) return;
    startCleanUp(take, id, style, { sendsAgain, isAdmitted: true });
    take.engine.change(id, { cleanUp: newCleanUp(style), showsRaw: false });
  };

  const noteTrouble = (id: string): void => {
    const take = open.get(id);
    if (take === undefined || take.diskTrouble) return;
    take.diskTrouble = true;
    publish(take, false);
  };

  const reopen = (id: string): OpenTake | null => {
    const present = open.get(id);
    if (present !== undefined) return present;
    const stored = ports.takes.open(id, () => noteTrouble(id));
    if (!stored.ok) return null;
    const { facts, phrases } = stored.value;
    const take = openEngine(stored.value, facts, new Take(phrases, facts.captured, facts.known), true);
    take.engine.endCapture();
    return take;
  };

  const waitsForRoom = new Set<OpenTake>();
  const closeWhenSettled = async (take: OpenTake): Promise<void> => {
    await take.engine.settled();
    while (take.work.size > 0 && !take.ended.signal.aborted) await Promise.all(take.work);
    if (recordingId === take.facts.id || take.ended.signal.aborted) return;
    const isWritten = await take.record.finish();
    take.diskTrouble = !isWritten;
    // Work may have begun meanwhile. A take that is not stored exists only here.
    if (recordingId === take.facts.id || take.engine.waiting > 0 || take.work.size > 0) return;
    if (!take.isStored) publish(take, true);
    // It stays open, with what the disk refuses, until there is room.
    if (!isWritten && !waitsForRoom.has(take)) {
      waitsForRoom.add(take);
      ports.after(roomPauseMs, () => {
        waitsForRoom.delete(take);
        void closeWhenSettled(take);
      });
    }
    if (!isWritten || !take.isStored || !open.delete(take.facts.id)) return;
    publish(take, true);
    take.engine.close();
    take.record.close();
  };

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

  const isSpoken = (id: string): boolean => recordingId === id;
  const publishTake = (id: string): void => {
    const present = open.get(id);
    const stored = present === undefined ? ports.takes.read(id) : null;
    if (present !== undefined) publish(present, true);
    else if (stored !== null) publishStored(stored);
  };
  const rewriting = createRewriting({
    phrases: (id) => {
      const stored = storedOf(id);
      return stored === null ? [] : writePhrases(stored.phrases, ports.rules());
    },
    stored: (id) => storedOf(id)?.facts.rewritings ?? null,
    save(id, rewritings) {
      const isSaved = changeFacts(id, { rewritings });
      publishTake(id);
      return isSaved;
    },
    write: ports.cleanUp,
  });
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
    publishTake(id);
    return true;
  };

  /** A phrase that the user corrected keeps its style: the correction would be lost. */
  const canCleanUp = (id: string, phraseId: number): boolean => {
    const phrase = storedOf(id)?.phrases[phraseId - 1];
    return phrase?.state === 'text' && phrase.edited === null;
  };

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
      rewritings: [],
    };
    // A session that stored nothing ends when the next one starts.
    for (const [id, { isStored, engine, record, ended }] of open) {
      if (isStored || engine.waiting > 0) continue;
      open.delete(id);
      ended.abort();
      engine.close();
      record.close();
    }
    const record = storesNothing ? ok(createMemoryTake()) : ports.takes.create(facts, () => noteTrouble(facts.id));
    if (!record.ok) return record;
    const take = openEngine(record.value, facts, undefined, !storesNothing);
    take.engine.prepare();
    return ok(take);
  };

  /** Opens a take for some work; it closes when none of it is waiting any more. False when there is none. */
  const withTake = (id: string, work: (take: OpenTake) => void): boolean => {
    const take = reopen(id);
    if (take === null) return false;
    work(take);
    if (!isSpoken(id)) void closeWhenSettled(take);
    return true;
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
    start(options: StartTake) {
      if (recordingId !== null) return err(makeFailure('not-asked-for', { code: 'already_recording' }));
      const again = openAgain(options);
      const opened = again === null ? openNew(options) : ok(again);
      if (!opened.ok) return opened;
      const take = opened.value;
      const { id, lostMs: lostBefore } = take.facts;
      recordingId = id;
      let lastSpeech = take.engine.take.captured;
      const spokenBefore = take.engine.take.phrases.length;
      publish(take, true);
      const end = (discards = false): void => {
        if (!isSpoken(id)) return;
        recordingId = null;
        take.engine.endCapture(discards ? spokenBefore : undefined);
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
        /** `lostMs`: how much the microphone lost by its own count. */
        push(pcm: Uint8Array, speech: number | null, lostMs: number): void {
          if (!isSpoken(id)) return;
          if (lostBefore + lostMs > take.facts.lostMs) take.facts = { ...take.facts, lostMs: lostBefore + lostMs };
          take.engine.push(pcm, speech);
          const { captured } = take.engine.take;
          if (take.engine.openSamples > 0) lastSpeech = captured;
          if (captured - lastSpeech > (silenceMs[options.mode] / 1000) * dictationRate) end();
        },
        setLanguage(next: SpeechLanguage): void {
          take.engine.setLanguage(next);
          take.facts = { ...take.facts, language: next };
        },
        end,
      });
    },

    async list(): Promise<readonly TakeSummary[]> {
      return (await this.everything()).filter(({ id }) => !ports.isTrashed(id));
    },

    stored: () => ports.takes.list(),

    async everything(): Promise<readonly TakeSummary[]> {
      const stored = await ports.takes.list();
      const live = [...open.values()]
        .filter(({ facts }) => !stored.some((one) => one.facts.id === facts.id))
        .map(({ facts, engine }) => ({ facts, phrases: engine.take.phrases }));
      return [...live, ...stored.map((take) => storedOf(take.facts.id) ?? take)].map(summaryOf);
    },

    rewriting,

    read(id: string) {
      const stored = storedOf(id);
      if (stored === null) return null;
      const present = open.get(id);
      return {
        summary: summaryOf(stored),
        rewritings: rewriting.view(id),
        phrases:
          present === undefined
            ? writePhrases(stored.phrases, ports.rules(), stretchesOf(stored.facts))
            : writtenOf(present),
      };
    },

    storedOf,

    sendAgain: (id: string, phrase: { readonly id: number; readonly language: SpeechLanguage } | null): boolean =>
      withTake(id, (take) => {
        if (phrase !== null) take.engine.sendAgain(phrase.id, phrase.language);
        else {
          for (const failed of take.engine.take.phrases.filter(({ state }) => state === 'failed'))
            take.engine.sendAgain(failed.id, failed.language);
          take.engine.tryNow();
        }
        publish(take, true);
      }),

    discard: (id: string, phraseId: number): boolean => withTake(id, ({ engine }) => engine.discard(phraseId)),

    restore: (id: string, phraseId: number): boolean => withTake(id, ({ engine }) => engine.restore(phraseId)),

    /** The user's text for a phrase; null restores the recognised one. */
    edit: (id: string, phraseId: number, edited: string | null): boolean => changePhrase(id, phraseId, { edited }),

    showRaw: (id: string, phraseId: number, showsRaw: boolean): boolean => changePhrase(id, phraseId, { showsRaw }),

    /** 0 without a model or while one is writing it; null for a phrase that can't be rewritten. */
    charactersToSend(id: string, phraseId: number, style: WritingStyle): number | null {
      if (!canCleanUp(id, phraseId)) return null;
      const present = open.get(id);
      const isNeeded = isModelStyle(style) && (present === undefined || !isArriving(present, phraseId, style));
      return isNeeded ? (this.read(id)?.phrases[phraseId - 1]?.raw.length ?? 0) : 0;
    },

    /** `sendsAgain`: even if an earlier try may have been charged. */
    cleanUp: (id: string, phraseId: number, style: WritingStyle, sendsAgain: boolean): boolean =>
      canCleanUp(id, phraseId) && withTake(id, (take) => rewrite(take, phraseId, style, sendsAgain)),

    noteDelivery(id: string, phraseIds: readonly number[], deliveredTo: string): void {
      const take = reopen(id);
      for (const phraseId of phraseIds) take?.engine.change(phraseId, { deliveredTo });
    },

    setPinned: (id: string, isPinned: boolean): boolean => changeFacts(id, { isPinned }),
    /** A document: it has a title, and its audio stays. */
    keep: (id: string, title: string): boolean =>
      changeFacts(id, { isPinned: true, title: storedOf(id)?.facts.title ?? title }),
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

    tryNow(): void {
      for (const { engine } of open.values()) engine.tryNow();
    },

    async sendLeft(): Promise<void> {
      if (isSendingLeft) return;
      isSendingLeft = true;
      try {
        for (const { facts, phrases } of await ports.takes.list()) {
          if (isClosed) return;
          const isLeft = facts.hasSound && phrases.some(({ state }) => state === 'waiting');
          const take = isLeft && !ports.isTrashed(facts.id) ? reopen(facts.id) : null;
          if (take !== null && !isSpoken(facts.id)) await closeWhenSettled(take);
        }
      } finally {
        isSendingLeft = false;
      }
    },

    /** The app quits: phrases without a text stay on disk, waiting. */
    async close(): Promise<void> {
      isClosed = true;
      rewriting.close();
      recordingId = null;
      for (const { ended } of open.values()) ended.abort();
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

function summariseTake({ facts, phrases }: StoredTake, rules: WritingRules, isRecording: boolean): TakeSummary {
  const { goesOn: _goesOn, captured, known: _known, isEnded: _isEnded, rewritings, ...shown } = facts;
  return {
    ...shown,
    durationMs: msOfSamples(captured),
    isRecording,
    text: textOfPage(pageOf(writePhrases(phrases, rules), rewritings)),
    phraseCount: phrases.length,
    waitingCount: phrases.filter(({ state }) => state === 'waiting' || state === 'failed').length,
    discardedMs: msOfSamples(
      phrases.reduce((sum, { state, from, to }) => sum + (state === 'discarded' ? (to ?? from) - from : 0), 0),
    ),
    deliveredTo: phrases.findLast(({ deliveredTo }) => deliveredTo !== null)?.deliveredTo ?? null,
  };
}

export interface DictationPorts {
  readonly live: LiveDictation;
  readonly takes: TakesStore;
  readonly rules: () => WritingRules;
  readonly style: () => WritingStyle;
  readonly cleanUp: CleanUpByModel;
  readonly followers: Iterable<(change: TakeChange) => void>;
  readonly isTrashed: (id: string) => boolean;
  readonly now: () => number;
  readonly after: (ms: number, callback: () => void) => () => void;
}

interface OpenTake {
  readonly engine: TakeEngine;
  readonly record: TakeRecord;
  facts: TakeFacts;
  sending: SendingState | null;
  diskTrouble: boolean;
  readonly isStored: boolean;
  readonly arriving: Map<number, AbortController>;
  readonly work: Set<Promise<void>>;
  readonly ended: AbortController;
}

const roomPauseMs = 30_000;

const cutsOf = (mode: DictationMode) =>
  ({ pauses: mode === 'hands-free' ? 'each' : 'long', keepsSilence: false }) as const;

const stretchesOf = ({ startedAtMs, goesOn }: TakeFacts): Stretches => [{ from: 0, atMs: startedAtMs }, ...goesOn];
