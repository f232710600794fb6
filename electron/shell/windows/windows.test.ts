import { EventEmitter } from 'node:events';
import type { WebContents } from 'electron';
import { expect, it } from 'vitest';
import { followZoom, createRestartLimit, placeToReopen, placeWindow } from './place-window.ts';
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
