import { wavHeader } from '../../../shared/domain/media/wav-header.ts';
import { openTrack } from '../track-reader.ts';
import { inPieces } from './in-pieces.ts';
import { workerScope } from '../../lib/worker-scope.ts';

export interface MixRequest {
  readonly original: string;
  readonly isolated: string;
  readonly gains: readonly [original: number, isolated: number];
  readonly offsetMs: number;
}
export type MixOrder = { readonly kind: 'begin'; readonly request: MixRequest } | { readonly kind: 'taken' };
export type MixReport =
  | { readonly kind: 'piece'; readonly bytes: Uint8Array<ArrayBuffer>; readonly share: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string };

const worker = workerScope<MixOrder, MixReport>();
let goOn: () => void = () => undefined;
const largest = 32_767;

async function hand(bytes: Uint8Array<ArrayBuffer>, share: number): Promise<void> {
  const taken = Promise.withResolvers<void>();
  goOn = taken.resolve;
  worker.postMessage({ kind: 'piece', bytes, share }, [bytes.buffer]);
  await taken.promise;
}

async function mix({ original, isolated, gains, offsetMs }: MixRequest): Promise<void> {
  const [first, second] = await Promise.all([openTrack(original), openTrack(isolated)]);
  const rate = first.sampleRate;
  const frames = Math.round((first.durationMs * rate) / 1000);
  const channels = Math.max(first.channelCount, second.channelCount);
  await hand(wavHeader(frames * channels * 2, rate, channels), 0);
  const others = inPieces(second.read(Math.round((offsetMs * rate) / 1000), rate), frames, rate);
  let written = 0;
  for await (const own of inPieces(first.read(0, rate), frames, rate)) {
    const other = (await others.next()).value ?? [];
    const length = own[0]?.length ?? 0;
    const samples = new Int16Array(length * channels);
    for (let channel = 0; channel < channels; channel += 1) {
      const one = own[channel] ?? own[0];
      const two = other[channel] ?? other[0];
      for (let at = 0; at < length; at += 1) {
        const value = gains[0] * (one?.[at] ?? 0) + gains[1] * (two?.[at] ?? 0);
        samples[at * channels + channel] = Math.round(Math.max(-1, Math.min(1, value)) * largest);
      }
    }
    written += length;
    await hand(new Uint8Array(samples.buffer), written / frames);
  }
}

worker.addEventListener('message', ({ data }) => {
  if (data.kind === 'taken') {
    goOn();
    return;
  }
  mix(data.request).then(
    () => worker.postMessage({ kind: 'done' }),
    (cause: unknown) =>
      worker.postMessage({ kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) }),
  );
});
