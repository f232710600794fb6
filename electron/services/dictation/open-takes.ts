import { Take, type Phrase } from '../../../shared/domain/dictation/take.ts';
import type { SendingState, TakeChange } from '../../../shared/domain/dictation/take-view.ts';
import { writePhrases, type WritingRules } from '../../../shared/domain/dictation/written-phrases.ts';
import type { OpenDictation } from './phrase-sender.ts';
import { TakeEngine } from './take-engine.ts';
import type { TakeFacts, TakeRecord, TakesStore } from './takes-store.ts';

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

/** A take whose sound is being recorded or sent. */
export interface OpenTake {
  readonly engine: TakeEngine;
  readonly record: TakeRecord;
  facts: TakeFacts;
  sending: SendingState | null;
  diskTrouble: boolean;
}

/** The takes that are being recorded or sent. `recordingId`: the one that is being spoken. */
export function createOpenTakes(ports: DictationPorts, recordingId: () => string | null) {
  const open = new Map<string, OpenTake>();

  const tell = (take: OpenTake, hasPhrases: boolean): void => {
    ports.tell({
      takeId: take.facts.id,
      startedAtMs: take.facts.startedAtMs,
      phrases: hasPhrases ? writePhrases(take.engine.take.phrases, ports.rules()) : null,
      sending: take.sending,
      account: take.engine.account(),
      isRecording: recordingId() === take.facts.id,
      hasDiskTrouble: take.diskTrouble,
    });
  };
  const write = (take: OpenTake, phrases: readonly Phrase[]): void => {
    const { captured, known } = take.engine.take;
    take.facts = { ...take.facts, captured, known };
    take.record.write(take.facts, phrases);
  };

  const add = (record: TakeRecord, facts: TakeFacts, before?: Take): OpenTake => {
    const take: OpenTake = {
      record,
      facts,
      sending: null,
      diskTrouble: false,
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
          pauses: facts.mode === 'hands-free' ? 'each' : 'long',
          keepsSilence: false,
          triesAgain: true,
        },
        before,
      ),
    };
    open.set(facts.id, take);
    return take;
  };

  /** A take of before, opened to be sent again; it closes when nothing of it waits any more. */
  const reopen = (id: string): OpenTake | null => {
    const present = open.get(id);
    if (present !== undefined) return present;
    const stored = ports.takes.open(id, () => undefined);
    if (!stored.ok) return null;
    const { facts, phrases } = stored.value;
    const take = add(stored.value, facts, new Take(phrases, facts.captured, facts.known));
    take.engine.endCapture();
    return take;
  };

  const closeWhenSettled = async (take: OpenTake): Promise<void> => {
    await take.engine.settled();
    if (recordingId() === take.facts.id) return;
    await take.record.finish();
    if (take.engine.waiting > 0 || !open.delete(take.facts.id)) return;
    tell(take, true);
    take.engine.close();
    take.record.close();
  };

  return {
    add,
    /** An open take, or one of before that is opened to be sent again; null when there is no such take. */
    reopen,
    /** Closes a take when nothing of it waits any more. */
    closeWhenSettled,
    /** Publishes how a take stands, with its phrases when those have changed. */
    tell,
    /** Stores how a take stands, and these phrases. */
    write,
    get: (id: string): OpenTake | undefined => open.get(id),
    has: (id: string): boolean => open.has(id),
    delete: (id: string): boolean => open.delete(id),
    all: (): readonly OpenTake[] => [...open.values()],
    clear: (): void => open.clear(),
  };
}
