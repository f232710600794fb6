import { createStore } from 'zustand/vanilla';
import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import { listenIn } from '../../lib/listen-in.ts';
import { Scope } from '../../lib/scope.ts';
import { inPieces } from './in-pieces.ts';
import { openTrack, type TrackReader } from '../track-reader.ts';

export interface ComparePlayerState {
  readonly status: 'opening' | 'ready' | 'failed';
  readonly isPlaying: boolean;
  readonly durationMs: number;
  readonly loop: TimeSpan | null;
}

/** All tracks run all the time; gains cross-fade in 5 ms, so switching has no click, gap or jump. */
export type ComparePlayer = ReturnType<typeof createComparePlayer>;

const crossfadeSeconds = 0.005;
const leadSeconds = 0.06;
const chunkSeconds = 0.5;
const aheadSeconds = 2;
const pollMs = 150;

interface Run {
  readonly fromFrame: number;
  /** Seconds of the audio clock at which `fromFrame` plays; null until the first samples are there. */
  startsAt: number | null;
  isStopped: boolean;
  readonly nodes: Set<AudioBufferSourceNode>;
  /** One per track, faded when the run is stopped, so that stopping has no click either. */
  faders: readonly GainNode[];
}

export function createComparePlayer(urls: readonly string[], startMs = 0) {
  const scope = new Scope();
  const timeListeners = new Set<(timeMs: number) => void>();
  const {
    getState,
    setState: change,
    subscribe,
  } = createStore<ComparePlayerState>(() => ({ status: 'opening', isPlaying: false, durationMs: 0, loop: null }));
  let tracks: readonly TrackReader[] | null = null;
  let context: AudioContext | null = null;
  let gains: readonly GainNode[] | null = null;
  let wanted: readonly number[] = [0, 1];
  let offsetsMs: readonly number[] = [];
  let run: Run | null = null;
  let restFrame = 0;
  let stopFrames: (() => void) | null = null;

  const rate = () => tracks?.[0]?.sampleRate ?? 48_000;
  const toFrame = (ms: number) => Math.round((ms * rate()) / 1000);
  const lastFrame = () => toFrame(getState().durationMs);
  const loopFrames = () => {
    const { loop } = getState();
    if (loop === null) return null;
    const [start, end] = [toFrame(loop.startMs), toFrame(loop.endMs)];
    return end - start > rate() / 20 ? { start, end } : null;
  };

  const frameNow = (): number => {
    if (run === null || run.startsAt === null || context === null) return run?.fromFrame ?? restFrame;
    const heardAt = context.currentTime - (Number.isFinite(context.outputLatency) ? context.outputLatency : 0);
    const passed = Math.max(0, Math.round((heardAt - run.startsAt) * rate()));
    const loop = loopFrames();
    if (loop === null || run.fromFrame >= loop.end) return Math.min(lastFrame(), run.fromFrame + passed);
    const untilEnd = loop.end - run.fromFrame;
    return passed < untilEnd ? run.fromFrame + passed : loop.start + ((passed - untilEnd) % (loop.end - loop.start));
  };
  const timeMs = () => Math.round((frameNow() * 1000) / rate());
  const tellTime = () => {
    const now = timeMs();
    for (const listener of timeListeners) listener(now);
    if (run !== null && getState().loop === null && frameNow() >= lastFrame()) {
      stop();
      restFrame = 0;
      tellTime();
    }
  };

  const applyGains = () => {
    if (context === null || gains === null) return;
    // One moment for all: with two that differ the sum is not that of one recording for as long.
    const { currentTime: now } = context;
    for (const [index, { gain }] of gains.entries()) {
      const value = wanted[index] ?? 0;
      gain.cancelScheduledValues(now);
      gain.setValueAtTime(gain.value, now);
      gain.linearRampToValueAtTime(value, now + crossfadeSeconds);
    }
  };

  async function* piecesOf(track: TrackReader, from: number, shift: number, own: Run) {
    const loop = loopFrames();
    let start = from;
    for (;;) {
      const end = loop !== null && start < loop.end ? loop.end : lastFrame();
      yield* inPieces(track.read(start + shift, rate()), end - start, Math.round(chunkSeconds * rate()), own);
      if (loop === null || end !== loop.end || own.isStopped) return;
      start = loop.start;
    }
  }

  const schedule = (own: Run, output: GainNode, planes: readonly Float32Array[], atFrame: number) => {
    const frames = planes[0]?.length ?? 0;
    if (context === null || own.startsAt === null || frames === 0) return;
    const buffer = context.createBuffer(planes.length, frames, rate());
    for (const [index, plane] of planes.entries()) buffer.copyToChannel(plane as Float32Array<ArrayBuffer>, index);
    const node = context.createBufferSource();
    node.buffer = buffer;
    node.connect(output);
    node.addEventListener('ended', () => {
      own.nodes.delete(node);
      node.disconnect();
    });
    const when = own.startsAt + atFrame / rate();
    const late = context.currentTime - when;
    // A late piece starts in its middle, so that the tracks stay in sync.
    if (late <= 0) node.start(when);
    else if (late < frames / rate()) node.start(context.currentTime + 0.01, late + 0.01);
    else return;
    own.nodes.add(node);
  };

  const play = async (fromFrame: number) => {
    const own: Run = { fromFrame, startsAt: null, isStopped: false, nodes: new Set(), faders: [] };
    run = own;
    change({ isPlaying: true });
    stopFrames ??= scope.eachFrame(tellTime);
    if (tracks === null) return;
    context ??= new AudioContext({ sampleRate: rate(), latencyHint: 'interactive' });
    const { destination } = context;
    gains ??= tracks.map((_, index) => {
      const gain = connectGain(destination);
      gain.gain.value = wanted[index] ?? 0;
      return gain;
    });
    own.faders = gains.map(connectGain);
    await context.resume();
    const sources = tracks.map((track, index) => piecesOf(track, fromFrame, toFrame(offsetsMs[index] ?? 0), own));
    try {
      const first = await Promise.all(sources.map((source) => source.next()));
      if (own.isStopped) return;
      // At a whole sample of the clock, so that pieces join without a seam.
      own.startsAt = Math.ceil((context.currentTime + leadSeconds) * rate()) / rate();
      await Promise.all(sources.map((source, index) => pump(own, source, first[index], own.faders[index])));
    } catch {
      if (!own.isStopped) {
        stop();
        change({ status: 'failed' });
      }
    } finally {
      for (const source of sources) void source.return(undefined);
    }
  };

  const pump = async (
    own: Run,
    source: AsyncGenerator<readonly Float32Array[]>,
    first: IteratorResult<readonly Float32Array[], unknown> | undefined,
    output: GainNode | undefined,
  ) => {
    if (output === undefined) return;
    let frame = 0;
    for (let next = first; next !== undefined && next.done !== true && !own.isStopped; next = await source.next()) {
      const planes = next.value as readonly Float32Array[];
      schedule(own, output, planes, frame);
      frame += planes[0]?.length ?? 0;
      while (!own.isStopped && (own.startsAt ?? 0) + frame / rate() - (context?.currentTime ?? 0) > aheadSeconds)
        await new Promise<void>((resolve) => void scope.after(pollMs, resolve));
    }
  };

  const stop = () => {
    if (run === null) return;
    restFrame = frameNow();
    run.isStopped = true;
    const now = context?.currentTime ?? 0;
    for (const { gain } of run.faders) {
      gain.setValueAtTime(1, now);
      gain.linearRampToValueAtTime(0, now + crossfadeSeconds);
    }
    for (const node of run.nodes) node.stop(now + crossfadeSeconds);
    run = null;
    stopFrames?.();
    stopFrames = null;
    change({ isPlaying: false });
  };
  const moveTo = (frame: number) => {
    const wasPlaying = run !== null;
    stop();
    restFrame = Math.max(0, Math.min(lastFrame(), frame));
    if (wasPlaying) void play(restFrame);
    tellTime();
  };

  const open = async () => {
    try {
      const opened = await Promise.all(urls.map((url) => openTrack(url)));
      if (scope.isDisposed) return;
      tracks = opened;
      change({ status: 'ready', durationMs: opened[0]?.durationMs ?? 0 });
      moveTo(toFrame(startMs));
    } catch {
      if (!scope.isDisposed) change({ status: 'failed' });
    }
  };
  void open();

  return {
    getState,
    subscribe,
    timeMs,
    onTime: listenIn(timeListeners),
    toggle: () => {
      if (run !== null) {
        stop();
        tellTime();
      } else if (getState().status === 'ready') void play(restFrame >= lastFrame() ? 0 : restFrame);
    },
    pause: () => {
      stop();
      tellTime();
    },
    seek: (ms: number) => moveTo(toFrame(ms)),
    setGains: (next: readonly number[]) => {
      wanted = next;
      applyGains();
    },
    setLoop: (loop: TimeSpan | null) => {
      const at = frameNow();
      change({ loop });
      const frames = loopFrames();
      if (run !== null) moveTo(frames !== null && (at < frames.start || at >= frames.end) ? frames.start : at);
    },
    setOffsets: (next: readonly number[]) => {
      const isSame = urls.every((_, index) => toFrame(next[index] ?? 0) === toFrame(offsetsMs[index] ?? 0));
      offsetsMs = next;
      if (!isSame && run !== null) moveTo(frameNow());
    },
    close: () => {
      stop();
      scope.dispose();
      void context?.close();
      timeListeners.clear();
    },
  };
}

function connectGain(output: AudioNode): GainNode {
  const gain = output.context.createGain();
  gain.connect(output);
  return gain;
}
