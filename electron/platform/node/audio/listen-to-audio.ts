import { open } from 'node:fs/promises';
import { openAudio } from '../../../audio/decode/open-audio.ts';
import type { PcmBlock } from '../../../../shared/domain/audio/pcm-block.ts';
import { openRnnoise } from '../../../audio/open-rnnoise.ts';
import { rnnoiseFrame, rnnoiseRate, rnnoiseScale, type Rnnoise } from '../../../../shared/domain/audio/rnnoise.ts';
import type { HeardIn } from '../../../../shared/domain/jobs/job-state.ts';
import { Resampler } from '../../../../shared/domain/media/resample.ts';

/** Inaudible; a muted or unconnected microphone stays below this level. */
const silentPower = 10 ** (-60 / 10);
const windowsPerSecond = 10;

const framesPerSecond = rnnoiseRate / rnnoiseFrame;
/** Speech in street noise has a hundred; wind, hum and noise have four at most. Music counts as a voice. */
const leastVoiced = 8;
const leastCertainty = 0.8;
/** After the first sound. Less ends before the network has settled; more waits for a press anyway. */
const judgedSeconds = { least: 2, most: 600 } as const;

/** Reads no further than the first voice. Throws what the decoders throw. */
export async function heardIn(path: string, sign: () => void): Promise<HeardIn> {
  const file = await open(path, 'r');
  let listener: VoiceListener | null = null;
  let isAnyHeard = false;
  try {
    listener = new VoiceListener(await openRnnoise());
    for await (const block of (await openAudio(file, path)).blocks) {
      const window = Math.round(block.sampleRate / windowsPerSecond);
      isAnyHeard ||= block.channels.some((samples) => isLoud(samples, window));
      if (isAnyHeard && (listener.hears(block) || listener.seconds > judgedSeconds.most)) return 'voice';
      sign();
    }
    if (!isAnyHeard) return 'nothing';
    return listener.seconds < judgedSeconds.least ? 'voice' : 'noise';
  } finally {
    listener?.free();
    await file.close();
  }
}

/** Whether a tenth of a second is louder than −60 dB, whatever its samples swing around. */
function isLoud(samples: Float32Array, window: number): boolean {
  for (let from = 0; from < samples.length; from += window) {
    const piece = samples.subarray(from, from + window);
    let [sum, squares] = [0, 0];
    for (const value of piece) {
      sum += value;
      squares += value * value;
    }
    if (squares / piece.length - (sum / piece.length) ** 2 > silentPower) return true;
  }
  return false;
}

class VoiceListener {
  readonly #network: Rnnoise;
  #resampler: Resampler | null = null;
  #filled = 0;
  #frames = 0;
  readonly #voiced = new Uint8Array(framesPerSecond);

  constructor(network: Rnnoise) {
    this.#network = network;
  }

  get seconds(): number {
    return this.#frames / framesPerSecond;
  }

  hears({ channels, sampleRate }: PcmBlock): boolean {
    const mono = Float32Array.from(channels[0] ?? [], (_, at) =>
      channels.reduce((sum, samples) => sum + (samples[at] ?? 0) / channels.length, 0),
    );
    if (sampleRate !== rnnoiseRate) this.#resampler ??= new Resampler(sampleRate, rnnoiseRate);
    const samples = this.#resampler?.push(mono) ?? mono;
    const frame = this.#network.frame();
    for (const sample of samples) {
      frame[this.#filled] = sample * rnnoiseScale;
      this.#filled += 1;
      if (this.#filled < rnnoiseFrame) continue;
      this.#filled = 0;
      const certainty = this.#network.process();
      this.#voiced[this.#frames % framesPerSecond] = certainty > leastCertainty ? 1 : 0;
      this.#frames += 1;
      if (this.#voiced.reduce((sum, one) => sum + one, 0) >= leastVoiced) return true;
    }
    return false;
  }

  free(): void {
    this.#network.free();
  }
}
