import { expect, test, vi } from 'vitest';
import { paintWaveform } from './paint-waveform.ts';
import { indexRegions } from './waveform-regions.ts';

/** The labels that are painted where a region is this wide and each letter takes six pixels. */
function labelsAt(width: number): readonly string[] {
  vi.stubGlobal(
    'Path2D',
    class {
      roundRect() {}
    },
  );
  const painted: string[] = [];
  const ctx = new Proxy({} as CanvasRenderingContext2D, {
    get: (_target, name) =>
      name === 'measureText'
        ? (words: string) => ({ width: words.length * 6 })
        : name === 'fillText'
          ? (words: string) => void painted.push(words)
          : () => ({ addColorStop: () => undefined }),
    set: () => true,
  });
  const region = { startMs: 0, endMs: 1000, colour: 1, label: 'Usta Rahmatillo', initials: 'UR' };
  paintWaveform(ctx, {
    kind: 'lane',
    fromMs: 0,
    toMs: 1000,
    width,
    height: 100,
    pyramid: null,
    regions: indexRegions([region]),
    current: -1,
    currentNote: '',
    struck: [],
    found: [],
    spectrum: null,
    colours: { text: '', neutral: '', ink: '', veil: '', accent: '', fill: [], label: [], uiFont: '', monoFont: '' },
  });
  return painted.filter((words) => !words.includes(':'));
}

test('a region is labelled with the whole name, its initials or nothing', () => {
  expect(new Set(Array.from({ length: 200 }, (_, at) => labelsAt(at + 1).join()))).toEqual(
    new Set(['', 'UR', 'Usta Rahmatillo']),
  );
});
