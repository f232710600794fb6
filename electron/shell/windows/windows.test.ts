import { EventEmitter } from 'node:events';
import type { WebContents } from 'electron';
import { expect, it, vi } from 'vitest';
import { createReopening, createRestartLimit, followZoom, placeToReopen, placeWindow } from './place-window.ts';
import { defaultSettings } from '../../services/settings/stored-settings.ts';

const left = { x: 0, y: 0, width: 1920, height: 1080 };
const right = { x: 1920, y: 0, width: 1280, height: 800 };

it.each([
  ['as it was left', { x: 100, y: 50, width: 1280, height: 800 }, [left], { x: 100, y: 50, width: 1280, height: 800 }],
  [
    'on the second display',
    { x: 2000, y: 10, width: 1000, height: 700 },
    [left, right],
    { x: 2000, y: 10, width: 1000, height: 700 },
  ],
  [
    'centred, when that display is gone',
    { x: 2000, y: 10, width: 1000, height: 700 },
    [left],
    { width: 1000, height: 700 },
  ],
  [
    'centred, when its title bar is above every display',
    { x: 10, y: -300, width: 1000, height: 700 },
    [left],
    { width: 1000, height: 700 },
  ],
  ['no smaller than the least', { width: 10, height: 10 }, [left], { width: 960, height: 640 }],
  ['no larger than the display', { width: 9000, height: 9000 }, [left], { width: 1920, height: 1080 }],
])('a window opens %s', (_name, saved, displays, expected) => {
  expect(placeWindow(saved, displays)).toEqual(expected);
});

it.each([
  ['a transcript, without the place and the words in it', '#/transcripts/t-1/12000/qovun', '/transcripts/t-1'],
  ['a section, without what is open in it', '#/settings/shortcuts/files.add', '/settings'],
  ['the first section, where none was chosen', '', '/'],
])('the next start opens %s', (_name, hash, expected) => {
  expect(placeToReopen(`app://studio/${hash}`)).toBe(expected);
});

it('a transcript that is opened is opened by the next start too, however the app ends', () => {
  const kept: string[] = [];
  const reopening = createReopening('/library', (location) => kept.push(location));
  reopening.go('/transcripts/t-1');
  expect(kept.at(-1)).toBe('/transcripts/t-1');
  reopening.go('/settings');
  expect(kept.at(-1)).toBe('/settings');
  // A page that crashed is not opened with what it showed.
  reopening.go('/transcripts/t-2');
  reopening.go('');
  expect(kept.at(-1)).toBe('');
});

it('a transcript that ends the app soon after a start opened it is not opened by the start after that', () => {
  vi.useFakeTimers();
  try {
    const kept: string[] = [];
    const keep = (location: string) => kept.push(location);
    const reopening = createReopening('/transcripts/t-1', keep);
    expect(kept.at(-1)).toBe('');
    vi.advanceTimersByTime(9000);
    expect(kept.at(-1)).toBe('');
    vi.advanceTimersByTime(1000);
    expect(kept.at(-1)).toBe('/transcripts/t-1');
    reopening.end();
    // Closed by somebody, it is not to blame.
    createReopening('/transcripts/t-2', keep).end();
    expect(kept.at(-1)).toBe('/transcripts/t-2');
    // And chosen again it is not in doubt.
    const other = createReopening('/transcripts/t-3', keep);
    other.go('/transcribe');
    other.go('/transcripts/t-3');
    expect(kept.at(-1)).toBe('/transcripts/t-3');
    vi.advanceTimersByTime(20_000);
    expect(kept.at(-1)).toBe('/transcripts/t-3');
  } finally {
    vi.useRealTimers();
  }
});

it('a failing page is reloaded three times in five minutes, and again after that', () => {
  let nowMs = 0;
  const limit = createRestartLimit(() => nowMs);
  expect([limit.mayRestart(), limit.mayRestart(), limit.mayRestart(), limit.mayRestart()]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  nowMs = 5 * 60_000;
  expect(limit.mayRestart()).toBe(true);
});

it('the interface has the size of the settings, at once and in every page that is loaded', () => {
  let interfaceZoom = 150;
  const listeners = new Set<() => void>();
  const factors: number[] = [];
  const contents = Object.assign(new EventEmitter(), {
    isDestroyed: () => false,
    setZoomFactor: (factor: number) => factors.push(factor),
  });
  followZoom(contents as unknown as WebContents, {
    wasReset: false,
    get: () => ({ ...defaultSettings, interfaceZoom }),
    update: () => defaultSettings,
    onChanged: (listener) => {
      const tell = () => listener(defaultSettings);
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
  });
  contents.emit('did-finish-load');
  contents.emit('did-finish-load');
  interfaceZoom = 80;
  for (const tell of listeners) tell();
  for (const tell of listeners) tell();
  expect(factors).toEqual([1.5, 1.5, 0.8]);
  contents.emit('destroyed');
  expect(listeners.size).toBe(0);
});
