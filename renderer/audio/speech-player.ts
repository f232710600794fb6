import { listenIn } from '../lib/listen-in.ts';
import { Scope } from '../lib/scope.ts';
import { changeTempo, stretchAudio } from '../../shared/domain/audio/stretch-audio.ts';
import { joinSamples } from './samples.ts';

/** Generated speech is mono at this rate. */
const rate = 24_000;
/** Just enough to hand the first samples over. */
const leadSeconds = 0.018;
const firstSamples = 0.02 * rate;
/** The first frame lasts until the next arrives, 50 ms late, and is handed over. */
const coverSamples = 0.07 * rate;
/** Buffered after samples were late, so that the next delay of the same length is inaudible. */
const refillSeconds = 0.08;
/** No more than this is decoded ahead of playback. */
const aheadSeconds = 15;
const tickMs = 40;

export interface SpeechPart {
  readonly id: string;
  readonly url: string | null;
  readonly tempo?: number;
  readonly pauseMs: number;
  /** Relative to the first part's; null or absent: right after the previous part. */
  readonly startMs?: number | null;
}

export interface SpeechPlayerState {
  readonly status: 'idle' | 'waiting' | 'playing' | 'paused';
  readonly heardId: string | null;
  readonly awaitedId: string | null;
  readonly failedIds: readonly string[];
  readonly heardMs: number;
  readonly lateCount: number;
}

export type SpeechPlayer = ReturnType<typeof createSpeechPlayer>;

interface Coming {
  readonly samples: Float32Array<ArrayBuffer>[];
  url: string | null;
  isEnded: boolean;
  wake: () => void;
}

interface Run {
  readonly context: AudioContext;
  readonly scope: Scope;
  readonly coming: Map<string, Coming>;
  readonly spans: { readonly id: string; readonly from: number; to: number }[];
  cursor: number;
  loadingId: string | null;
  isComplete: boolean;
}

function takeFirst({ samples, isEnded }: Coming): Float32Array<ArrayBuffer> | undefined {
  const length = samples.reduce((sum, part) => sum + part.length, 0);
  if (length === 0 || (length < firstSamples && !isEnded)) return undefined;
  const all = joinSamples(samples.splice(0));
  return isEnded ? all : stretchAudio(all, coverSamples);
}

const idle = { status: 'idle', heardId: null, awaitedId: null, failedIds: [], heardMs: 0, lateCount: 0 } as const;
const shownFacts = ['status', 'heardId', 'awaitedId', 'failedIds', 'heardMs'] as const;

/** On one clock, to the sample: each part begins where the last sample of the previous one ended. */
export function createSpeechPlayer() {
  const listeners = new Set<() => void>();
  let state: SpeechPlayerState = idle;
  let run: Run | null = null;

  const change = (patch: Partial<SpeechPlayerState>) => {
    const next = { ...state, ...patch };
    if (shownFacts.every((fact) => next[fact] === state[fact])) return;
    state = next;
    for (const listener of listeners) listener();
  };

  const comingOf = (of: Run, id: string): Coming => {
    const known = of.coming.get(id) ?? { samples: [], url: null, isEnded: false, wake: () => undefined };
    of.coming.set(id, known);
    return known;
  };

  const place = (of: Run, id: string, length: number, skipped: number, play: (at: number) => void) => {
    const now = of.context.currentTime * rate;
    if (of.cursor < now) {
      const isFirst = of.spans.length === 0;
      if (!isFirst) state = { ...state, lateCount: state.lateCount + 1 };
      of.cursor = Math.ceil(now + (isFirst ? leadSeconds : refillSeconds) * rate);
    }
    play(of.cursor / rate);
    const span = of.spans.at(-1);
    if (span?.id === id) span.to = of.cursor + length;
    else of.spans.push({ id, from: of.cursor - skipped, to: of.cursor + length });
    of.cursor += length;
  };

  const schedule = (of: Run, id: string, buffer: AudioBuffer, offsetMs = 0) => {
    const skipped = Math.min(buffer.length - 1, Math.round((offsetMs / 1000) * rate));
    if (buffer.length === 0) return;
    place(of, id, buffer.length - skipped, skipped, (at) => {
      const node = of.context.createBufferSource();
      node.buffer = buffer;
      node.connect(of.context.destination);
      node.start(at, skipped / rate);
    });
    tick(of);
  };

  const scheduleFile = async (of: Run, part: SpeechPart, url: string, offsetMs: number): Promise<boolean> => {
    try {
      const response = await fetch(url);
      if (!response.ok) return false;
      const spoken = await of.context.decodeAudioData(await response.arrayBuffer());
      const samples = changeTempo(spoken.getChannelData(0), part.tempo ?? 1);
      const buffer = of.context.createBuffer(1, samples.length, rate);
      buffer.copyToChannel(samples, 0);
      if (run === of) schedule(of, part.id, buffer, offsetMs);
      return true;
    } catch {
      return false;
    }
  };

  const roomAhead = async (of: Run) => {
    while (run === of && of.cursor / rate - of.context.currentTime > aheadSeconds)
      await new Promise<void>((resolve) => void of.scope.after(500, resolve));
  };

  const playPart = async (of: Run, part: SpeechPart, offsetMs: number): Promise<boolean> => {
    if (part.url !== null) return scheduleFile(of, part, part.url, offsetMs);
    const coming = comingOf(of, part.id);
    let isAnyHeard = false;
    // Only a whole sentence can be heard at another speed.
    const isWhole = (part.tempo ?? 1) !== 1;
    while (run === of) {
      const isFirst = of.spans.length === 0;
      const samples = isWhole ? undefined : isFirst ? takeFirst(coming) : coming.samples.shift();
      if (samples !== undefined) {
        const buffer = of.context.createBuffer(1, samples.length, rate);
        buffer.copyToChannel(samples, 0);
        schedule(of, part.id, buffer);
        isAnyHeard = true;
      } else if (coming.isEnded) {
        if (isAnyHeard) return true;
        return coming.url !== null && scheduleFile(of, part, coming.url, 0);
      } else {
        await new Promise<void>((resolve) => {
          coming.wake = resolve;
        });
      }
    }
    return true;
  };

  const playAll = async (of: Run, parts: readonly SpeechPart[], fromMs: number) => {
    for (const [index, part] of parts.entries()) {
      await roomAhead(of);
      if (run !== of) return;
      const [first] = of.spans;
      const firstMs = parts[0]?.startMs ?? null;
      const startMs = part.startMs ?? null;
      if (first !== undefined && firstMs !== null && startMs !== null)
        of.cursor = Math.max(of.cursor, first.from + ((startMs - firstMs) / 1000) * rate);
      of.loadingId = part.id;
      const isPlayed = await playPart(of, part, index === 0 ? fromMs : 0);
      if (!isPlayed && run === of) change({ failedIds: [...state.failedIds, part.id] });
      of.cursor += Math.round((part.pauseMs / 1000) * rate);
    }
    of.isComplete = true;
  };

  const tick = (of: Run) => {
    if (run !== of || of.context.state === 'suspended') return;
    const now = of.context.currentTime * rate;
    const heard = of.spans.findLast(({ from }) => from <= now);
    const last = of.spans.at(-1);
    if (of.isComplete && now >= (last?.to ?? 0)) {
      stop();
      return;
    }
    const isSilent = last === undefined || now > of.cursor;
    change({
      status: isSilent && !of.isComplete ? 'waiting' : 'playing',
      heardId: heard?.id ?? null,
      awaitedId: heard === undefined ? (of.spans[0]?.id ?? of.loadingId) : isSilent ? of.loadingId : null,
      heardMs: heard === undefined ? 0 : Math.round(((Math.min(now, heard.to) - heard.from) * 1000) / rate),
    });
  };

  const stop = () => {
    const ending = run;
    run = null;
    if (ending !== null) {
      ending.scope.dispose();
      for (const { wake } of ending.coming.values()) wake();
      void ending.context.close();
    }
    change({ status: 'idle', heardId: null, awaitedId: null, heardMs: 0 });
  };

  return {
    getState: () => state,
    subscribe: listenIn(listeners),
    start: (parts: readonly SpeechPart[], fromMs = 0) => {
      stop();
      const of: Run = {
        context: new AudioContext({ sampleRate: rate, latencyHint: 'interactive' }),
        scope: new Scope(),
        coming: new Map(),
        spans: [],
        cursor: 0,
        loadingId: null,
        isComplete: false,
      };
      run = of;
      state = { ...state, lateCount: 0, failedIds: [] };
      of.scope.every(tickMs, () => tick(of));
      change({ status: 'waiting', awaitedId: parts[0]?.id ?? null });
      void playAll(of, parts, fromMs);
    },
    push: (id: string, pcm: Int16Array) => {
      if (run === null) return;
      const coming = comingOf(run, id);
      coming.samples.push(Float32Array.from(pcm, (sample) => sample / 32_768));
      coming.wake();
    },
    /** `url` is played where nothing was pushed; null: it is skipped. */
    finish: (id: string, url: string | null) => {
      if (run === null) return;
      const coming = comingOf(run, id);
      coming.url = url;
      coming.isEnded = true;
      coming.wake();
    },
    pause: () => {
      if (run === null) return;
      void run.context.suspend();
      change({ status: 'paused' });
    },
    resume: () => {
      if (run === null) return;
      void run.context.resume();
      change({ status: 'playing' });
    },
    stop,
  };
}
