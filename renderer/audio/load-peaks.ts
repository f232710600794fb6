import { joined } from '../../shared/decoding/decoded-audio.ts';
import { packPeaks, packedLength, unpackPeaks, type PeakChunk } from '../../shared/domain/audio/peak-builder.ts';
import { Scope } from '../lib/scope.ts';
import { createPeakPyramid, type PeakPyramid } from './peaks/peak-pyramid.ts';

/** As a whole, megabytes would be handed over before the first picture. */
const pieceBytes = 64 * 1024;

/** Text and player work without a picture. `revision` changes when the same pyramid has grown. */
export type PeaksState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'drawing'; readonly pyramid: PeakPyramid; readonly revision: number }
  | { readonly kind: 'ready'; readonly pyramid: PeakPyramid }
  | { readonly kind: 'none'; readonly reason: string };

export interface Recording {
  readonly url: string;
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

/** What main has no decoder for is decoded by a worker of the page. The result stops it. */
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
    packed: () => packPeaks(pyramid.all()),
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
      rest = joined([rest, ...pieces]);
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

export interface PeaksRequest {
  readonly url: string;
}

export type PeaksReport =
  | { readonly kind: 'peaks'; readonly chunk: PeakChunk }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Some decoders loop for ever on damaged files. */
const silentForMs = 30_000;

export function decodePeaks(scope: Scope, url: string, onReport: (report: PeaksReport) => void): void {
  const worker = new Worker(new URL('./peaks-worker.ts', import.meta.url), { type: 'module', name: 'peaks' });
  scope.add(() => worker.terminate());
  let forgetWatch = () => {};
  const watch = () => {
    forgetWatch();
    forgetWatch = scope.after(silentForMs, () => report({ kind: 'failed', reason: 'The decoder stopped answering' }));
  };
  const report = (one: PeaksReport) => {
    if (scope.isDisposed) return;
    if (one.kind === 'peaks') watch();
    else {
      forgetWatch();
      worker.terminate();
    }
    onReport(one);
  };
  scope.listen<MessageEvent<PeaksReport>>(worker, 'message', ({ data }) => report(data));
  scope.listen<ErrorEvent>(worker, 'error', ({ message }) => report({ kind: 'failed', reason: message }));
  watch();
  worker.postMessage({ url: new URL(url, document.baseURI).href } satisfies PeaksRequest);
}
