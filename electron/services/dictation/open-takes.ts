import { writePhrases, type Stretches, type WritingRules } from '../../../shared/domain/dictation/written-phrases.ts';
import { Take, type Phrase } from '../../../shared/domain/dictation/take.ts';
import type { DictationMode, SendingState, TakeChange } from '../../../shared/domain/dictation/take-view.ts';
import { TakeEngine } from './take-engine.ts';
import type { OpenDictation } from './phrase-sender.ts';
import type { StoredTake, TakeFacts, TakeRecord, TakesStore } from './takes-store.ts';

export interface DictationPorts {
  readonly dictate: OpenDictation;
  readonly takes: TakesStore;
  readonly rules: () => WritingRules;
  readonly tell: (change: TakeChange) => void;
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
  let recordingId: string | null = null;

  const tell = (take: OpenTake, hasPhrases: boolean): void => {
    ports.tell({
      takeId: take.facts.id,
      startedAtMs: take.facts.startedAtMs,
      phrases: hasPhrases ? writePhrases(take.engine.take.phrases, ports.rules(), stretchesOf(take.facts)) : null,
      sending: take.sending,
      account: take.engine.account(),
      isRecording: recordingId === take.facts.id,
      hasDiskTrouble: take.diskTrouble,
    });
  };
  /** Publishes a take that is not open. */
  const tellStored = ({ facts, phrases }: StoredTake): void => {
    ports.tell({
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
      engine: new TakeEngine(
        {
          dictate: ports.dictate,
          spool: record.spool,
          after: ports.after,
          listener: {
            onPhrases: (phrases) => {
              write(take, phrases);
              tell(take, true);
            },
            onState: (state) => {
              take.sending = state;
              tell(take, false);
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
    if (recordingId === take.facts.id) return;
    await take.record.finish();
    // Dictation may have resumed meanwhile. A take that is not stored exists only here until the next session.
    if (recordingId === take.facts.id || take.engine.waiting > 0) return;
    if (!take.isStored) tell(take, true);
    if (!take.isStored || !open.delete(take.facts.id)) return;
    tell(take, true);
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
    tell,
    tellStored,
    write,
    openEngine,
    reopen,
    closeWhenSettled,
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
