import { Scope } from '../lib/scope.ts';
import type { Engine, Part } from './decoding/decoded-audio.ts';
import { fetchHead, type Bytes } from './decoding/read-bytes.ts';
import { packPeaks, unpackPeaks } from './peaks/packed-peaks.ts';
import { createPeakPyramid, type PeakPyramid } from './peaks/peak-pyramid.ts';
import type { PeakChunk } from './peaks/peak-builder.ts';

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
  /** Same-origin address of the recording; its cached peaks are at `<url>/peaks`. */
  readonly url: string;
  /** Capacity to allocate, in milliseconds of audio. */
  readonly expectedMs: number;
  /** Whether there may be cached peaks. */
  readonly isKept: boolean;
  /** Keeps packed peaks for the next time. */
  readonly keep: (packed: Uint8Array<ArrayBuffer>) => void;
}

/** From this length on two workers read a half each. */
const longMs = 600_000;
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
 * Provides the waveform of a recording: from the cache, or from a worker while it decodes. Returns a function that
 * stops it.
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
  const decode = (engine: Engine | 'auto') => {
    if (scope.isDisposed) return;
    decodeInWorker(scope, recording, engine, publish, (failedEngine, reason) => {
      if (failedEngine !== null && failedEngine !== 'webcodecs') decode('webcodecs');
      else publish({ kind: 'none', reason });
    });
  };
  if (recording.isKept) {
    const aborter = new AbortController();
    scope.add(() => {
      aborter.abort();
    });
    void readCached(recording.url, aborter.signal).then((pyramid) => {
      if (pyramid === null) decode('auto');
      else publish({ kind: 'ready', pyramid });
    });
  } else decode('auto');
  return reading;
}

async function readCached(url: string, signal: AbortSignal): Promise<PeakPyramid | null> {
  try {
    const response = await fetch(`${url}/peaks`, { signal });
    if (!response.ok) return null;
    const peaks = unpackPeaks(new Uint8Array(await response.arrayBuffer()));
    if (!peaks.ok) return null;
    const pyramid = createPeakPyramid();
    pyramid.append(peaks.value);
    return pyramid;
  } catch {
    // It was removed meanwhile; a bad address shows up in decoding.
    return null;
  }
}

function decodeInWorker(
  parent: Scope,
  { url, expectedMs, keep }: Recording,
  engine: Engine | 'auto',
  publish: (state: PeaksState) => void,
  onFail: (engine: Engine | null, reason: string) => void,
): void {
  const scope = new Scope();
  parent.add(() => {
    scope.dispose();
  });
  const pyramid = createPeakPyramid(expectedMs);
  let revision = 0;
  // Only an engine that was chosen by content can have been the wrong one.
  let chosen: Engine | null = engine === 'auto' ? null : engine;
  let forgetWatch = () => {};

  const fail = (reason: string) => {
    if (scope.isDisposed) return;
    scope.dispose();
    onFail(chosen, reason);
  };
  const watch = () => {
    forgetWatch();
    forgetWatch = scope.after(silentForMs, () => {
      fail('The decoder stopped answering');
    });
  };

  /** Results of the second half's worker: they follow the first half, whose length is unknown until it is done. */
  const later: PeakChunk[] = [];
  let isFirstDone = false;
  let isSecondBegun = false;
  let running = 0;
  const draw = (chunk: PeakChunk) => {
    pyramid.append(chunk);
    revision += 1;
  };
  const address = new URL(url, document.baseURI).href;
  const head = fetchHead(address);
  const begin = (part: Part, by: Engine | 'auto') => {
    const worker = new Worker(new URL('./peaks-worker.ts', import.meta.url), { type: 'module', name: 'peaks' });
    running += 1;
    scope.add(() => {
      worker.terminate();
    });
    scope.listen<MessageEvent<PeaksReport>>(worker, 'message', ({ data }) => {
      if (scope.isDisposed) return;
      watch();
      switch (data.kind) {
        case 'engine':
          chosen = data.engine;
          return;
        case 'peaks':
          if (part === 'second' && !isFirstDone) {
            later.push(data.chunk);
            return;
          }
          draw(data.chunk);
          publish({ kind: 'drawing', pyramid, revision });
          // Not before the first picture, which it would delay.
          if (part === 'first' && !isSecondBegun && chosen !== null) {
            isSecondBegun = true;
            begin('second', chosen);
          }
          return;
        case 'done':
          worker.terminate();
          running -= 1;
          if (part !== 'second') {
            isFirstDone = true;
            for (const chunk of later.splice(0)) draw(chunk);
          }
          if (running > 0) {
            publish({ kind: 'drawing', pyramid, revision });
            return;
          }
          scope.dispose();
          publish({ kind: 'ready', pyramid });
          keep(packPeaks(pyramid.all()));
          return;
        case 'failed':
          fail(data.reason);
      }
    });
    scope.listen<ErrorEvent>(worker, 'error', (event) => {
      fail(event.message);
    });
    // The worker starts meanwhile.
    void head.then((read) => {
      worker.postMessage({ url: address, head: read, engine: by, part } satisfies PeaksRequest);
    });
  };
  watch();
  begin(engine === 'auto' && expectedMs >= longMs && navigator.hardwareConcurrency > 1 ? 'first' : 'all', engine);
}

/** The single request to a peaks worker. `engine` is `auto`, or the fallback that is tried after a failure. */
export interface PeaksRequest {
  readonly url: string;
  readonly head: Bytes | null;
  readonly engine: Engine | 'auto';
  readonly part: Part;
}

/** Reports of the worker, in this order: `engine`, any number of `peaks`, then `done` or `failed`. */
export type PeaksReport =
  | { readonly kind: 'engine'; readonly engine: Engine }
  | { readonly kind: 'peaks'; readonly chunk: PeakChunk }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string };
