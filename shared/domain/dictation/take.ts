import type { SpeechLanguage } from '../languages.ts';
import type { ReceivedTranscript } from '../transcript/received.ts';
import type { CutterEvent } from './phrase-cutter.ts';

/**
 * `speaking`: it still grows; `waiting`: it has no text yet; `failed`: the service would not have it, a person may send
 * it again; `text`; `silent`: nobody spoke; `discarded`: a person threw it away.
 */
export type PhraseState = 'speaking' | 'waiting' | 'failed' | 'text' | 'silent' | 'discarded';

/** A text that came for a phrase. The first is kept when the phrase is sent again in another language. */
export interface PhraseText {
  readonly language: SpeechLanguage;
  readonly received: ReceivedTranscript;
}

export interface Phrase {
  /** 1 for the first of a take. */
  readonly id: number;
  /** Samples of the take, the end not included; an open phrase has none. */
  readonly from: number;
  readonly to: number | null;
  /** The language it is sent in. */
  readonly language: SpeechLanguage;
  readonly state: PhraseState;
  /** Loud enough for long enough to be speech; what is heard in silence is not believed. */
  readonly hasSpeech: boolean;
  /** All texts that came, the latest last. */
  readonly texts: readonly PhraseText[];
  /** What a person wrote instead of it. */
  readonly edited: string | null;
  /** Row and code of the failure, for words. */
  readonly failure: { readonly row: string; readonly code: string } | null;
  /** Where it was pasted, the name of a program; null: nowhere. */
  readonly deliveredTo: string | null;
}

/** Every captured sample is in exactly one of these. */
export interface SampleAccount {
  /** What has its text, and silence, which has none to have. */
  readonly text: number;
  readonly waiting: number;
  readonly discarded: number;
}

/**
 * What was captured since somebody began to speak, and what became of it. Phrases and stretches of silence follow each
 * other without gap or overlap.
 */
export class Take {
  #captured: number;
  #phrases: Phrase[];
  /** Where the phrases and the silence that were told apart end. */
  #known: number;

  constructor(phrases: readonly Phrase[] = [], captured = 0, known = 0) {
    this.#phrases = [...phrases];
    this.#captured = captured;
    this.#known = known;
  }

  get captured(): number {
    return this.#captured;
  }

  get known(): number {
    return this.#known;
  }

  get phrases(): readonly Phrase[] {
    return this.#phrases;
  }

  phrase(id: number): Phrase | undefined {
    return this.#phrases[id - 1];
  }

  capture(samples: number): void {
    this.#captured += samples;
  }

  /** Takes over what the cutter decided; answers with the phrases that are new or changed. */
  cut(events: readonly CutterEvent[], language: SpeechLanguage): readonly Phrase[] {
    const changed: Phrase[] = [];
    for (const event of events) {
      if (event.kind === 'quiet') {
        this.#known = event.to;
        continue;
      }
      if (event.kind === 'open') {
        changed.push(this.#add(event.from, language));
        continue;
      }
      const open = this.#phrases.at(-1);
      const phrase = open?.state === 'speaking' ? open : this.#add(event.from, language);
      this.#known = event.to;
      changed.push(this.change(phrase.id, { to: event.to, state: 'waiting', hasSpeech: event.hasSpeech }));
    }
    return changed;
  }

  #add(from: number, language: SpeechLanguage): Phrase {
    const phrase: Phrase = {
      id: this.#phrases.length + 1,
      from,
      to: null,
      language,
      state: 'speaking',
      hasSpeech: true,
      texts: [],
      edited: null,
      failure: null,
      deliveredTo: null,
    };
    this.#phrases.push(phrase);
    return phrase;
  }

  change(id: number, part: Partial<Omit<Phrase, 'id' | 'from'>>): Phrase {
    const before = this.#phrases[id - 1];
    if (before === undefined) throw new RangeError(`There is no phrase ${id}.`);
    return (this.#phrases[id - 1] = { ...before, ...part });
  }

  /** A text came. One for a phrase that a person threw away meanwhile is not taken. */
  settle(id: number, text: PhraseText | null): Phrase | null {
    const phrase = this.phrase(id);
    if (phrase === undefined || phrase.state === 'discarded' || phrase.to === null) return null;
    if (text !== null) return this.change(id, { state: 'text', texts: [...phrase.texts, text], failure: null });
    // A second try that heard nothing does not take the first text away.
    return this.change(id, { state: phrase.texts.length > 0 ? 'text' : 'silent', failure: null });
  }

  discard(id: number): Phrase | null {
    const phrase = this.phrase(id);
    return phrase === undefined || phrase.to === null ? null : this.change(id, { state: 'discarded' });
  }

  /** The phrase is sent again, perhaps in another language; what it said before is kept. */
  sendAgain(id: number, language: SpeechLanguage): Phrase | null {
    const phrase = this.phrase(id);
    if (phrase === undefined || phrase.to === null) return null;
    return this.change(id, { state: 'waiting', language, failure: null, edited: null });
  }

  /** The first phrase that has sound to send; one that is still spoken counts where that is wanted. */
  nextToSend(isBusy: (id: number) => boolean, countsSpeaking: boolean): Phrase | undefined {
    return this.#phrases.find(
      ({ id, state }) => (state === 'waiting' || (countsSpeaking && state === 'speaking')) && !isBusy(id),
    );
  }

  /** Phrases after `id` whose text may be inserted: those before them have theirs, or wait for a person. */
  readyAfter(id: number): readonly Phrase[] {
    const rest = this.#phrases.slice(id);
    const end = rest.findIndex(({ state }) => state === 'waiting' || state === 'speaking');
    return end < 0 ? rest : rest.slice(0, end);
  }

  account(): SampleAccount {
    // What is known and in no phrase is silence, which needs no text.
    const account = { text: this.#known, waiting: this.#captured - this.#known, discarded: 0 };
    for (const { from, to, state } of this.#phrases) {
      if (to === null || state === 'text' || state === 'silent') continue;
      account.text -= to - from;
      account[state === 'discarded' ? 'discarded' : 'waiting'] += to - from;
    }
    return account;
  }
}

/** The text a phrase has now: the latest that came. */
export const textOf = (phrase: Phrase): string => phrase.texts.at(-1)?.received.text.trim() ?? '';

/** What a recogniser writes when it hears nothing: a word or two, where there was no speech. */
export const isHeardInSilence = (phrase: Phrase, text: string): boolean =>
  !phrase.hasSpeech && text.trim().split(/\s+/).length <= 3;
