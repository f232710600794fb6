import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Player } from '../player.ts';
import { createWaveformView } from './waveform-view.ts';

beforeAll(() => {
  vi.stubGlobal('document', { baseURI: 'app://studio/' });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const laneOf = (durationMs: number) =>
  createWaveformView({ kind: 'lane', player: {} as Player, url: '/media/a', durationMs });

it('a lane of a recording that turns out to be shorter than its text shows the end of the recording at first', () => {
  const lane = laneOf(60_000);
  lane.setVisible(5000);
  lane.scrollTo(58_000);
  expect(lane.span()).toEqual({ fromMs: 55_000, toMs: 60_000 });
  lane.setDuration(20_000);
  expect(lane.span()).toEqual({ fromMs: 15_000, toMs: 20_000 });
});

it('a lane that is zoomed out near the end shows as much as elsewhere at first', () => {
  const lane = laneOf(60_000);
  lane.setVisible(5000);
  lane.scrollTo(58_000);
  lane.setVisible(20_000);
  expect(lane.span()).toEqual({ fromMs: 40_000, toMs: 60_000 });
});
