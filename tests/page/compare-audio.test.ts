import type { Page } from '@playwright/test';
import { expect, it } from 'vitest';
import { isolatedAudio, isolatedJobs, openDone } from './isolate-states.ts';
import { planStudio } from '../support/studio-plan.ts';
import { pagesOfFile } from './page-rig.ts';

const rate = 48_000;
const seconds = 8;
/** A tone whose pitch identifies the position: no two stretches are the same. */
const toneAt = (frame: number): number => {
  const time = frame / rate;
  return 0.3 * Math.sin(2 * Math.PI * (200 * time + 25 * time * time));
};

/** The tone on two channels at these levels, as main gives samples. */
const toneOn = (...levels: readonly [left: number, right: number]): Float32Array =>
  Float32Array.from(
    { length: rate * seconds * 2 },
    (_sample, at) => (levels[at % 2] ?? 0) * toneAt(Math.floor(at / 2)),
  );

const recordings: Readonly<Record<string, Float32Array>> = {
  '/media/noisy/samples': toneOn(1, 0),
  '/media/isolated/samples': toneOn(0, 1),
};
/** Runs in the audio thread: every sample that is played, with its frame. */
const recorder = `registerProcessor('recorder', class extends AudioWorkletProcessor {
  process([input]) {
    this.port.postMessage({ frame: currentFrame, left: input[0]?.slice() ?? null, right: input[1]?.slice() ?? null });
    return true;
  }
});`;

interface Heard {
  readonly left: number[];
  readonly right: number[];
  /** Frames of the recording at which a key was pressed. */
  readonly keys: number[];
}

const { open } = pagesOfFile((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/recorder.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(recorder);
  const samples = recordings[pathname];
  if (samples === undefined) return pathname === '/recorder.js';
  const facts = { 'sample-rate': rate, 'channel-count': 2, 'duration-ms': seconds * 1000 };
  const first = Math.round(Number(searchParams.get('from')) * rate) * 2;
  response.writeHead(200, facts).end(Buffer.from(samples.buffer, first * Float32Array.BYTES_PER_ELEMENT));
  return true;
});

/** Records the output to the loudspeakers from the first sound on. */
const listenIn = (page: Page) =>
  page.evaluate(() => {
    const heard: Heard = { left: [], right: [], keys: [] };
    let start: number | null = null;
    let context: BaseAudioContext | null = null;
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its node
    const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode) => AudioNode;
    const recorders = new WeakMap<BaseAudioContext, Promise<AudioWorkletNode>>();
    AudioNode.prototype.connect = function listening(this: AudioNode, to: AudioNode) {
      if (to instanceof AudioDestinationNode && !(this instanceof AudioWorkletNode)) {
        ({ context } = to);
        const made =
          recorders.get(to.context) ??
          to.context.audioWorklet.addModule('/recorder.js').then(() => {
            const node = new AudioWorkletNode(to.context, 'recorder', { outputChannelCount: [2] });
            node.port.addEventListener(
              'message',
              ({ data }: MessageEvent<{ frame: number; left: Float32Array | null; right: Float32Array | null }>) => {
                start ??= data.frame;
                const at = data.frame - start;
                for (let index = 0; index < 128; index += 1) {
                  heard.left[at + index] = data.left?.[index] ?? 0;
                  heard.right[at + index] = data.right?.[index] ?? 0;
                }
              },
            );
            node.port.start();
            connect.call(node, to);
            return node;
          });
        recorders.set(to.context, made);
        void made.then((node) => connect.call(this, node));
      }
      return connect.call(this, to);
    } as typeof AudioNode.prototype.connect;
    addEventListener(
      'keydown',
      ({ code }) => {
        if (code === 'KeyX' && context !== null && start !== null)
          heard.keys.push(Math.round(context.currentTime * context.sampleRate) - start);
      },
      { capture: true },
    );
    Object.assign(globalThis, { heard });
  });

it('comparing switches within 20 ms of the key, at the same sample, without a click or a gap', async () => {
  const page = await open({
    plan: planStudio({
      jobs: isolatedJobs,
      answers: { 'isolation.open': isolatedAudio(null), 'isolation.list': { audio: [] } },
    }),
  });
  await listenIn(page);
  await openDone(page);
  await page.getByRole('slider', { name: 'Position' }).waitFor();
  await page.getByText('Measuring…').waitFor({ state: 'detached', timeout: 20_000 });
  await page.keyboard.press('Control+Space');
  const length = () => page.evaluate(() => (globalThis as unknown as { heard: Heard }).heard.left.length);
  await expect.poll(length, { timeout: 20_000 }).toBeGreaterThan(rate);
  for (const count of [1, 2, 3]) {
    await page.keyboard.press('x');
    await expect.poll(length, { timeout: 20_000 }).toBeGreaterThan(rate * (1 + count / 2));
  }
  const { left, right, keys } = await page.evaluate(() => (globalThis as unknown as { heard: Heard }).heard);
  expect(keys).toHaveLength(3);
  const sum = left.map((value, at) => value + (right[at] ?? 0));
  // The frame of the recording that is played first, found by matching the tone.
  const probe = keys[0]! - 2000;
  const place = Array.from({ length: rate * 4 }, (_, at) => at).reduce((best, at) => {
    const error = (from: number) =>
      [0, 300, 700, 1200, 1900].reduce((total, step) => total + Math.abs(sum[probe + step]! - toneAt(from + step)), 0);
    return error(at) < error(best) ? at : best;
  }, 0);
  const shift = place - probe;
  let largest = 0;
  for (let at = probe; at < keys[2]! + 4000; at += 1)
    largest = Math.max(largest, Math.abs(sum[at]! - toneAt(at + shift)));
  // Both sides together are the tone at every sample: nothing is left out, repeated, or played at another position.
  expect(largest).toBeLessThan(0.002);
  const delays = keys.map((key, number) => {
    const [old, next] = number % 2 === 0 ? [right, left] : [left, right];
    expect(Math.max(...old.slice(key - 1000, key).map(Math.abs))).toBeGreaterThan(0.25);
    let at = key;
    while (at < key + rate && (Math.abs(old[at]!) > 1e-4 || Math.abs(next[at]! - toneAt(at + shift)) > 0.002)) at += 1;
    // The last audible sample of the former track.
    let last = at + 2000;
    while (last > key && Math.abs(old[last]!) <= 1e-4) last -= 1;
    return last - key;
  });
  expect(Math.max(...delays)).toBeLessThan(0.02 * rate);
});
