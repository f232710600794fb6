import { expect, it, onTestFinished, vi } from 'vitest';
import { packPeaks } from '../../shared/domain/audio/packed-peaks.ts';
import type { PeakChunk } from '../../shared/domain/audio/peak-builder.ts';
import type { PeaksReport } from './decode-peaks.ts';
import { loadPeaks, type PeaksState } from './load-peaks.ts';

const chunk: PeakChunk = { min: new Int8Array(9), max: new Int8Array(9), rms: new Uint8Array(9) };

/** A waveform of which main has two parts and no end, so that a worker of the page has to decode the recording. */
async function halfKept() {
  const worker = Object.assign(new EventTarget(), { postMessage: vi.fn(), terminate: () => undefined });
  vi.stubGlobal('Worker', function Worker() {
    return worker;
  });
  vi.stubGlobal('document', { baseURI: 'app://studio/' });
  const parts = [chunk, chunk].map(packPeaks).values();
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const { done, value } = parts.next();
      if (done !== true) controller.enqueue(value);
      else {
        controller.close();
        controller.byobRequest?.respond(0);
      }
    },
  });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body)));
  const states: PeaksState[] = [];
  const stop = loadPeaks({ url: '/media/a', expectedMs: 1000, keep: () => undefined }, (state) => states.push(state));
  onTestFinished(() => {
    stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  await vi.waitFor(() => expect(worker.postMessage).toHaveBeenCalled());
  return {
    states,
    report: (data: PeaksReport) => worker.dispatchEvent(new MessageEvent('message', { data })),
  };
}

it('a waveform that main could not complete is not shown again once the page decodes the recording', async () => {
  const { states, report } = await halfKept();
  const before = states.length;
  report({ kind: 'peaks', chunk });
  report({ kind: 'peaks', chunk });
  const shownAgain = () => states.slice(before).filter((state) => state.kind === 'drawing' && state.revision > 1);
  await vi.waitFor(() => expect(shownAgain()).toHaveLength(1));
  const drawn = states.slice(before).map((state) => (state.kind === 'drawing' ? state.pyramid : null));
  expect(new Set(drawn).size).toBe(1);
  expect(drawn[0]?.length).toBe(18);
});

it('what comes of a waveform right before its decoder fails is not shown after that', async () => {
  const { states, report } = await halfKept();
  vi.useFakeTimers();
  report({ kind: 'peaks', chunk });
  report({ kind: 'peaks', chunk });
  report({ kind: 'failed', reason: 'damaged' });
  vi.runAllTimers();
  expect(states.at(-1)).toEqual({ kind: 'none', reason: 'damaged' });
});
