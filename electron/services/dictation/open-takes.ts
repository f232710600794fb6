import { cleanUpWaitsMs, isModelStyle, type WritingStyle } from '../../../shared/domain/dictation/clean-up.ts';
import {
  writePhrases,
  type Stretches,
  type WritingRules,
  type WrittenPhrase,
} from '../../../shared/domain/dictation/written-phrases.ts';
import { newCleanUp, Take, type Phrase } from '../../../shared/domain/dictation/take.ts';
import type { DictationMode, SendingState, TakeChange } from '../../../shared/domain/dictation/take-view.ts';
import { TakeEngine } from './take-engine.ts';
import type { CleanUpByModel, CleanUpWanted } from './clean-up-phrase.ts';
import type { OpenDictation } from './phrase-sender.ts';
import type { StoredTake, TakeFacts, TakeRecord, TakesStore } from './takes-store.ts';

export interface DictationPorts {
  readonly dictate: OpenDictation;
  readonly takes: TakesStore;
  readonly rules: () => WritingRules;
  /** How the next phrases are written. */
  readonly style: () => WritingStyle;
  readonly cleanUp: CleanUpByModel;
  readonly publish: (change: TakeChange) => void;
  /** Whether it is in the trash of the library. */
  readonly isTrashed: (id: string) => boolean;
  readonly now: () => number;
  readonly after: (ms: number, callback: () => void) => () => void;
}

export interface OpenTake {
  readonly engine: TakeEngine;
  readonly record: TakeRecord;
  facts: TakeFacts;
  sending: SendingState | null;
  diskTrouble: boolean;
  readonly isStored: boolean;
  /** Phrases that a model is writing, and what ends each of these requests. */
  readonly arriving: Map<number, AbortController>;
  /** Running requests, including the look-up of the cost. */
  readonly work: Set<Promise<void>>;
  /** Aborted when the take is removed or the app quits: nothing may be written to it any more. */
  readonly ended: AbortController;
}

/** How long until what a full disk refused is written again. */
const roomPauseMs = 30_000;

export const cutsOf = (mode: DictationMode) =>
  ({ pauses: mode === 'hands-free' ? 'each' : 'long', keepsSilence: false }) as const;

export const stretchesOf = ({ startedAtMs, goesOn }: TakeFacts): Stretches => [
  { from: 0, atMs: startedAtMs },
  ...goesOn,
];

/** The takes that are being spoken or have something to send, each with its engine. */
export function openTakes(ports: DictationPorts) {
  const open = new Map<string, OpenTake>();
  let recordingId: string | null = null;

  const writtenOf = ({ engine, facts, arriving }: OpenTake): readonly WrittenPhrase[] =>
    writePhrases(engine.take.phrases, ports.rules(), stretchesOf(facts), (id) => arriving.has(id));

  const publish = (take: OpenTake, hasPhrases: boolean): void => {
    ports.publish({
      takeId: take.facts.id,
      startedAtMs: take.facts.startedAtMs,
      phrases: hasPhrases ? writtenOf(take) : null,
      sending: take.sending,
      account: take.engine.account(),
      isRecording: recordingId === take.facts.id,
      hasDiskTrouble: take.diskTrouble,
    });
  };
  /** Publishes a take that is not open. */
  const publishStored = ({ facts, phrases }: StoredTake): void => {
    ports.publish({
      takeId: facts.id,
      startedAtMs: facts.startedAtMs,
      phrases: writePhrases(phrases, ports.rules(), stretchesOf(facts)),
      sending: null,
      account: new Take(phrases, facts.captured, facts.known).account(),
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
          dictate: ports.dictate,
          spool: record.spool,
          after: ports.after,
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

  /**
   * Asks a model to write a phrase, if the style needs one; the user's own words are used if it is not done in time.
   * Called before the style is published, so that nobody sees it as a request without an answer.
   */
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
    wanted: Omit<CleanUpWanted, 'signal'>,
    replaced: AbortController,
  ): Promise<void> => {
    const unwanted = AbortSignal.any([replaced.signal, take.ended.signal]);
    const signal = AbortSignal.any([AbortSignal.timeout(cleanUpWaitsMs), unwanted]);
    const { written, fault, credits } = await ports.cleanUp({ ...wanted, signal });
    if (unwanted.aborted) return;
    take.arriving.delete(id);
    const cleaned = { style: wanted.style, written, fault, credits: null };
    take.engine.change(id, { cleanUp: cleaned });
    const cost = await credits;
    const isLatest = take.engine.take.phrase(id)?.cleanUp === cleaned;
    if (cost !== null && isLatest && !take.ended.signal.aborted)
      take.engine.change(id, { cleanUp: { ...cleaned, credits: cost } });
  };

  /** Whether a model is writing the phrase in that style. */
  const isArriving = (take: OpenTake, id: number, style: WritingStyle): boolean =>
    take.arriving.has(id) && take.engine.take.phrase(id)?.cleanUp?.style === style;

  /**
   * Writes a phrase in another style, to whose cost the user agreed; `sendsAgain`: even if an earlier try may have been
   * charged.
   */
  const rewrite = (take: OpenTake, id: number, style: WritingStyle, sendsAgain: boolean): void => {
    if (isArriving(take, id, style)) return;
    startCleanUp(take, id, style, { sendsAgain, isAdmitted: true });
    take.engine.change(id, { cleanUp: newCleanUp(style), showsRaw: false });
  };

  /** The disk refuses what is written to a take. */
  const noteTrouble = (id: string): void => {
    const take = open.get(id);
    if (take === undefined || take.diskTrouble) return;
    take.diskTrouble = true;
    publish(take, false);
  };

  /** Opens an earlier take to send it again; it closes when none of it is waiting any more. */
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
    // oxlint-disable-next-line no-await-in-loop -- what ends may begin another
    while (take.work.size > 0 && !take.ended.signal.aborted) await Promise.all(take.work);
    if (recordingId === take.facts.id || take.ended.signal.aborted) return;
    const isWritten = await take.record.finish();
    take.diskTrouble = !isWritten;
    // Dictation or a model may have begun again meanwhile. A take that is not stored exists only here until the next
    // session.
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

  return {
    open,
    publish,
    publishStored,
    noteTrouble,
    write,
    openEngine,
    reopen,
    closeWhenSettled,
    isArriving,
    rewrite,
    writtenOf,
    /** Nothing is waited for any more. */
    endWork: (): void => {
      for (const { ended } of open.values()) ended.abort();
    },
    storedOf,
    changeFacts,
    /** Whether this one is spoken now. */
    isSpoken: (id: string): boolean => recordingId === id,
    isAnySpoken: (): boolean => recordingId !== null,
    setSpoken: (id: string | null): void => {
      recordingId = id;
    },
  };
}
