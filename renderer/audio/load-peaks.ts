import { packedLength, unpackPeaks, type PeakChunk } from '../../shared/domain/audio/peak-builder.ts';
import { Scope } from '../lib/scope.ts';
import { createPeakPyramid, type PeakPyramid } from './peaks/peak-pyramid.ts';
import { joinBytes } from './samples.ts';

/** As a whole, megabytes would be handed over before the first picture. */
const pieceBytes = 64 * 1024;

/** Text and player work without a picture. `revision` changes when the same pyramid has grown. */
export type PeaksState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'drawing'; readonly pyramid: PeakPyramid; readonly revision: number }
  | { readonly kind: 'ready'; readonly pyramid: PeakPyramid }
  | { readonly kind: 'none' };

export interface Recording {
  readonly url: string;
  readonly expectedMs: number;
}

interface Reading {
  readonly url: string;
  state: PeaksState;
  listener: (state: PeaksState) => void;
  readonly stop: () => void;
}
let begun: Reading | null = null;

/** For a place that is not on the screen yet; the result stops it as long as none has asked. */
export function beginPeaks(recording: Recording): () => void {
  begun?.stop();
  const reading = readPeaks(recording);
  begun = reading;
  return () => {
    if (begun === reading) forgetBegunPeaks();
  };
}

export function forgetBegunPeaks(): void {
  begun?.stop();
  begun = null;
}

export const begunPeaks = (url: string): PeaksState => (begun?.url === url ? begun.state : { kind: 'opening' });

/** The result stops it. */
export function loadPeaks(recording: Recording, onChange: (state: PeaksState) => void): () => void {
  const reading = begun?.url === recording.url ? begun : readPeaks(recording);
  if (reading === begun) begun = null;
  reading.listener = onChange;
  onChange(reading.state);
  return reading.stop;
}

function readPeaks({ url, expectedMs }: Recording): Reading {
  const scope = new Scope();
  const reading: Reading = {
    url,
    state: { kind: 'opening' },
    listener: () => undefined,
    stop: () => scope.dispose(),
  };
  const publish = (state: PeaksState) => {
    if (scope.isDisposed) return;
    reading.state = state;
    reading.listener(state);
  };
  const aborter = new AbortController();
  scope.add(() => aborter.abort());
  // Asked first: main computes while the room for hours of peaks is made here.
  const answer = fetch(`${url}/peaks`, { signal: aborter.signal });
  const received = growingWaveform(scope, expectedMs, publish);
  void receivePeaks(answer, received.append).then((isComplete) => {
    if (isComplete) received.complete();
    else {
      received.abandon();
      publish({ kind: 'none' });
    }
  });
  return reading;
}

const growthMs = 100;

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
    abandon: () => stop(),
  };
}

async function receivePeaks(answer: Promise<Response>, append: (chunk: PeakChunk) => void): Promise<boolean> {
  try {
    const { ok, body } = await answer;
    if (!ok || body === null) return false;
    let rest: Uint8Array<ArrayBuffer> = new Uint8Array();
    // Kept peaks come in many pieces, which are put together once.
    let pieces: Uint8Array<ArrayBuffer>[] = [];
    let [count, wanted] = [0, 0];
    for (const reader = body.getReader({ mode: 'byob' }); ;) {
      const { done, value } = await reader.read(new Uint8Array(pieceBytes));
      if (done) return false;
      pieces.push(value);
      count += value.length;
      if (count < wanted) continue;
      rest = joinBytes([rest, ...pieces]);
      pieces = [];
      for (let length = packedLength(rest); length !== null && length <= rest.length; length = packedLength(rest)) {
        const chunk = unpackPeaks(rest.subarray(0, length));
        if (!chunk.ok) {
          await reader.cancel();
          return false;
        }
        if (chunk.value.min.length === 0) return true;
        append(chunk.value);
        rest = rest.subarray(length);
        // Showing what has come goes before reading the next part.
        // oxlint-disable-next-line no-await-in-loop -- one part after the other
        if (rest.length > 0) await scheduler.postTask(() => undefined, { priority: 'background' });
      }
      count = rest.length;
      wanted = packedLength(rest) ?? 0;
    }
  } catch {
    // The reader left, or the decoder of main gave up.
    return false;
  }
}
