import { expect, test } from 'vitest';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { createEditorStore } from './editor-store.ts';
import { linkPlayback } from './playback-link.ts';
import { createTimeline } from './timeline.ts';

const segmentAt = (startMs: number, endMs: number) => ({
  id: String(startMs),
  speakerId: null,
  startMs,
  endMs,
  text: '',
  words: [],
});
const transcript: Transcript = {
  language: 'uz',
  durationMs: 9000,
  speakers: [],
  segments: [segmentAt(0, 2000), segmentAt(2500, 4000), segmentAt(4000, 9000)],
};

function start() {
  const listeners = new Set<(timeMs: number) => void>();
  const store = createEditorStore(transcript.durationMs);
  const seeks: number[] = [];
  const pauses: number[] = [];
  const signals = { jump: new Set<() => void>(), change: new Set<() => void>() };
  const playback = { start: new Set<() => void>(), end: new Set<() => void>() };
  const hearing = (listeners: Set<() => void>) => (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  let now = 0;
  let isPlaying = false;
  const tick = (timeMs: number) => {
    now = timeMs;
    for (const listener of listeners) listener(timeMs);
  };
  const playhead = {
    timeMs: () => now,
    onTime: (listener: (timeMs: number) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onSeek: hearing(signals.jump),
    onPlay: hearing(playback.start),
    onEnded: hearing(playback.end),
    subscribe: hearing(signals.change),
    getState: () => ({ isPlaying, durationMs: 8950 }),
    play: () => {
      for (const listener of playback.start) listener();
      isPlaying = true;
      for (const listener of signals.change) listener();
    },
    pause: () => {
      pauses.push(now);
    },
    seek: (timeMs: number) => {
      seeks.push(timeMs);
      tick(timeMs);
      for (const listener of signals.jump) listener();
    },
  };
  const timeline = createTimeline(() => transcript);
  linkPlayback(playhead, timeline, store);
  /** The recording ends a little before the transcript does. */
  const end = () => {
    tick(8950);
    isPlaying = false;
    for (const listener of [...signals.change, ...playback.end]) listener();
  };
  const { play, seek } = playhead;
  return { store, seeks, pauses, tick, end, play, seek, isPlaying: () => isPlaying };
}

test('a looped segment restarts at its end, and a jump out of it moves the loop along', () => {
  const { store, seeks, tick } = start();
  store.loop(true);
  tick(2200);
  expect(store.getState().current).toBe(0);
  for (const timeMs of [2600, 3900, 4010]) tick(timeMs);
  expect([seeks, store.getState().current]).toEqual([[2500], 1]);
  for (const timeMs of [8000, 8900, 9000]) tick(timeMs);
  expect(seeks).toEqual([2500, 4000]);
});

test('every jump and every start of playback resumes following; a repeat of the loop does not', () => {
  const { store, tick, play, seek } = start();
  store.follow(false);
  seek(8000);
  expect(store.getState().isFollowing).toBe(true);
  store.follow(false);
  play();
  expect(store.getState().isFollowing).toBe(true);
  store.follow(false);
  store.loop(true);
  seek(2600);
  store.follow(false);
  for (const timeMs of [2600, 3900, 4010]) tick(timeMs);
  expect(store.getState().isFollowing).toBe(false);
  seek(8000);
  expect(store.getState().isFollowing).toBe(true);
});

test('a range takes the place of the mark A that it began with', () => {
  const { store } = start();
  store.startRange(1000);
  expect(store.getState()).toMatchObject({ range: null, rangeStartMs: 1000 });
  store.endRange(3000);
  expect(store.getState()).toMatchObject({ range: { startMs: 1000, endMs: 3000 }, rangeStartMs: null });
});

test('playback that starts outside of a looped range begins at its start, and inside of it stays', () => {
  const { store, seeks, tick, play } = start();
  store.chooseRange({ startMs: 2600, endMs: 3600 });
  store.loop(true);
  for (const [from, sought] of [
    [3600, [2600]],
    [1000, [2600, 2600]],
    [3000, [2600, 2600]],
  ] as const) {
    tick(from);
    play();
    expect(seeks).toEqual(sought);
  }
  store.loop(false);
  tick(8000);
  play();
  expect(seeks).toHaveLength(2);
});

test('a loop that reaches to the end of the recording goes on there, and another one does not', () => {
  const { store, seeks, tick, play, end, isPlaying } = start();
  store.loop(true);
  store.chooseRange({ startMs: 5000, endMs: 9000 });
  tick(8000);
  play();
  end();
  expect(seeks).toEqual([5000]);
  expect(isPlaying()).toBe(true);
  store.chooseRange({ startMs: 2600, endMs: 3600 });
  tick(8000);
  end();
  expect(isPlaying()).toBe(false);
});
