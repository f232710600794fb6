import { cleanUpWaitsMs, isModelStyle, type WritingStyle } from '../../../shared/domain/dictation/clean-up.ts';
import {
  writePhrases,
  type Stretches,
  type WritingRules,
  type WrittenPhrase,
} from '../../../shared/domain/dictation/written-phrases.ts';
import { isUnwritten, newCleanUp, Take, type Phrase } from '../../../shared/domain/dictation/take.ts';
import type { DictationMode, SendingState, TakeChange } from '../../../shared/domain/dictation/take-view.ts';
import { TakeEngine } from './take-engine.ts';
import type { CleanUpByModel } from './clean-up-phrase.ts';
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
  /** Phrases that a model is writing. */
  readonly arriving: Set<number>;
  /** What is still to be heard of them, such as their cost. */
  readonly work: Set<Promise<void>>;
}

export const cutsOf = (mode: DictationMode) =>
  ({ pauses: mode === 'hands-free' ? 'each' : 'long', keepsSilence: false }) as const;

export const stretchesOf = ({ startedAtMs, goesOn }: TakeFacts): Stretches => [
  { from: 0, atMs: startedAtMs },
  ...goesOn,
];

/** The takes that are being spoken or have something to send, each with its engine. */
export function openTakes(ports: DictationPorts) {
  const open = new Map<string, OpenTake>();
  const closing = new AbortController();
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
      arriving: new Set(),
      work: new Set(),
      engine: new TakeEngine(
        {
          dictate: ports.dictate,
          spool: record.spool,
          after: ports.after,
          style: ports.style,
          listener: {
            onPhrases: (phrases) => {
              write(take, phrases);
              for (const phrase of phrases)
                if (phrase.state === 'text' && isUnwritten(phrase) && !take.arriving.has(phrase.id))
                  letWrite(take, phrase, false);
              publish(take, true);
            },
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

  /** Lets a model write a phrase; the person's own words are used if it does not do so in time. */
  const letWrite = (take: OpenTake, { id, cleanUp }: Phrase, sendsAgain: boolean): void => {
    const style = cleanUp?.style;
    const said = writtenOf(take)[id - 1];
    if (style === undefined || !isModelStyle(style) || said === undefined || said.raw === '') return;
    const isSame = (): boolean => take.engine.take.phrase(id)?.cleanUp === cleanUp;
    take.arriving.add(id);
    const run = async (): Promise<void> => {
      const signal = AbortSignal.any([AbortSignal.timeout(cleanUpWaitsMs), closing.signal]);
      const { written, fault, credits } = await ports.cleanUp({ style, text: said.raw, sendsAgain, signal });
      // Sent in another language meanwhile, or quit.
      if (!isSame() || closing.signal.aborted) return;
      take.arriving.delete(id);
      const cleaned = { style, written, fault, credits: null };
      take.engine.change(id, { cleanUp: cleaned });
      const cost = await credits;
      const isLatest = take.engine.take.phrase(id)?.cleanUp === cleaned;
      if (cost !== null && isLatest && !closing.signal.aborted)
        take.engine.change(id, { cleanUp: { ...cleaned, credits: cost } });
    };
    const running = run().finally(() => take.work.delete(running));
    take.work.add(running);
  };

  /** Writes a phrase in another style; `sendsAgain`: even if an earlier try may have been charged. */
  const rewrite = (take: OpenTake, id: number, style: WritingStyle, sendsAgain: boolean): void => {
    // Marked as arriving already, so that the change alone sends nothing.
    take.arriving.add(id);
    take.engine.change(id, { cleanUp: newCleanUp(style), showsRaw: false, edited: null });
    take.arriving.delete(id);
    const phrase = take.engine.take.phrase(id);
    if (phrase !== undefined) letWrite(take, phrase, sendsAgain);
    publish(take, true);
  };

  /** Opens an earlier take to send it again; it closes when none of it is waiting any more. */
  const reopen = (id: string): OpenTake | null => {
    const present = open.get(id);
    if (present !== undefined) return present;
    const stored = ports.takes.open(id, () => undefined);
    if (!stored.ok) return null;
    const { facts, phrases } = stored.value;
    const take = openEngine(stored.value, facts, new Take(phrases, facts.captured, facts.known), true);
    take.engine.endCapture();
    return take;
  };

  const closeWhenSettled = async (take: OpenTake): Promise<void> => {
    await take.engine.settled();
    // oxlint-disable-next-line no-await-in-loop -- what ends may begin another
    while (take.work.size > 0 && !closing.signal.aborted) await Promise.all(take.work);
    if (recordingId === take.facts.id) return;
    await take.record.finish();
    // Dictation may have resumed meanwhile. A take that is not stored exists only here until the next session.
    if (recordingId === take.facts.id || take.engine.waiting > 0) return;
    if (!take.isStored) publish(take, true);
    if (!take.isStored || !open.delete(take.facts.id)) return;
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
    write,
    openEngine,
    reopen,
    closeWhenSettled,
    rewrite,
    writtenOf,
    /** Nothing is waited for any more. */
    endWork: (): void => closing.abort(),
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
