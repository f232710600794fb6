import type { MixGains } from './compare-measures.ts';
import { openInOrder } from './decode-in-stretches.ts';
import { createLoudnessMeter, type Loudness } from '../../../shared/domain/audio/loudness.ts';
import { inPieces } from './in-pieces.ts';

/** Entry of the mixing worker: writes what is played as a WAV file, piece by piece, at the reader's pace. */
export interface MixRequest {
  readonly original: string;
  readonly isolated: string;
  readonly gains: MixGains;
  readonly offsetMs: number;
}
/** Of what was written; null for silence. */
export type MixLevels = Pick<Loudness, 'integratedLufs' | 'truePeakDb'>;
/** `taken` asks for the next piece. */
export type MixOrder = { readonly kind: 'begin'; readonly request: MixRequest } | { readonly kind: 'taken' };
export type MixReport =
  | { readonly kind: 'piece'; readonly bytes: Uint8Array<ArrayBuffer>; readonly share: number }
  | ({ readonly kind: 'done' } & MixLevels)
  | { readonly kind: 'failed'; readonly reason: string };

interface WorkerScope {
  postMessage(message: MixReport, transfer?: readonly Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<MixOrder>) => void): void;
}

const worker = globalThis as unknown as WorkerScope;
let goOn: () => void = () => undefined;
const headerBytes = 44;
const largest = 32_767;

/** The header of 16-bit PCM. */
function wavHeader(frames: number, channels: number, rate: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(headerBytes));
  const text = (at: number, letters: string) => {
    for (let index = 0; index < letters.length; index += 1) view.setUint8(at + index, letters.charCodeAt(index));
  };
  const dataBytes = frames * channels * 2;
  text(0, 'RIFF');
  view.setUint32(4, headerBytes - 8 + dataBytes, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, dataBytes, true);
  return new Uint8Array(view.buffer);
}

async function hand(bytes: Uint8Array<ArrayBuffer>, share: number): Promise<void> {
  const taken = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  worker.postMessage({ kind: 'piece', bytes, share }, [bytes.buffer]);
  await taken;
}

async function mix({ original, isolated, gains, offsetMs }: MixRequest): Promise<MixLevels> {
  const tracks = await Promise.all([openInOrder(original), openInOrder(isolated)]);
  try {
    const [first, second] = tracks;
    const rate = first.sampleRate;
    const frames = Math.round((first.durationMs * rate) / 1000);
    const channels = Math.max(first.channelCount, second.channelCount);
    await hand(wavHeader(frames, channels, rate), 0);
    const others = inPieces(second.read(Math.round((offsetMs * rate) / 1000), rate), frames, rate);
    const meter = createLoudnessMeter(rate, channels);
    let written = 0;
    for await (const own of inPieces(first.read(0, rate), frames, rate)) {
      const other = (await others.next()).value ?? [];
      const length = own[0]?.length ?? 0;
      const samples = new Int16Array(length * channels);
      const planes: Float32Array[] = [];
      for (let channel = 0; channel < channels; channel += 1) {
        const one = own[channel] ?? own[0];
        const two = other[channel] ?? other[0];
        const mixed = new Float32Array(length);
        for (let at = 0; at < length; at += 1) {
          const value = gains[0] * (one?.[at] ?? 0) + gains[1] * (two?.[at] ?? 0);
          mixed[at] = value;
          samples[at * channels + channel] = Math.round(Math.max(-1, Math.min(1, value)) * largest);
        }
        planes.push(mixed);
      }
      meter.add(planes);
      written += length;
      await hand(new Uint8Array(samples.buffer), written / frames);
    }
    const { integratedLufs, truePeakDb } = meter.read();
    return { integratedLufs, truePeakDb };
  } finally {
    for (const track of tracks) track.close();
  }
}

worker.addEventListener('message', ({ data }) => {
  if (data.kind === 'taken') {
    goOn();
    return;
  }
  mix(data.request).then(
    (levels) => {
      worker.postMessage({ kind: 'done', ...levels });
    },
    (cause: unknown) => {
      worker.postMessage({ kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) });
    },
  );
});
