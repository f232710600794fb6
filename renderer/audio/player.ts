import { createStore } from 'zustand/vanilla';
import type { TimeSpan } from '../../shared/domain/transcript/transcript.ts';
import { listenIn } from '../lib/listen-in.ts';
import { Scope } from '../lib/scope.ts';

/** Long enough not to click, short enough not to be audible as a fade. */
const fadeSeconds = 0.008;

/** How long before a stretch its jump is prepared: frames and timers of a busy window come late. */
const aheadMs = 250;

export type PlayerFailure = 'missing' | 'unsupported' | 'damaged';

export interface PlayerState {
  readonly status: 'empty' | 'loading' | 'ready' | 'failed';
  readonly failure: PlayerFailure | null;
  readonly isPlaying: boolean;
  readonly durationMs: number;
  readonly rate: number;
  readonly volume: number;
}

export type Player = ReturnType<typeof createPlayer>;

/** Stops the player that was started last: one sounds at a time. */
let stopLast = (): void => undefined;

const slowest = 0.25;
const fastest = 3;

const silent: PlayerState = { status: 'empty', failure: null, isPlaying: false, durationMs: 0, rate: 1, volume: 1 };

export function createPlayer() {
  // All listeners are on the element itself and go with it.
  const scope = new Scope();
  const element = new Audio();
  element.preload = 'metadata';
  element.preservesPitch = true;
  const timeListeners = new Set<(timeMs: number) => void>();
  const seekListeners = new Set<() => void>();
  const playListeners = new Set<() => void>();
  const endListeners = new Set<() => void>();
  const { getState, setState: change, subscribe } = createStore(() => silent);
  let stopFrames: (() => void) | null = null;
  let rewindMs = 0;
  const skipper = createSpanSkipper(element, scope);

  // 1.234 s must not read as 1233.999 ms, a word too early.
  const timeMs = () => Math.round(element.currentTime * 1000);
  const tellTime = () => {
    const now = timeMs();
    for (const listener of timeListeners) listener(now);
  };
  const setPlaying = (isPlaying: boolean) => {
    if (isPlaying)
      stopFrames ??= scope.eachFrame(() => {
        skipper.look();
        tellTime();
      });
    else {
      stopFrames?.();
      stopFrames = null;
      tellTime();
    }
    if (getState().isPlaying !== isPlaying) change({ isPlaying });
  };
  const readDuration = () => {
    const { duration } = element;
    if (Number.isFinite(duration)) change({ durationMs: Math.round(duration * 1000) });
  };
  const seek = (ms: number) => {
    const end = Number.isFinite(element.duration) ? element.duration : Infinity;
    element.currentTime = Math.max(0, Math.min(end, ms / 1000));
    tellTime();
  };
  const pause = () => {
    if (element.paused) return;
    element.pause();
    if (rewindMs > 0) seek(timeMs() - rewindMs);
  };
  const play = () => {
    const { status } = getState();
    if (status !== 'ready' && status !== 'loading') return;
    if (stopLast !== pause) stopLast();
    stopLast = pause;
    for (const listener of playListeners) listener();
    // A refusal to play is reported by the element's own `error` event.
    element.play().catch(() => undefined);
  };

  scope.listen(element, 'loadedmetadata', () => {
    change({ status: 'ready', failure: null });
    readDuration();
  });
  scope.listen(element, 'durationchange', readDuration);
  scope.listen(element, 'playing', () => setPlaying(true));
  for (const stop of ['pause', 'ended', 'emptied']) scope.listen(element, stop, () => setPlaying(false));
  scope.listen(element, 'ended', () => {
    for (const listener of endListeners) listener();
  });
  scope.listen(element, 'seeking', () => {
    for (const listener of seekListeners) listener();
    tellTime();
  });
  scope.listen(element, 'error', () => {
    if (element.getAttribute('src') === null) return;
    const isDamaged = element.error?.code === MediaError.MEDIA_ERR_DECODE;
    change({ status: 'failed', failure: isDamaged ? 'damaged' : 'unsupported', isPlaying: false });
    // The element has one error for "not there" and "unknown format"; a request tells them apart.
    void fetch(element.src, { headers: { range: 'bytes=0-0' } }).then(
      (response) => {
        if (!response.ok && getState().status === 'failed') change({ failure: 'missing' });
      },
      () => undefined,
    );
  });

  return {
    element,
    getState,
    subscribe,
    timeMs,
    onTime: listenIn(timeListeners),
    onSeek: listenIn(seekListeners),
    /** As soon as it is requested; the element's own event may follow after the next pause. */
    onPlay: listenIn(playListeners),
    onEnded: listenIn(endListeners),
    open: (url: string) => {
      change({ status: 'loading', failure: null, durationMs: 0 });
      element.src = url;
      element.playbackRate = getState().rate;
    },
    close: () => {
      element.pause();
      element.removeAttribute('src');
      element.load();
      change({ status: 'empty', failure: null, isPlaying: false, durationMs: 0 });
    },
    play,
    pause,
    toggle: () => {
      if (element.paused) play();
      else pause();
    },
    // Sought last: a loop would begin at its own start.
    playFrom: (ms: number) => {
      play();
      seek(ms);
    },
    seek,
    skip: (byMs: number) => seek(timeMs() + byMs),
    setRate: (wanted: number) => {
      const rate = Math.max(slowest, Math.min(fastest, Math.round(wanted * 40) / 40));
      element.defaultPlaybackRate = rate;
      element.playbackRate = rate;
      change({ rate });
    },
    setVolume: (volume: number) => {
      element.volume = Math.max(0, Math.min(1, volume));
      change({ volume: element.volume });
    },
    setSkipped: skipper.set,
    /** Jumping back when pausing helps to find the place again; 0 is off. */
    setRewind: (byMs: number) => {
      rewindMs = byMs;
    },
  };
}

/** A stretch jumped into on purpose is played to its end. Without stretches Web Audio is not used. */
function createSpanSkipper(element: HTMLAudioElement, scope: Scope) {
  let spans: readonly TimeSpan[] = [];
  let heard: TimeSpan | null = null;
  let output: { readonly context: AudioContext; readonly gain: AudioParam } | null = null;
  let cancel: (() => void) | null = null;
  const spanAt = (timeMs: number) => spans.find(({ startMs, endMs }) => startMs <= timeMs && timeMs < endMs) ?? null;

  const fade = (to: 0 | 1, inSeconds: number) => {
    if (output === null) return;
    const { context, gain } = output;
    const from = context.currentTime + inSeconds;
    gain.cancelScheduledValues(context.currentTime);
    gain.setValueAtTime(gain.value, from);
    gain.linearRampToValueAtTime(to, from + fadeSeconds);
  };
  const callOff = () => {
    cancel?.();
    cancel = null;
    fade(1, 0);
  };
  const connect = () => {
    const context = new AudioContext();
    const node = new GainNode(context);
    context.createMediaElementSource(element).connect(node).connect(context.destination);
    output = { context, gain: node.gain };
  };
  const look = () => {
    if (spans.length === 0 || element.paused || element.seeking || cancel !== null) return;
    const now = element.currentTime * 1000;
    const span = spans.find(({ endMs }) => endMs > now);
    if (span === undefined || span === heard) return;
    const inMs = Math.max(0, (span.startMs - now) / element.playbackRate);
    if (inMs > aheadMs) return;
    fade(0, Math.max(0, inMs / 1000 - fadeSeconds));
    cancel = scope.after(inMs, () => {
      cancel = null;
      if (!element.paused) element.currentTime = span.endMs / 1000;
    });
  };
  scope.listen(element, 'timeupdate', look);
  scope.listen(element, 'seeking', () => {
    heard = spanAt(element.currentTime * 1000);
    callOff();
  });
  scope.listen(element, 'pause', callOff);
  scope.listen(element, 'playing', () => void output?.context.resume());
  return {
    look,
    set: (next: readonly TimeSpan[]) => {
      spans = next;
      callOff();
      if (next.length > 0 && output === null) connect();
    },
  };
}
