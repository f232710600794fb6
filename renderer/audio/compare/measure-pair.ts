import { listenIn } from '../../lib/listen-in.ts';
import { Scope } from '../../lib/scope.ts';
import { createPeakPyramid, type PeakPyramid } from '../peaks/peak-pyramid.ts';
import { mixOf, type CompareMeasures, type LaneName, type TrackUrls } from './compare-measures.ts';
import type { CompareOrder } from './compare-worker.ts';
import { runCompareWorker } from './compare-orders.ts';
import type { Spectrogram } from './spectrogram.ts';

export interface PairState {
  readonly status: 'measuring' | 'measured' | 'failed';
  readonly peaks: Readonly<Record<LaneName, PeakPyramid>>;
  readonly measures: CompareMeasures | null;
  /** Whether the peaks of what was removed are complete. */
  readonly isRemovedRead: boolean;
  readonly spectrograms: Readonly<Partial<Record<LaneName, Spectrogram>>>;
  readonly onGrowth: (listener: () => void) => () => void;
}

export type PairMeasuring = ReturnType<typeof measurePair>;

/** What was opened last is not measured again. Three hours take some 30 MB. */
const remembered = new Map<string, PairState>();
const mostRemembered = 3;

function remember(name: string, state: PairState): void {
  remembered.delete(name);
  remembered.set(name, state);
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
}

/** `name` identifies the content, because addresses are new with every opening. */
export function measurePair(name: string, urls: TrackUrls, onChange: (state: PairState) => void) {
  const scope = new Scope();
  const listeners = new Set<() => void>();
  const onGrowth = listenIn(listeners);
  const known = remembered.get(name);
  let state: PairState = known
    ? { ...known, onGrowth }
    : {
        status: 'measuring',
        peaks: {
          original: createPeakPyramid(),
          isolated: createPeakPyramid(),
          variant: createPeakPyramid(),
          removed: createPeakPyramid(),
        },
        measures: null,
        isRemovedRead: false,
        spectrograms: {},
        onGrowth,
      };
  // Measuring the removed part may have been interrupted: it starts over.
  if (!state.isRemovedRead) state = { ...state, peaks: { ...state.peaks, removed: createPeakPyramid() } };
  const asked = new Set([
    ...(state.isRemovedRead ? ['peaks removed'] : []),
    ...Object.keys(state.spectrograms).map((lane) => `spectrogram ${lane}`),
  ]);
  const change = (patch: Partial<PairState>) => {
    if (scope.isDisposed) return;
    state = { ...state, ...patch };
    if (state.measures !== null) remember(name, state);
    onChange(state);
  };
  const run = async (order: CompareOrder) => {
    const report = await runCompareWorker(scope, order, (part) => {
      if (part.kind !== 'peaks') return;
      state.peaks[part.lane].append(part.chunk);
      for (const listener of listeners) listener();
    });
    if (report.kind === 'measure') change({ status: 'measured', measures: report.measures });
    if (report.kind === 'removed') change({ isRemovedRead: true });
    if (report.kind === 'spectrogram')
      change({ spectrograms: { ...state.spectrograms, [report.lane]: report.spectrogram } });
  };
  let last = Promise.resolve();
  const next = (order: CompareOrder) => {
    last = last.then(async () => {
      if (scope.isDisposed) return;
      await run(order).catch(() => {
        change({ status: 'failed' });
        scope.dispose();
      });
    });
  };
  onChange(state);
  if (state.measures === null) next({ kind: 'measure', urls });
  const ask = (what: 'peaks' | 'spectrogram', lane: LaneName) => {
    if (state.measures === null || asked.has(`${what} ${lane}`)) return;
    asked.add(`${what} ${lane}`);
    const mix = mixOf(urls, state.measures, { tag: lane });
    next(what === 'peaks' ? { kind: 'removed', mix } : { kind: what, lane, mix });
  };
  return {
    askRemoved: () => ask('peaks', 'removed'),
    askSpectrogram: (lane: LaneName) => ask('spectrogram', lane),
    stop: () => scope.dispose(),
  };
}
