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
  const store = createEditorStore();
  const seeks: number[] = [];
  let now = 0;
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
    seek: (timeMs: number) => {
      seeks.push(timeMs);
      tick(timeMs);
    },
  };
  const stop = linkPlayback(playhead, createTimeline(transcript), store);
  return { store, seeks, tick, stop };
}

test('the heard segment follows the playhead and stays through a pause', () => {
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

test('a looped segment begins again when its end is passed', () => {
  const { store, seeks, tick } = start();
  store.loop(true);
  for (const timeMs of [2600, 3900, 4010]) tick(timeMs);
  expect(seeks).toEqual([2500]);
  expect(store.getState().current).toBe(1);
});

test('a jump out of a looped segment is a wish, and the loop moves along', () => {
  const { store, seeks, tick } = start();
  store.loop(true);
  for (const timeMs of [2600, 8000, 8900, 9000]) tick(timeMs);
  expect(seeks).toEqual([4000]);
});

test('nothing is followed after the end', () => {
  const { store, tick, stop } = start();
  stop();
  tick(8000);
  expect(store.getState().current).toBe(0);
});
