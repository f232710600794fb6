import type { SpeechLanguage } from '../languages.ts';
import type { ReceivedTranscript } from '../transcript/received.ts';
import { isModelStyle, type CleanUp, type WritingStyle } from './clean-up.ts';
import type { CutterEvent } from './phrase-cutter.ts';

/** `speaking`: it grows; `waiting`: for its text; `failed`: refused, and may be sent again; `silent`: no speech. */
export type PhraseState = 'speaking' | 'waiting' | 'failed' | 'text' | 'silent' | 'discarded';

/** A text of a phrase. The first one is kept when the phrase is sent again in another language. */
export interface PhraseText {
  readonly language: SpeechLanguage;
  readonly received: ReceivedTranscript;
}

export interface Phrase {
  readonly id: number;
  /** Samples of the take, the end not included; an open phrase has none. */
  readonly from: number;
  readonly to: number | null;
  readonly language: SpeechLanguage;
  readonly state: PhraseState;
  /** Loud enough for long enough to be speech; a text recognised in silence is not trusted. */
  readonly hasSpeech: boolean;
  readonly texts: readonly PhraseText[];
  /** How often it was sent without an answer: each time may be charged. */
  readonly unanswered: number;
  readonly edited: string | null;
  readonly cleanUp: CleanUp | null;
  readonly showsRaw: boolean;
  readonly failure: { readonly row: string; readonly code: string } | null;
  readonly deliveredTo: string | null;
}

export interface SampleAccount {
  readonly text: number;
  readonly waiting: number;
  readonly discarded: number;
}

/** The captured audio and its texts. Phrases and stretches of silence follow each other without gap or overlap. */
export class Take {
  #captured: number;
  #phrases: Phrase[];
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
      unanswered: 0,
      edited: null,
      cleanUp: null,
      showsRaw: false,
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

  /** A text arrived. A phrase that the user discarded meanwhile keeps it, in case that is taken back. */
  settle(id: number, text: PhraseText | null, style: WritingStyle = 'verbatim'): Phrase | null {
    const phrase = this.phrase(id);
    if (phrase === undefined || phrase.to === null) return null;
    if (phrase.state === 'discarded')
      return this.change(id, { texts: text === null ? phrase.texts : [...phrase.texts, text] });
    if (text !== null)
      return this.change(id, {
        state: 'text',
        texts: [...phrase.texts, text],
        failure: null,
        cleanUp: newCleanUp(style),
        showsRaw: false,
      });
    // A second try that recognised nothing does not remove the first text.
    return this.change(id, { state: phrase.texts.length > 0 ? 'text' : 'silent', failure: null });
  }

  discard(id: number): Phrase | null {
    const phrase = this.phrase(id);
    return phrase === undefined || phrase.to === null ? null : this.change(id, { state: 'discarded' });
  }

  restore(id: number): Phrase | null {
    const phrase = this.phrase(id);
    if (phrase?.state !== 'discarded') return null;
    return this.change(id, { state: phrase.texts.length > 0 ? 'text' : 'waiting' });
  }

  sendAgain(id: number, language: SpeechLanguage): Phrase | null {
    const phrase = this.phrase(id);
    if (phrase === undefined || phrase.to === null) return null;
    return this.change(id, { state: 'waiting', language, failure: null, edited: null });
  }

  nextToSend(countsSpeaking: boolean): Phrase | undefined {
    return this.#phrases.find(({ state }) => state === 'waiting' || (countsSpeaking && state === 'speaking'));
  }

  /** Phrases after `id` whose text may be inserted: all phrases before them have theirs, or wait for the user. */
  readyAfter(id: number): readonly Phrase[] {
    const rest = this.#phrases.slice(id);
    const end = rest.findIndex(({ state }) => state === 'waiting' || state === 'speaking');
    return end < 0 ? rest : rest.slice(0, end);
  }

  account(): SampleAccount {
    // Audio that is divided already and in no phrase is silence, which needs no text.
    const account = { text: this.#known, waiting: this.#captured - this.#known, discarded: 0 };
    for (const { from, to, state } of this.#phrases) {
      if (to === null || state === 'text' || state === 'silent') continue;
      account.text -= to - from;
      account[state === 'discarded' ? 'discarded' : 'waiting'] += to - from;
    }
    return account;
  }
}

export const newCleanUp = (style: WritingStyle): CleanUp | null =>
  style === 'verbatim' ? null : { style, written: null, fault: null, credits: null };

/** A model was to write it, and neither its text nor a reason is known: it is on its way, or the app quit. */
export const isUnwritten = ({ cleanUp }: Phrase): boolean =>
  cleanUp !== null && isModelStyle(cleanUp.style) && cleanUp.written === null && cleanUp.fault === null;

export const textOf = (phrase: Phrase): string => phrase.texts.at(-1)?.received.text.trim() ?? '';

export const isHeardInSilence = (phrase: Phrase, text: string): boolean =>
  !phrase.hasSpeech && text.trim().split(/\s+/).length <= 3;
