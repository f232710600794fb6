import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { HeardWord } from '../../recogniser/greedy-words.ts';
import { findSpeech } from '../../recogniser/find-speech.ts';
import { LoudnessTrack } from '../../recogniser/loudness-track.ts';
import { practiceNote } from '../texts.ts';
import { knownWords } from './known-words.ts';

export const dictationRate = 16_000;
const bytesPerMs = (dictationRate * 2) / 1000;
const leastMs = 100;
const mostMs = 35_000;

/** The error codes of contract 4.10 that this service can produce. */
export type DictationError =
  | 'invalid_message'
  | 'validation_error'
  | 'not_started'
  | 'busy'
  | 'invalid_audio'
  | 'audio_too_long'
  | 'no_speech_detected';

export interface Utterance {
  readonly language: SpeechLanguage;
  readonly pcm: Buffer;
  readonly durationMs: number;
}

/** What a message of the client leads to. */
export type Step =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'error'; readonly code: DictationError; readonly message: string }
  | { readonly kind: 'commit'; readonly utterance: Utterance };

type State =
  | { readonly tag: 'ready' }
  | {
      readonly tag: 'started';
      readonly language: SpeechLanguage;
      readonly chunks: readonly Buffer[];
      readonly bytes: number;
    }
  | { readonly tag: 'working'; readonly utterance: Utterance };

const nothing: Step = { kind: 'nothing' };
const refuse = (code: DictationError, message: string): Step => ({ kind: 'error', code, message });

const message = z.union([
  z.looseObject({ type: z.enum(['start', 'commit']) }),
  z.looseObject({ action: z.enum(['stop', 'interrupt']) }),
]);
const start = z.strictObject({
  type: z.literal('start'),
  language: z.enum(speechLanguages),
  audio_format: z.literal('pcm_s16le'),
  sample_rate: z.literal(dictationRate),
  channels: z.literal(1),
  word_timestamps: z.boolean().default(false),
});

/** One connection of contract 4.10 without its socket: `ready`, `started`, and `working` until the answer is sent. */
export class Dictation {
  #state: State = { tag: 'ready' };

  takeText(text: string): Step {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return refuse('invalid_message', 'This is not JSON.');
    }
    const parsed = message.safeParse(value);
    if (!parsed.success) return refuse('invalid_message', 'Send start, commit, stop or interrupt.');
    if ('action' in parsed.data && parsed.data.action === 'interrupt') {
      this.#state = { tag: 'ready' };
      return nothing;
    }
    if (this.#state.tag === 'working') return refuse('busy', 'The last utterance is still being worked on.');
    return 'type' in parsed.data && parsed.data.type === 'start' ? this.#start(parsed.data) : this.#commit();
  }

  #start(value: unknown): Step {
    if (this.#state.tag === 'started' && this.#state.bytes > 0)
      return refuse('busy', 'Commit or interrupt the utterance that was started.');
    const parsed = start.safeParse(value);
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path.join('.') ?? '';
      return refuse('validation_error', `start is not right: ${field === '' ? 'unknown field' : field}.`);
    }
    this.#state = { tag: 'started', language: parsed.data.language, chunks: [], bytes: 0 };
    return nothing;
  }

  takeAudio(chunk: Buffer): Step {
    const state = this.#state;
    if (state.tag === 'working') return refuse('busy', 'The last utterance is still being worked on.');
    if (state.tag === 'ready') return refuse('not_started', 'Send start before the sound.');
    if (state.bytes === 0 && chunk.subarray(0, 4).equals(Buffer.from([0x1a, 0x45, 0xdf, 0xa3]))) {
      this.#state = { tag: 'ready' };
      return refuse('invalid_audio', 'Send bare PCM, not WebM.');
    }
    const bytes = state.bytes + chunk.length;
    if (bytes > mostMs * bytesPerMs) {
      this.#state = { tag: 'ready' };
      return refuse('audio_too_long', 'An utterance has at most 35 seconds.');
    }
    this.#state = { ...state, chunks: [...state.chunks, chunk], bytes };
    return nothing;
  }

  #commit(): Step {
    const state = this.#state;
    if (state.tag !== 'started') return refuse('not_started', 'Send start and sound before commit.');
    this.#state = { tag: 'ready' };
    if (state.bytes % 2 !== 0) return refuse('invalid_audio', 'Half of a sample is missing.');
    if (state.bytes < leastMs * bytesPerMs)
      return refuse('invalid_audio', 'An utterance has at least 100 milliseconds.');
    const pcm = Buffer.concat(state.chunks);
    const utterance = { language: state.language, pcm, durationMs: Math.round(pcm.length / bytesPerMs) };
    this.#state = { tag: 'working', utterance };
    return { kind: 'commit', utterance };
  }

  /** False: the utterance was interrupted, so its answer is dropped; another one may be in progress by now. */
  isAwaited(utterance: Utterance): boolean {
    return this.#state.tag === 'working' && this.#state.utterance === utterance;
  }

  /** The utterance was answered, or never will be. */
  finish(utterance: Utterance): void {
    if (this.isAwaited(utterance)) this.#state = { tag: 'ready' };
  }
}

/**
 * The final event of an utterance: the known words of bundled samples, for other speech the times at which it was
 * heard; null: there was none.
 */
export function recognise(utterance: Utterance): Record<string, unknown> | null {
  const { language, durationMs } = utterance;
  const samples = samplesOf(utterance);
  const track = new LoudnessTrack();
  track.add({ channels: [samples], sampleRate: dictationRate });
  const { loudnessDb } = track.finish();
  const spans = findSpeech(loudnessDb, durationMs);
  if (spans.length === 0) return null;
  const segments = spans.flatMap((span, ordinal) => {
    const words = knownWords(samples, span, language);
    // The rest of a word that was counted with the previous utterance.
    if (words?.length === 0) return [];
    return [
      {
        ordinal,
        start_ms: span.startMs,
        end_ms: span.endMs,
        text: words?.map((word) => word.text).join(' ') ?? practiceNote(language, span.startMs, span.endMs),
        words: (words ?? []).map((word, at) => ({
          ordinal: at,
          start_ms: word.startMs,
          end_ms: word.endMs,
          text: word.text,
        })),
      },
    ];
  });
  if (segments.length === 0) return null;
  const text = segments.map((segment) => segment.text).join(' ');
  return { event: 'final', text, language, duration_ms: durationMs, segments };
}

export const samplesOf = ({ pcm }: Utterance): Float32Array =>
  Float32Array.from({ length: pcm.length / 2 }, (_, at) => pcm.readInt16LE(at * 2) / 32_768);

/** The final event of an utterance whose words were heard; null: there were none. */
export function finalOf(
  { language, durationMs }: Utterance,
  words: readonly HeardWord[],
): Record<string, unknown> | null {
  if (words.length === 0) return null;
  const text = words.map((word) => word.text).join(' ');
  const segment = {
    ordinal: 0,
    start_ms: words[0]?.startMs ?? 0,
    end_ms: words.at(-1)?.endMs ?? durationMs,
    text,
    words: words.map((word, ordinal) => ({
      ordinal,
      start_ms: word.startMs,
      end_ms: word.endMs,
      text: word.text,
    })),
  };
  return { event: 'final', text, language, duration_ms: durationMs, segments: [segment] };
}
