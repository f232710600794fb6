import { z } from 'zod';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { charactersOf } from '../speech/speaker.ts';

export const speechStreamRate = 24_000;
const mostCharacters = 5000;

export interface SpeechOrder {
  readonly language: z.output<typeof start>['language'];
  readonly voiceId: string;
  readonly speed: number;
  readonly text: string;
}

/** What a message of the client leads to. */
export type SpeechStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  | { readonly kind: 'speak'; readonly order: SpeechOrder }
  | { readonly kind: 'interrupt' };

const message = z.union([
  z.looseObject({ type: z.enum(['start', 'text', 'commit']) }),
  z.looseObject({ action: z.enum(['stop', 'interrupt']) }),
]);
const start = z.strictObject({
  type: z.literal('start'),
  language: z.enum(speechLanguages),
  voice_id: z.string().min(1),
  speed: z.number().min(0.5).max(2).default(1),
  audio_format: z.literal('pcm_s16le').default('pcm_s16le'),
  sample_rate: z.literal(speechStreamRate).default(speechStreamRate),
  channels: z.literal(1).default(1),
});
const textMessage = z.strictObject({ type: z.literal('text'), text: z.string() });

type State =
  | { readonly tag: 'ready' }
  | { readonly tag: 'started'; readonly settings: z.output<typeof start>; readonly text: string }
  | { readonly tag: 'speaking' };

const nothing: SpeechStep = { kind: 'nothing' };
const refuse = (code: string, words: string): SpeechStep => ({ kind: 'error', code, message: words });

/**
 * One connection of the live stream of speech, without its socket. The contract does not show these messages; they are
 * the ones the client assumes, so this tests the client and not the assumption.
 */
export class SpeechTurn {
  #state: State = { tag: 'ready' };

  take(text: string): SpeechStep {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return refuse('invalid_message', 'This is not JSON.');
    }
    const parsed = message.safeParse(value);
    if (!parsed.success) return refuse('invalid_message', 'Send start, text, commit, stop or interrupt.');
    if ('action' in parsed.data && parsed.data.action === 'interrupt') {
      this.#state = { tag: 'ready' };
      return { kind: 'interrupt' };
    }
    if (this.#state.tag === 'speaking') return refuse('busy', 'The last text is still being spoken.');
    const type = 'type' in parsed.data ? parsed.data.type : 'commit';
    if (type === 'start') return this.#start(parsed.data);
    return type === 'text' ? this.#text(parsed.data) : this.#commit();
  }

  #start(value: unknown): SpeechStep {
    const parsed = start.safeParse(value);
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path.join('.') ?? '';
      return refuse('validation_error', `start is not right: ${field === '' ? 'unknown field' : field}.`);
    }
    this.#state = { tag: 'started', settings: parsed.data, text: '' };
    return nothing;
  }

  #text(value: unknown): SpeechStep {
    const parsed = textMessage.safeParse(value);
    if (!parsed.success) return refuse('validation_error', 'text is not right.');
    if (this.#state.tag !== 'started') return refuse('not_started', 'Send start before the text.');
    const text = this.#state.text + parsed.data.text;
    if (charactersOf(text) > mostCharacters) return refuse('validation_error', 'A text has at most 5000 characters.');
    this.#state = { ...this.#state, text };
    return nothing;
  }

  #commit(): SpeechStep {
    const state = this.#state;
    if (state.tag !== 'started') return refuse('not_started', 'Send start and text before commit.');
    if (state.text.trim() === '') return refuse('validation_error', 'There is no text.');
    this.#state = { tag: 'speaking' };
    const { language, voice_id: voiceId, speed } = state.settings;
    return { kind: 'speak', order: { language, voiceId, speed, text: state.text } };
  }

  /** The text was spoken, or never will be. */
  finish(): void {
    if (this.#state.tag === 'speaking') this.#state = { tag: 'ready' };
  }
}

/** Splits a text into sentences, so that the first is heard while the next are made. */
export const sentencesOf = (text: string): readonly string[] =>
  text.match(/[^.!?…\n]+(?:[.!?…\n]+["»”)]?\s*|$)/gu)?.filter((part) => part.trim() !== '') ?? [text];
