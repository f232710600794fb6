import { Scope } from '../../lib/scope.ts';
import { createPeakPyramid, type PeakPyramid } from '../peaks/peak-pyramid.ts';
import type { CompareMeasures } from './compare-measures.ts';
import type { MeasureReport, MeasureRequest } from './measure-messages.ts';

/** What is known of the pair so far; the pyramids grow while it is measured, and `revision` tells that they did. */
export interface PairState {
  readonly status: 'measuring' | 'measured' | 'failed';
  readonly original: PeakPyramid;
  readonly isolated: PeakPyramid;
  readonly measures: CompareMeasures | null;
  readonly revision: number;
}

/** Measures two recordings in a worker: peaks, loudness, and how they lie to each other. Returns how to stop. */
export function measurePair(request: MeasureRequest, onChange: (state: PairState) => void): () => void {
  const scope = new Scope();
  const worker = new Worker(new URL('./measure-worker.ts', import.meta.url), { type: 'module', name: 'measure' });
  scope.add(() => {
    worker.terminate();
  });
  let state: PairState = {
    status: 'measuring',
    original: createPeakPyramid(),
    isolated: createPeakPyramid(),
    measures: null,
    revision: 0,
  };
  const change = (patch: Partial<PairState>) => {
    if (scope.isDisposed) return;
    state = { ...state, ...patch, revision: state.revision + 1 };
    onChange(state);
  };
  const fail = () => {
    change({ status: 'failed' });
    scope.dispose();
  };
  scope.listen<MessageEvent<MeasureReport>>(worker, 'message', ({ data }) => {
    switch (data.kind) {
      case 'peaks':
        state[data.track].append(data.chunk);
        change({});
        return;
      case 'done':
        change({ status: 'measured', measures: data.measures });
        scope.dispose();
        return;
      case 'failed':
        fail();
    }
  });
  scope.listen(worker, 'error', fail);
  onChange(state);
  const absolute = (url: string) => new URL(url, document.baseURI).href;
  worker.postMessage({
    original: absolute(request.original),
    isolated: absolute(request.isolated),
  } satisfies MeasureRequest);
  return () => {
    scope.dispose();
  };
}
