import { PhraseCutter, type CutterOptions } from '../../../shared/domain/dictation/phrase-cutter.ts';
import { isHeardInSilence, Take, type Phrase, type SampleAccount } from '../../../shared/domain/dictation/take.ts';
import type { WritingStyle } from '../../../shared/domain/dictation/clean-up.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { SendingState } from '../../../shared/domain/dictation/take-view.ts';
import { PhraseSender, type OpenDictation } from './phrase-sender.ts';

/** The audio of a take, during dictation and afterwards. */
export interface TakeSpool {
  /** On disk when this returns, or kept in memory when the disk refuses. */
  append(pcm: Uint8Array): void;
  /** The bytes of samples that were appended. */
  read(fromSample: number, toSample: number): Uint8Array;
}

export interface EngineListener {
  onPhrases(phrases: readonly Phrase[]): void;
  onState(state: SendingState): void;
  /** A text has arrived for a phrase, which is published next. */
  onText?(phrase: Phrase): void;
}

export interface EngineParts {
  readonly dictate: OpenDictation;
  readonly spool: TakeSpool;
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly listener: EngineListener;
  /** How the next text is written; as it is recognised unless given. */
  readonly style?: () => WritingStyle;
}

export type PhraseChange = Partial<Pick<Phrase, 'edited' | 'cleanUp' | 'showsRaw' | 'deliveredTo'>>;

export interface EngineOptions extends CutterOptions {
  readonly language: SpeechLanguage;
  /** After a failed session another one is tried later; a terminal gives up instead. */
  readonly triesAgain: boolean;
}

/**
 * One take from the first sample to the last text: captured audio goes to the spool, is cut into phrases, and is sent
 * from the spool in order. A phrase leaves the state `waiting` only through a text, the user, or a refusal of its
 * audio.
 */
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
        dictate: parts.dictate,
        read: (from, to) => parts.spool.read(from, to),
        after: parts.after,
        triesAgain: options.triesAgain,
        // In a recording, the end of a phrase is found in a pause that is over.
        sendsOpen: !options.keepsSilence,
        goesOn: () => this.#isCapturing,
        onText: (id, received) => this.#onText(id, received),
        onFailed: (id, { row, code }) => this.#publish([take.change(id, { state: 'failed', failure: { row, code } })]),
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

  get language(): SpeechLanguage {
    return this.#language;
  }

  /** Length of the phrase being spoken, in samples; 0 during silence. */
  get openSamples(): number {
    const from = this.#cutter.openFrom;
    return from === null || !this.#isCapturing ? 0 : this.take.captured - from;
  }

  /** The number of phrases that have no text but could get one. */
  get waiting(): number {
    return this.take.phrases.filter(({ state }) => state === 'waiting').length;
  }

  /** Gets a ticket and a connection before there is anything to send. */
  prepare(): void {
    this.#sender.open(this.#language);
  }

  /** The language of phrases that begin from now on. */
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

  /** Continues a stopped take after its current end. */
  goOn({ language, ...how }: CutterOptions & { readonly language: SpeechLanguage }): void {
    this.#language = language;
    this.#cutter = new PhraseCutter({ ...how, from: this.take.captured });
    this.#isCapturing = true;
    this.prepare();
  }

  /** Nothing more is captured. */
  endCapture(): void {
    if (!this.#isCapturing) return;
    this.#isCapturing = false;
    this.#publish(this.take.cut(this.#cutter.finish(), this.#language));
    this.#sender.pump();
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
    this.#sender.tryNow(this.#language);
  }

  discard(id: number): void {
    const phrase = this.take.discard(id);
    if (phrase === null) return;
    this.#sender.interrupt(id);
    this.#publish([phrase]);
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

  /** Changes how a phrase is written, or what became of it. */
  change(id: number, part: PhraseChange): void {
    this.#publish([this.take.change(id, part)]);
  }

  /** Ends now. Phrases without a text stay waiting. */
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
    if (text !== null) this.#parts.listener.onText?.(changed);
    this.#publish([changed]);
  }

  #publish(phrases: readonly Phrase[]): void {
    if (phrases.length === 0) return;
    this.#parts.listener.onPhrases(phrases);
    this.#noteSettled();
  }

  #noteSettled(): void {
    if (this.#settled.length === 0) return;
    const isOver = !this.#isCapturing && this.waiting === 0;
    if (!isOver && !this.#sender.isStuck) return;
    if (isOver) this.#sender.rest();
    for (const resolve of this.#settled.splice(0)) resolve();
  }
}

function samplesOf(pcm: Uint8Array): Int16Array {
  const aligned = pcm.byteOffset % 2 === 0 ? pcm : Uint8Array.from(pcm);
  return new Int16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 1);
}
