import type { TimeSpan } from '../../shared/domain/transcript/transcript.ts';
import { Scope } from '../lib/scope.ts';
import { createSpanSkipper } from './skip-spans.ts';

/** Why a recording does not play: the file is gone, the browser has no decoder for it, or it is damaged. */
export type PlayerFailure = 'missing' | 'unsupported' | 'damaged';

/** State that changes rarely; the time is reported separately, frame by frame. */
export interface PlayerState {
  readonly status: 'empty' | 'loading' | 'ready' | 'failed';
  readonly failure: PlayerFailure | null;
  readonly isPlaying: boolean;
  /** Of the recording as measured by the browser; 0 until it is known. */
  readonly durationMs: number;
  readonly rate: number;
  /** 0..1 */
  readonly volume: number;
}

/** The only owner of a screen's audio element. */
export interface Player {
  /** For wavesurfer, which reads its time and seeks it. */
  readonly element: HTMLAudioElement;
  readonly getState: () => PlayerState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Position of the playhead, in whole milliseconds. */
  readonly timeMs: () => number;
  /** Called before each painted frame while playing, and once after each jump. */
  readonly onTime: (listener: (timeMs: number) => void) => () => void;
  /** Called after each jump, whatever caused it: keys, buttons, the waveform, a word. */
  readonly onSeek: (listener: () => void) => () => void;
  /** Called as soon as playback is requested; the element's own event follows later, perhaps after the next pause. */
  readonly onPlay: (listener: () => void) => () => void;
  /** Called when playback came to the end of the recording by itself. */
  readonly onEnded: (listener: () => void) => () => void;
  readonly open: (url: string) => void;
  /** Releases the recording; another one may be opened. */
  readonly close: () => void;
  readonly play: () => void;
  readonly pause: () => void;
  readonly toggle: () => void;
  /** Plays from a moment. */
  readonly playFrom: (timeMs: number) => void;
  /** Jumps; beyond the ends means the ends. */
  readonly seek: (timeMs: number) => void;
  readonly skip: (byMs: number) => void;
  readonly setRate: (rate: number) => void;
  readonly setVolume: (volume: number) => void;
  /** Stretches that are skipped during playback, ordered and disjoint. */
  readonly setSkipped: (spans: readonly TimeSpan[]) => void;
  /** How far pausing jumps back from now on, to find the place again; 0 is off. */
  readonly setRewind: (byMs: number) => void;
}

const slowest = 0.25;
const fastest = 3;

const silent: PlayerState = { status: 'empty', failure: null, isPlaying: false, durationMs: 0, rate: 1, volume: 1 };

export function createPlayer(): Player {
  // All listeners are on the element itself and go with it: there is nothing to dispose beyond `close`.
  const scope = new Scope();
  const element = new Audio();
  element.preload = 'metadata';
  element.preservesPitch = true;
  const listeners = new Set<() => void>();
  const timeListeners = new Set<(timeMs: number) => void>();
  const seekListeners = new Set<() => void>();
  const playListeners = new Set<() => void>();
  const endListeners = new Set<() => void>();
  let state = silent;
  let stopFrames: (() => void) | null = null;
  let rewindMs = 0;
  const skipper = createSpanSkipper(element, scope);

  const change = (patch: Partial<PlayerState>) => {
    state = { ...state, ...patch };
    for (const listener of listeners) listener();
  };
  // Whole milliseconds, like the times of words: 1.234 s must not read as 1233.999 ms, a word too early.
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
    if (state.isPlaying !== isPlaying) change({ isPlaying });
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
  const play = () => {
    if (state.status !== 'ready' && state.status !== 'loading') return;
    for (const listener of playListeners) listener();
    // A refusal to play is reported by the element's own `error` event.
    element.play().catch(() => undefined);
  };
  const pause = () => {
    if (element.paused) return;
    element.pause();
    if (rewindMs > 0) seek(timeMs() - rewindMs);
  };

  scope.listen(element, 'loadedmetadata', () => {
    change({ status: 'ready', failure: null });
    readDuration();
  });
  scope.listen(element, 'durationchange', readDuration);
  scope.listen(element, 'playing', () => {
    setPlaying(true);
  });
  for (const stop of ['pause', 'ended', 'emptied']) {
    scope.listen(element, stop, () => {
      setPlaying(false);
    });
  }
  scope.listen(element, 'ended', () => {
    for (const listener of endListeners) listener();
  });
  scope.listen(element, 'seeking', () => {
    for (const listener of seekListeners) listener();
    tellTime();
  });
  scope.listen(element, 'error', () => {
    if (element.getAttribute('src') === null) return;
    const failed = () => {
      change({ status: 'failed', failure: failureOf(element.error), isPlaying: false });
    };
    failed();
    // The element reports the same error for "not there" and "unknown format"; one request tells them apart.
    void fetch(element.src, { headers: { range: 'bytes=0-0' } }).then(
      (response) => {
        if (!response.ok && state.status === 'failed') change({ failure: 'missing' });
      },
      () => undefined,
    );
  });

  return {
    element,
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    timeMs,
    onTime(listener) {
      timeListeners.add(listener);
      return () => timeListeners.delete(listener);
    },
    onSeek(listener) {
      seekListeners.add(listener);
      return () => seekListeners.delete(listener);
    },
    onPlay(listener) {
      playListeners.add(listener);
      return () => playListeners.delete(listener);
    },
    onEnded(listener) {
      endListeners.add(listener);
      return () => endListeners.delete(listener);
    },
    open(url) {
      change({ status: 'loading', failure: null, durationMs: 0 });
      element.src = url;
      element.playbackRate = state.rate;
    },
    close() {
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
    playFrom: (ms) => {
      play();
      seek(ms);
    },
    seek,
    skip: (byMs) => {
      seek(timeMs() + byMs);
    },
    setRate(wanted) {
      const rate = Math.max(slowest, Math.min(fastest, Math.round(wanted * 40) / 40));
      element.defaultPlaybackRate = rate;
      element.playbackRate = rate;
      change({ rate });
    },
    setVolume(volume) {
      element.volume = Math.max(0, Math.min(1, volume));
      change({ volume: element.volume });
    },
    setSkipped: skipper.set,
    setRewind: (byMs) => {
      rewindMs = byMs;
    },
  };
}

function failureOf(error: MediaError | null): PlayerFailure {
  return error?.code === MediaError.MEDIA_ERR_DECODE ? 'damaged' : 'unsupported';
}
