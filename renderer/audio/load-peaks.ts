import { Scope } from '../lib/scope.ts';
import { packPeaks } from '../../shared/domain/audio/packed-peaks.ts';
import type { PeakChunk } from '../../shared/domain/audio/peak-builder.ts';
import { decodePeaks } from './decode-peaks.ts';
import { createPeakPyramid, type PeakPyramid } from './peaks/peak-pyramid.ts';
import { receivePeaks } from './receive-peaks.ts';

/**
 * The state of a waveform. `none` is no error of the screen: text and player work without it. The same pyramid object
 * grows while `drawing`; `revision` changes when it does.
 */
export type PeaksState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'drawing'; readonly pyramid: PeakPyramid; readonly revision: number }
  | { readonly kind: 'ready'; readonly pyramid: PeakPyramid }
  | { readonly kind: 'none'; readonly reason: string };

/** What a waveform is read from. */
export interface Recording {
  /** Same-origin address of the recording; its peaks are at `<url>/peaks`. */
  readonly url: string;
  /** Capacity to allocate, in milliseconds of audio. */
  readonly expectedMs: number;
  /** Keeps packed peaks for the next time, which main could not compute. */
  readonly keep: (packed: Uint8Array<ArrayBuffer>) => void;
}

interface Reading {
  readonly url: string;
  state: PeaksState;
  listener: (state: PeaksState) => void;
  readonly stop: () => void;
}
/** What was begun, and no picture has asked for yet. */
let begun: Reading | null = null;

/**
 * Starts to read a waveform before there is a place for it on the screen; `loadPeaks` goes on with it. Returns a function
 * that stops it as long as no place has asked for it.
 */
export function beginPeaks(recording: Recording): () => void {
  begun?.stop();
  const reading = readPeaks(recording);
  begun = reading;
  return () => {
    if (begun === reading) forgetBegunPeaks();
  };
}

/** Stops what no place on the screen has asked for. */
export function forgetBegunPeaks(): void {
  begun?.stop();
  begun = null;
}

/** The state of what was begun, for a first frame; `loadPeaks` reports it again, and what follows. */
export const begunPeaks = (url: string): PeaksState => (begun?.url === url ? begun.state : { kind: 'opening' });

/**
 * Provides the waveform of a recording while main decodes it, or from its cache; what main has no decoder for is decoded
 * by a worker of the page. Returns a function that stops it.
 */
export function loadPeaks(recording: Recording, onChange: (state: PeaksState) => void): () => void {
  const reading = begun?.url === recording.url ? begun : readPeaks(recording);
  if (reading === begun) begun = null;
  reading.listener = onChange;
  onChange(reading.state);
  return reading.stop;
}

function readPeaks({ url, expectedMs, keep }: Recording): Reading {
  const scope = new Scope();
  const reading: Reading = {
    url,
    state: { kind: 'opening' },
    listener: () => undefined,
    stop: () => {
      scope.dispose();
    },
  };
  const publish = (state: PeaksState) => {
    if (scope.isDisposed) return;
    reading.state = state;
    reading.listener(state);
  };
  const aborter = new AbortController();
  scope.add(() => {
    aborter.abort();
  });
  // Asked first: main computes while the room for hours of peaks is made here.
  const answer = fetch(`${url}/peaks`, { signal: aborter.signal });
  const received = growingWaveform(scope, expectedMs, publish);
  void receivePeaks(answer, received.append).then((isComplete) => {
    if (isComplete) received.complete();
    else received.abandon();
    if (isComplete || scope.isDisposed) return;
    const decoded = growingWaveform(scope, expectedMs, publish);
    decodePeaks(scope, url, (report) => {
      switch (report.kind) {
        case 'peaks':
          decoded.append(report.chunk);
          return;
        case 'done':
          decoded.complete();
          keep(decoded.packed());
          return;
        case 'failed':
          decoded.abandon();
          publish({ kind: 'none', reason: report.reason });
      }
    });
  });
  return reading;
}

/** How often a waveform that grows is shown: drawing takes time from decoding. */
const growthMs = 100;

/** A waveform that is shown from its beginning on, and then as it grows. */
function growingWaveform(scope: Scope, expectedMs: number, publish: (state: PeaksState) => void) {
  const pyramid = createPeakPyramid(expectedMs);
  let revision = 0;
  let isAwaited = false;
  let stop = () => {};
  const show = () => {
    revision += 1;
    isAwaited = false;
    publish({ kind: 'drawing', pyramid, revision });
  };
  return {
    append: (chunk: PeakChunk) => {
      pyramid.append(chunk);
      if (revision === 0) show();
      else if (!isAwaited) {
        isAwaited = true;
        stop = scope.after(growthMs, show);
      }
    },
    complete: () => {
      stop();
      publish({ kind: 'ready', pyramid });
    },
    /** Shows no more of it: another one takes its place, or none. */
    abandon: () => {
      stop();
    },
    packed: () => packPeaks(pyramid.all()),
  };
}
