import { Scope } from '../lib/scope.ts';
import { joined } from '../../shared/decoding/byte-source.ts';
import { packedLength, packPeaks, unpackPeaks } from '../../shared/domain/audio/packed-peaks.ts';
import type { PeakChunk } from '../../shared/domain/audio/peak-builder.ts';
import { createPeakPyramid, type PeakPyramid } from './peaks/peak-pyramid.ts';

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

/** A decoder that is silent for this long is stuck (some loop for ever on damaged files) and is terminated. */
const silentForMs = 30_000;

interface Reading {
  readonly url: string;
  state: PeaksState;
  listener: (state: PeaksState) => void;
  readonly stop: () => void;
}
/** What was begun, and no picture has asked for yet. */
let begun: Reading | null = null;

/** Starts to read a waveform before there is a place for it on the screen; `loadPeaks` goes on with it. */
export function beginPeaks(recording: Recording): void {
  begun?.stop();
  begun = readPeaks(recording);
}

/** Stops what no place on the screen has asked for. */
export function forgetBegunPeaks(): void {
  begun?.stop();
  begun = null;
}

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

function readPeaks(recording: Recording): Reading {
  const scope = new Scope();
  const reading: Reading = {
    url: recording.url,
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
  const answer = fetch(`${recording.url}/peaks`, { signal: aborter.signal });
  const growing = growingWaveform(recording.expectedMs, publish);
  void receive(answer, growing.append).then((isComplete) => {
    if (isComplete) growing.complete();
    else if (!scope.isDisposed) decodeInWorker(scope, recording, publish);
  });
  return reading;
}

function growingWaveform(expectedMs: number, publish: (state: PeaksState) => void) {
  const pyramid = createPeakPyramid(expectedMs);
  let revision = 0;
  return {
    append: (chunk: PeakChunk) => {
      pyramid.append(chunk);
      revision += 1;
      publish({ kind: 'drawing', pyramid, revision });
    },
    complete: () => {
      publish({ kind: 'ready', pyramid });
    },
    packed: () => packPeaks(pyramid.all()),
  };
}

/** Receives the peaks that main keeps or computes; false when main could not provide all of them. */
async function receive(answer: Promise<Response>, append: (chunk: PeakChunk) => void): Promise<boolean> {
  try {
    const { ok, body } = await answer;
    if (!ok || body === null) return false;
    let rest: Uint8Array<ArrayBuffer> = new Uint8Array();
    // Kept peaks come in many pieces, which are put together once.
    let pieces: Uint8Array<ArrayBuffer>[] = [];
    let [count, wanted] = [0, 0];
    for (const reader = body.getReader(); ;) {
      const { done, value } = await reader.read();
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
      }
      count = rest.length;
      wanted = packedLength(rest) ?? 0;
    }
  } catch {
    // The reader left, or the decoder of main gave up.
    return false;
  }
}

function decodeInWorker(
  scope: Scope,
  { url, expectedMs, keep }: Recording,
  publish: (state: PeaksState) => void,
): void {
  const growing = growingWaveform(expectedMs, publish);
  const worker = new Worker(new URL('./peaks-worker.ts', import.meta.url), { type: 'module', name: 'peaks' });
  scope.add(() => {
    worker.terminate();
  });
  let forgetWatch = () => {};
  const fail = (reason: string) => {
    forgetWatch();
    worker.terminate();
    publish({ kind: 'none', reason });
  };
  const watch = () => {
    forgetWatch();
    forgetWatch = scope.after(silentForMs, () => {
      fail('The decoder stopped answering');
    });
  };
  scope.listen<MessageEvent<PeaksReport>>(worker, 'message', ({ data }) => {
    if (scope.isDisposed) return;
    watch();
    switch (data.kind) {
      case 'peaks':
        growing.append(data.chunk);
        return;
      case 'done':
        forgetWatch();
        worker.terminate();
        growing.complete();
        keep(growing.packed());
        return;
      case 'failed':
        fail(data.reason);
    }
  });
  scope.listen<ErrorEvent>(worker, 'error', (event) => {
    fail(event.message);
  });
  watch();
  worker.postMessage({ url: new URL(url, document.baseURI).href } satisfies PeaksRequest);
}

/** The single request to a peaks worker. */
export interface PeaksRequest {
  readonly url: string;
}

/** Reports of the worker: any number of `peaks`, then `done` or `failed`. */
export type PeaksReport =
  | { readonly kind: 'peaks'; readonly chunk: PeakChunk }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string };
