import { expect, test, vi } from 'vitest';
import { bucketsPerSecond } from '../../../shared/domain/audio/peak-builder.ts';
import { createPeakPyramid } from '../peaks/peak-pyramid.ts';
import { paintWaveform, type WaveformPicture } from './paint-waveform.ts';
import { indexRegions, type WaveformRegion } from './waveform-regions.ts';

type Drawing = Pick<CanvasRenderingContext2D, 'fillText' | 'fillRect' | 'lineTo'>;

/** Paints a second of a lane with one region; each letter takes six pixels. */
function paint(
  width: number,
  own: Partial<WaveformRegion>,
  drawing: Partial<Drawing>,
  peaks: WaveformPicture['pyramid'],
) {
  vi.stubGlobal(
    'Path2D',
    class {
      roundRect() {}
    },
  );
  const ctx = new Proxy({} as CanvasRenderingContext2D, {
    get: (_target, name) =>
      name === 'measureText'
        ? (words: string) => ({ width: words.length * 6 })
        : (drawing[name as keyof Drawing] ?? (() => ({ addColorStop: () => undefined }))),
    set: () => true,
  });
  const region = { startMs: 0, endMs: 1000, colour: 1, label: 'Usta Rahmatillo', initials: 'UR', ...own };
  paintWaveform(ctx, {
    kind: 'lane',
    fromMs: 0,
    toMs: 1000,
    width,
    height: 100,
    pyramid: peaks,
    regions: indexRegions([region]),
    current: -1,
    currentNote: '',
    unheard: [],
    found: [],
    spectrum: null,
    colours: { text: '', neutral: '', ink: '', veil: '', accent: '', fill: [], label: [], uiFont: '', monoFont: '' },
    timeCode: (ms) => `00:00,${String(ms).padStart(3, '0')}`,
  });
}

/** What is written where a region is this wide. */
function paintedAt(width: number, own: Partial<WaveformRegion> = {}): readonly string[] {
  const painted: string[] = [];
  paint(width, own, { fillText: (words) => void painted.push(words) }, null);
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

test('what was not read yet has dots and no line, which would look like silence', () => {
  const half = createPeakPyramid();
  const buckets = bucketsPerSecond / 2;
  half.append({ min: new Int8Array(buckets), max: new Int8Array(buckets), rms: new Uint8Array(buckets) });
  const line: number[] = [];
  const dots: number[] = [];
  paint(
    800,
    {},
    {
      lineTo: (x) => void line.push(x),
      fillRect: (x, _y, w) => {
        if (w === 1) dots.push(x);
      },
    },
    half,
  );
  expect(Math.max(...line)).toBe(400);
  expect([dots[0], dots.at(-1), dots.length]).toEqual([400, 792, 50]);
});
