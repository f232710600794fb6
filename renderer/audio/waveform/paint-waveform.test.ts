import { expect, test, vi } from 'vitest';
import { paintWaveform } from './paint-waveform.ts';
import { indexRegions, type WaveformRegion } from './waveform-regions.ts';

/** What is written where a region is this wide and each letter takes six pixels. */
function paintedAt(width: number, own: Partial<WaveformRegion> = {}): readonly string[] {
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
  const region = { startMs: 0, endMs: 1000, colour: 1, label: 'Usta Rahmatillo', initials: 'UR', ...own };
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
    timeCode: (ms) => `00:00,${String(ms).padStart(3, '0')}`,
  });
  return painted;
}

test('a region is labelled with the whole name, its initials or nothing', () => {
  expect(
    new Set(
      Array.from({ length: 200 }, (_, at) =>
        paintedAt(at + 1)
          .filter((words) => !words.includes(':'))
          .join(),
      ),
    ),
  ).toEqual(new Set(['', 'UR', 'Usta Rahmatillo']));
});

test('a region of nobody is labelled with as many of its first words as fit', () => {
  const own = { label: '2 uch toʻrt besh', isBeginning: true, initials: '2' };
  const labels = Array.from({ length: 200 }, (_, at) => paintedAt(at + 1, own).filter((words) => !words.includes(':')));
  expect([...new Set(labels.flat())]).toEqual(['2', '2 uch', '2 uch toʻrt', '2 uch toʻrt besh']);
});

test('times between seconds are written as the language does', () => {
  expect(paintedAt(1000).filter((words) => words.includes(':'))).toContain('00:00,2');
});
