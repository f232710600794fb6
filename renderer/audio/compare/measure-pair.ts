import type { Loudness } from '../../../shared/domain/audio/loudness.ts';
import { Scope } from '../../lib/scope.ts';
import { createPeakPyramid, type PeakPyramid } from '../peaks/peak-pyramid.ts';
import type { CompareMeasures } from './compare-measures.ts';
import type { LaneName, MeasureOrder, MeasureReport, TrackUrls } from './measure-messages.ts';
import type { Spectrogram } from './spectrogram.ts';

/** What is known about the recordings so far; only the pyramids change while it is the same object. */
export interface PairState {
  readonly status: 'measuring' | 'measured' | 'failed';
  readonly peaks: Readonly<Record<LaneName, PeakPyramid>>;
  readonly measures: CompareMeasures | null;
  /** Null until the removed part was shown. */
  readonly removed: Loudness | null;
  readonly spectrograms: Readonly<Partial<Record<LaneName, Spectrogram>>>;
  /** Calls the listener when a pyramid has grown, several times a second; returns a function that ends this. */
  readonly onGrowth: (listener: () => void) => () => void;
}

export interface PairMeasuring {
  /** Measures what was removed, once. */
  readonly askRemoved: () => void;
  /** Draws those that are not drawn yet. */
  readonly askSpectrograms: (lanes: readonly LaneName[]) => void;
  readonly stop: () => void;
}

/** The recordings opened last, by name, so that they are not measured again. Three hours take some 30 MB. */
const remembered = new Map<string, PairState>();
const mostRemembered = 3;

function remember(name: string, state: PairState): void {
  remembered.delete(name);
  remembered.set(name, state);
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
}

/**
 * Measures recordings in a worker: peaks, loudness, and alignment. `name` identifies their content, because addresses
 * are new with every opening.
 */
export function measurePair(name: string, urls: TrackUrls, onChange: (state: PairState) => void): PairMeasuring {
  const scope = new Scope();
  const worker = new Worker(new URL('./measure-worker.ts', import.meta.url), { type: 'module', name: 'measure' });
  scope.add(() => {
    worker.terminate();
  });
  const known = remembered.get(name) ?? null;
  const listeners = new Set<() => void>();
  const onGrowth = (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  // Measuring the removed part may have been interrupted: it starts over.
  const isHalf = known !== null && known.removed === null;
  let state: PairState =
    known !== null
      ? { ...known, onGrowth, ...(isHalf ? { peaks: { ...known.peaks, removed: createPeakPyramid() } } : {}) }
      : {
          status: 'measuring',
          peaks: {
            original: createPeakPyramid(),
            isolated: createPeakPyramid(),
            variant: createPeakPyramid(),
            removed: createPeakPyramid(),
          },
          measures: null,
          removed: null,
          spectrograms: {},
          onGrowth,
        };
  const asked = new Set<string>([
    ...(state.removed === null ? [] : ['removed']),
    ...Object.keys(state.spectrograms).map((lane) => `spectrogram ${lane}`),
  ]);
  const change = (patch: Partial<PairState>) => {
    if (scope.isDisposed) return;
    state = { ...state, ...patch };
    if (state.measures !== null) remember(name, state);
    onChange(state);
  };
  const fail = () => {
    change({ status: 'failed' });
    scope.dispose();
  };
  const order = (message: MeasureOrder) => {
    if (!scope.isDisposed) worker.postMessage(message);
  };
  scope.listen<MessageEvent<MeasureReport>>(worker, 'message', ({ data }) => {
    switch (data.kind) {
      case 'peaks':
        state.peaks[data.lane].append(data.chunk);
        for (const listener of listeners) listener();
        return;
      case 'measured':
        change({ status: 'measured', measures: data.measures });
        return;
      case 'removed':
        change({ removed: data.loudness });
        return;
      case 'spectrogram':
        change({ spectrograms: { ...state.spectrograms, [data.lane]: data.spectrogram } });
        return;
      case 'failed':
        fail();
    }
  });
  scope.listen(worker, 'error', fail);
  onChange(state);
  const absolute = (url: string) => new URL(url, document.baseURI).href;
  order({
    kind: 'measure',
    known: known?.measures ?? null,
    urls: {
      original: absolute(urls.original),
      isolated: absolute(urls.isolated),
      variant: urls.variant === null ? null : absolute(urls.variant),
    },
  });
  return {
    askRemoved: () => {
      if (asked.has('removed')) return;
      asked.add('removed');
      order({ kind: 'removed' });
    },
    askSpectrograms: (lanes) => {
      const wanted = lanes.filter((lane) => !asked.has(`spectrogram ${lane}`));
      for (const lane of wanted) asked.add(`spectrogram ${lane}`);
      if (wanted.length > 0) order({ kind: 'spectrograms', lanes: wanted });
    },
    stop: () => {
      scope.dispose();
    },
  };
}
