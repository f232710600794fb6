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
  const jumps = new Set<() => void>();
  const changes = new Set<() => void>();
  const starts = new Set<() => void>();
  const ends = new Set<() => void>();
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
    onSeek: (listener: () => void) => {
      jumps.add(listener);
      return () => jumps.delete(listener);
    },
    onPlay: (listener: () => void) => {
      starts.add(listener);
      return () => starts.delete(listener);
    },
    onEnded: (listener: () => void) => {
      ends.add(listener);
      return () => ends.delete(listener);
    },
    subscribe: (listener: () => void) => {
      changes.add(listener);
      return () => changes.delete(listener);
    },
    getState: () => ({ isPlaying, durationMs: 8950 }),
    play: () => {
      for (const listener of starts) listener();
      isPlaying = true;
      for (const listener of changes) listener();
    },
    pause: () => {
      pauses.push(now);
    },
    seek: (timeMs: number) => {
      seeks.push(timeMs);
      tick(timeMs);
      for (const listener of jumps) listener();
    },
  };
  const stop = linkPlayback(playhead, createTimeline(transcript), store);
  /** The recording ends a little before the transcript does. */
  const end = () => {
    tick(8950);
    isPlaying = false;
    for (const listener of [...changes, ...ends]) listener();
  };
  return {
    store,
    seeks,
    pauses,
    tick,
    stop,
    end,
    play: playhead.play,
    seek: playhead.seek,
    isPlaying: () => isPlaying,
  };
}

test('the current segment follows the playhead and stays during a pause', () => {
  const { store, tick } = start();
  for (const [timeMs, current] of [
    [100, 0],
    [2200, 0],
    [2600, 1],
    [8000, 2],
  ] as const) {
    tick(timeMs);
    expect(store.getState().current).toBe(current);
  }
});

test('a looped segment restarts at its end', () => {
  const { store, seeks, tick } = start();
  store.loop(true);
  for (const timeMs of [2600, 3900, 4010]) tick(timeMs);
  expect(seeks).toEqual([2500]);
  expect(store.getState().current).toBe(1);
});

test('a jump out of a looped segment moves the loop along', () => {
  const { store, seeks, tick } = start();
  store.loop(true);
  for (const timeMs of [2600, 8000, 8900, 9000]) tick(timeMs);
  expect(seeks).toEqual([4000]);
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
});

test('a span that is played once ends with a pause, unless playback jumps out of it', () => {
  const { store, pauses, tick, seek } = start();
  const span = { startMs: 1000, endMs: 3000 };
  seek(1000);
  store.playOnce(span);
  for (const timeMs of [2900, 3010, 3100]) tick(timeMs);
  expect(pauses).toEqual([3010]);
  expect(store.getState().playedOnce).toBeNull();
  seek(1000);
  store.playOnce(span);
  seek(8000);
  seek(2900);
  tick(3010);
  expect(pauses).toEqual([3010]);
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

test('nothing is followed after the end', () => {
  const { store, tick, stop } = start();
  stop();
  tick(8000);
  expect(store.getState().current).toBe(0);
});
