import type { Loudness } from '../../../shared/domain/audio/loudness.ts';
import { listenIn } from '../../lib/listen-in.ts';
import { Scope } from '../../lib/scope.ts';
import { createPeakPyramid, type PeakPyramid } from '../peaks/peak-pyramid.ts';
import type {
  CompareMeasures,
  LaneName,
  MeasureOrder,
  MeasureReport,
  ReadResult,
  TrackUrls,
} from './compare-measures.ts';
import { absoluteUrl } from '../samples.ts';
import type { Spectrogram } from './spectrogram.ts';

export interface PairState {
  readonly status: 'measuring' | 'measured' | 'failed';
  readonly peaks: Readonly<Record<LaneName, PeakPyramid>>;
  readonly measures: CompareMeasures | null;
  readonly removed: Loudness | null;
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
  const known = remembered.get(name) ?? null;
  const addresses: TrackUrls = {
    original: absoluteUrl(urls.original),
    isolated: absoluteUrl(urls.isolated),
    variant: urls.variant && absoluteUrl(urls.variant),
  };
  const listeners = new Set<() => void>();
  const onGrowth = listenIn(listeners);
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
  /** Never answered when measuring was stopped. */
  const ask = (order: MeasureOrder) =>
    new Promise<Exclude<MeasureReport, { readonly kind: 'peaks' | 'failed' }>>((resolve, reject) => {
      const worker = new Worker(new URL('./measure-worker.ts', import.meta.url), { type: 'module', name: 'measure' });
      const end = () => worker.terminate();
      scope.add(end);
      scope.listen<MessageEvent<MeasureReport>>(worker, 'message', ({ data }) => {
        if (data.kind === 'peaks') {
          state.peaks[data.lane].append(data.chunk);
          for (const listener of listeners) listener();
          return;
        }
        end();
        if (data.kind === 'failed') reject(new Error(data.reason));
        else resolve(data);
      });
      scope.listen<ErrorEvent>(worker, 'error', ({ message }) => {
        end();
        reject(new Error(message));
      });
      worker.postMessage(order);
    });
  const readResult = async (result: 'isolated' | 'variant', url: string): Promise<ReadResult> => {
    const report = await ask({ kind: 'result', name: result, url });
    if (report.kind !== 'read') throw new Error(`Unexpected answer: ${report.kind}`);
    return report.result;
  };
  const measure = async () => {
    const isolated = await readResult('isolated', addresses.isolated);
    const variant = addresses.variant === null ? null : await readResult('variant', addresses.variant);
    const report = await ask({ kind: 'original', url: addresses.original, isolated, variant });
    if (report.kind === 'measured') change({ status: 'measured', measures: report.measures });
  };
  const measureRemoved = async () => {
    if (state.measures === null) return;
    const report = await ask({ kind: 'removed', urls: addresses, measures: state.measures });
    if (report.kind === 'removed') change({ removed: report.loudness });
  };
  const drawSpectrogram = async (lane: LaneName) => {
    if (state.measures === null) return;
    const report = await ask({ kind: 'spectrogram', lane, urls: addresses, measures: state.measures });
    if (report.kind === 'spectrogram') change({ spectrograms: { ...state.spectrograms, [lane]: report.spectrogram } });
  };
  let last = Promise.resolve();
  const next = (run: () => Promise<void>) => {
    last = last.then(async () => {
      if (!scope.isDisposed) await run().catch(fail);
    });
  };
  onChange(state);
  if (state.measures === null) next(measure);
  return {
    askRemoved: () => {
      if (asked.has('removed')) return;
      asked.add('removed');
      next(measureRemoved);
    },
    askSpectrograms: (lanes: readonly LaneName[]) => {
      for (const lane of lanes.filter((wanted) => !asked.has(`spectrogram ${wanted}`))) {
        asked.add(`spectrogram ${lane}`);
        next(() => drawSpectrogram(lane));
      }
    },
    stop: () => scope.dispose(),
  };
}
