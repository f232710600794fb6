import { openRnnoise } from '../../audio/open-rnnoise.ts';
import { rnnoiseFrame, rnnoiseScale, type Rnnoise } from '../../../shared/domain/audio/rnnoise.ts';

/** RNNoise on one channel at 48 kHz. The output has the length of the input, aligned in time. */
export class NoiseSuppressor {
  readonly #network: Rnnoise;
  #pending = new Float32Array();
  #read = 0;
  #written = 0;
  /** The network looks one frame back, so its first frame lies before the start of the audio. */
  #isFirst = true;

  private constructor(network: Rnnoise) {
    this.#network = network;
  }

  static async open(): Promise<NoiseSuppressor> {
    return new NoiseSuppressor(await openRnnoise());
  }

  push(samples: Float32Array): Float32Array {
    this.#read += samples.length;
    return this.#process(samples);
  }

  /** The rest, and the end of it. */
  flush(): Float32Array {
    const rest = this.#process(new Float32Array(2 * rnnoiseFrame));
    const missing = this.#read - (this.#written - rest.length);
    return rest.subarray(0, missing);
  }

  #process(samples: Float32Array): Float32Array {
    const joined = new Float32Array(this.#pending.length + samples.length);
    joined.set(this.#pending);
    joined.set(samples, this.#pending.length);
    const frames = Math.floor(joined.length / rnnoiseFrame);
    const output = new Float32Array(Math.max(0, frames - (this.#isFirst ? 1 : 0)) * rnnoiseFrame);
    let at = 0;
    for (let frame = 0; frame < frames; frame += 1) {
      const cleaned = this.#suppress(joined.subarray(frame * rnnoiseFrame, (frame + 1) * rnnoiseFrame));
      if (this.#isFirst) this.#isFirst = false;
      else {
        output.set(cleaned, at);
        at += rnnoiseFrame;
      }
    }
    this.#pending = joined.slice(frames * rnnoiseFrame);
    this.#written += output.length;
    return output;
  }

  #suppress(samples: Float32Array): Float32Array {
    const frame = this.#network.frame();
    samples.forEach((value, at) => (frame[at] = value * rnnoiseScale));
    this.#network.process();
    return this.#network.frame().map((value) => value / rnnoiseScale);
  }

  free(): void {
    this.#network.free();
  }
}
