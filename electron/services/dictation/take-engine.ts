import type { WritingStyle } from '../../../shared/domain/dictation/clean-up.ts';
import type { Rewriting } from '../../../shared/domain/dictation/rewriting.ts';
import { PhraseCutter, samplesOf, type CutterOptions } from '../../../shared/domain/dictation/phrase-cutter.ts';
import type { DictationMode, SendingState } from '../../../shared/domain/dictation/take-view.ts';
import { isHeardInSilence, Take, type Phrase, type SampleAccount } from '../../../shared/domain/dictation/take.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { LiveDictation } from '../../service/dictation-socket.ts';
import { PhraseSender } from './phrase-sender.ts';

export interface TakeFacts {
  readonly id: string;
  readonly startedAtMs: number;
  /** Each resumption after the first start: its first sample, and when it was. */
  readonly goesOn: readonly { readonly from: number; readonly atMs: number }[];
  readonly title: string | null;
  readonly language: SpeechLanguage;
  readonly mode: DictationMode;
  readonly device: string;
  readonly captured: number;
  readonly known: number;
  /** False: it is being spoken, or the app quit in the middle of it. */
  readonly isEnded: boolean;
  readonly isPinned: boolean;
  /** False: the audio was deleted by the user's retention rule; the text stays. */
  readonly hasSound: boolean;
  readonly transcriptId: string | null;
  readonly lostMs: number;
  readonly rewritings: readonly Rewriting[];
}

export interface StoredTake {
  readonly facts: TakeFacts;
  readonly phrases: readonly Phrase[];
}

export type ListedTake = StoredTake & { readonly revision: string };

export interface TakeRecord {
  readonly spool: TakeSpool & { readonly samples: number };
  write(facts: TakeFacts, phrases: readonly Phrase[]): void;
  finish(): Promise<boolean>;
  close(): void;
}

export interface TakesStore {
  create(facts: TakeFacts, onTrouble: (error: unknown) => void): Result<TakeRecord>;
  list(): Promise<readonly ListedTake[]>;
  open(id: string, onTrouble: (error: unknown) => void): Result<TakeRecord & StoredTake>;
  read(id: string): StoredTake | null;
  /** Changes facts of a take that is not open, even if its audio is gone. False when there is none. */
  change(id: string, part: Partial<TakeFacts>): Result<boolean>;
  changePhrase(id: string, phrase: Phrase): Result<void>;
  audioPath(id: string): string;
  removeAudio(id: string): void;
  remove(id: string): void;
}

export interface TakeSpool {
  append(pcm: Uint8Array): void;
  read(fromSample: number, toSample: number): Uint8Array;
}

export interface EngineListener {
  onPhrases(phrases: readonly Phrase[]): void;
  onState(state: SendingState): void;
  onText?(phrase: Phrase): void;
}

export interface EngineParts {
  readonly live: LiveDictation;
  readonly spool: TakeSpool;
  readonly listener: EngineListener;
  readonly style?: () => WritingStyle;
}

export type PhraseChange = Partial<Pick<Phrase, 'edited' | 'cleanUp' | 'showsRaw' | 'deliveredTo'>>;

export interface EngineOptions extends CutterOptions {
  readonly language: SpeechLanguage;
  /** After a stop sending is tried again later; a terminal gives up instead. */
  readonly triesAgain: boolean;
}

/** A phrase stops waiting only through a text, the user, or a refusal of its audio. */
export class TakeEngine {
  readonly #parts: EngineParts;
  readonly take: Take;
  #cutter: PhraseCutter;
  readonly #sender: PhraseSender;
  #language: SpeechLanguage;
  #isCapturing = true;
  #settled: (() => void)[] = [];

  constructor(parts: EngineParts, options: EngineOptions, take = new Take()) {
    this.#parts = parts;
    this.take = take;
    this.#language = options.language;
    this.#cutter = new PhraseCutter({ ...options, from: take.captured });
    this.#sender = new PhraseSender(
      {
        live: parts.live,
        read: (from, to) => parts.spool.read(from, to),
        triesAgain: options.triesAgain,
        // In a recording, the end of a phrase is found in a pause that is over.
        sendsOpen: !options.keepsSilence,
        onText: (id, received) => this.#onText(id, received),
        onFailed: (id, { row, code }) => {
          const state = take.phrase(id)?.state === 'discarded' ? 'discarded' : 'failed';
          this.#publish([take.change(id, { state, failure: { row, code } })]);
        },
        onOwed: (id, by) => {
          const { unanswered = 0 } = take.phrase(id) ?? {};
          this.#publish([take.change(id, { unanswered: Math.max(0, unanswered + by) })]);
        },
        onState: (state) => {
          parts.listener.onState(state);
          this.#noteSettled();
        },
      },
      take,
    );
  }

  account(): SampleAccount {
    return this.take.account();
  }

  get openSamples(): number {
    const from = this.#cutter.openFrom;
    return from === null || !this.#isCapturing ? 0 : this.take.captured - from;
  }

  get waiting(): number {
    return this.take.phrases.filter(({ state }) => state === 'waiting').length;
  }

  prepare(): void {
    this.#sender.open();
  }

  setLanguage(language: SpeechLanguage): void {
    this.#language = language;
  }

  /** 16-bit little-endian mono audio; `speech`: the measured probability of speech in it, if any. */
  push(pcm: Uint8Array, speech: number | null = null): void {
    if (!this.#isCapturing) return;
    this.#parts.spool.append(pcm);
    const samples = samplesOf(pcm);
    this.take.capture(samples.length);
    this.#publish(this.take.cut(this.#cutter.push(samples, speech), this.#language));
    this.#sender.pump();
  }

  goOn({ language, ...how }: CutterOptions & { readonly language: SpeechLanguage }): void {
    this.#language = language;
    this.#cutter = new PhraseCutter({ ...how, from: this.take.captured });
    this.#isCapturing = true;
    this.prepare();
  }

  /** Phrases after `keeps` without a text are discarded; the one being spoken never waits to be sent. */
  endCapture(keeps = Infinity): void {
    if (!this.#isCapturing) return;
    this.#isCapturing = false;
    const ended = this.take.cut(this.#cutter.finish(), this.#language);
    const unwanted = this.take.phrases.flatMap(({ id, state }) => (id > keeps && state === 'waiting' ? [id] : []));
    this.#publish(ended.filter(({ id }) => !unwanted.includes(id)));
    this.discard(...unwanted);
    this.#noteSettled();
  }

  /** Resolves when every phrase has its text or needs the user, or nothing can be sent any more. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#settled.push(resolve);
      this.#noteSettled();
    });
  }

  tryNow(): void {
    this.#sender.tryNow();
  }

  discard(...ids: readonly number[]): void {
    const phrases = ids.map((id) => this.take.discard(id)).filter((phrase) => phrase !== null);
    for (const { id } of phrases) this.#sender.withdraw(id);
    this.#publish(phrases);
    this.#sender.pump();
  }

  restore(id: number): void {
    const phrase = this.take.restore(id);
    if (phrase === null) return;
    this.#publish([phrase]);
    this.#sender.pump();
  }

  sendAgain(id: number, language: SpeechLanguage): void {
    const phrase = this.take.sendAgain(id, language);
    if (phrase === null) return;
    this.#publish([phrase]);
    this.tryNow();
  }

  change(id: number, part: PhraseChange): void {
    this.#publish([this.take.change(id, part)]);
  }

  close(): void {
    this.#isCapturing = false;
    this.#sender.close();
    this.#noteSettled();
  }

  #onText(id: number, received: ReceivedTranscript | null): void {
    const phrase = this.take.phrase(id);
    if (phrase === undefined) return;
    const isText = received !== null && received.text.trim() !== '' && !isHeardInSilence(phrase, received.text);
    const text = isText ? { language: phrase.language, received } : null;
    const changed = this.take.settle(id, text, this.#parts.style?.());
    if (changed === null) return;
    if (text !== null && changed.state === 'text') this.#parts.listener.onText?.(changed);
    this.#publish([changed]);
  }

  #publish(phrases: readonly Phrase[]): void {
    if (phrases.length === 0) return;
    this.#parts.listener.onPhrases(phrases);
    this.#noteSettled();
  }

  #noteSettled(): void {
    if (this.#settled.length === 0) return;
    const isOver = !this.#isCapturing && this.waiting === 0 && !this.#sender.isAnswerDue;
    if (!isOver && !this.#sender.isStuck) return;
    if (isOver) this.#sender.rest();
    for (const resolve of this.#settled.splice(0)) resolve();
  }
}

/** A take that is never stored on disk: its audio is in memory until it is closed. */
export function createMemoryTake(): TakeRecord {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    spool: {
      get samples() {
        return bytes / 2;
      },
      append(pcm) {
        chunks.push(Uint8Array.from(pcm));
        bytes += pcm.length;
      },
      read(fromSample, toSample) {
        const audio = new Uint8Array((toSample - fromSample) * 2);
        let at = 0;
        for (const chunk of chunks) {
          const from = Math.max(0, fromSample * 2 - at);
          const to = Math.min(chunk.length, toSample * 2 - at);
          if (to > from) audio.set(chunk.subarray(from, to), at + from - fromSample * 2);
          at += chunk.length;
          if (at >= toSample * 2) break;
        }
        return audio;
      },
    },
    write: () => undefined,
    finish: async () => true,
    close: () => {
      chunks.length = 0;
    },
  };
}
