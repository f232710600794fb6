import type { RecordingCheck } from '../../../shared/domain/voices/check-recording.ts';

export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}
export interface VoiceRange {
  readonly leastMs: number;
  readonly mostMs: number;
}

export type VoiceQuestion =
  | { readonly kind: 'open'; readonly url: string }
  | { readonly kind: 'check'; readonly number: number; readonly stretch: Stretch; readonly range: VoiceRange }
  | { readonly kind: 'cut'; readonly number: number; readonly stretch: Stretch };

export type VoiceAnswer =
  /** `bars`: twenty peaks a second, 0 to 1. `isCut`: only the beginning of the file was read. */
  | { readonly kind: 'opened'; readonly durationMs: number; readonly bars: Float32Array; readonly isCut: boolean }
  | { readonly kind: 'failed' }
  | { readonly kind: 'checked'; readonly number: number; readonly check: RecordingCheck }
  | {
      readonly kind: 'cut';
      readonly number: number;
      readonly pcm: Int16Array<ArrayBuffer>;
      readonly sampleRate: number;
    };

export interface VoiceAudio {
  readonly durationMs: number;
  readonly bars: Float32Array;
  readonly isCut: boolean;
  readonly check: (stretch: Stretch, range: VoiceRange) => Promise<RecordingCheck>;
  readonly cut: (stretch: Stretch) => Promise<{ readonly pcm: Int16Array<ArrayBuffer>; readonly sampleRate: number }>;
}

/** `onOpen` gets null when it can't be read. The result stops it. */
export function readVoice(url: string, onOpen: (audio: VoiceAudio | null) => void): () => void {
  const worker = new Worker(new URL('./voice-worker.ts', import.meta.url), { type: 'module', name: 'voice' });
  const waiting = new Map<number, (answer: VoiceAnswer) => void>();
  let last = 0;
  const ask = (question: VoiceQuestion) => worker.postMessage(question);
  const next = (question: (number: number) => VoiceQuestion): Promise<VoiceAnswer> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      ask(question(last));
    });
  worker.addEventListener('message', ({ data }: MessageEvent<VoiceAnswer>) => {
    if (data.kind === 'failed') onOpen(null);
    else if (data.kind === 'opened') {
      onOpen({
        durationMs: data.durationMs,
        bars: data.bars,
        isCut: data.isCut,
        async check(stretch, range) {
          const answer = await next((number) => ({ kind: 'check', number, stretch, range }));
          if (answer.kind !== 'checked') throw new Error('not an answer to this');
          return answer.check;
        },
        async cut(stretch) {
          const answer = await next((number) => ({ kind: 'cut', number, stretch }));
          if (answer.kind !== 'cut') throw new Error('not an answer to this');
          return answer;
        },
      });
    } else {
      waiting.get(data.number)?.(data);
      waiting.delete(data.number);
    }
  });
  worker.addEventListener('error', () => onOpen(null));
  ask({ kind: 'open', url: new URL(url, document.baseURI).href });
  return () => worker.terminate();
}
