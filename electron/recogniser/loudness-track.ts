import type { PcmBlock } from '../../shared/domain/audio/pcm-block.ts';

export const frameMs = 10;

/** The value for silence in decibels: below everything a recorder produces. */
export const silenceDb = -120;

/** Rumble and mains hum are below this frequency, speech is not. */
const highPassHz = 90;

const toDb = (meanSquare: number): number => (meanSquare <= 1e-12 ? silenceDb : 10 * Math.log10(meanSquare));

/** Uses 400 bytes of memory per second of audio. */
export class LoudnessTrack {
  #frames = new Float32Array(4096);
  #frameCount = 0;
  #sampleCount = 0;
  #sampleRate = 0;
  #channelCount = 0;
  #peak = 0;
  #sumOfSquares = 0;
  #frameSum = 0;
  #samplesInFrame = 0;
  #frameEnd = 0;
  #lastInput = 0;
  #lastOutput = 0;

  add(block: PcmBlock): void {
    const [first] = block.channels;
    if (first === undefined) return;
    if (this.#sampleRate === 0) {
      this.#sampleRate = block.sampleRate;
      this.#channelCount = block.channels.length;
      this.#frameEnd = this.#frameBoundary(1);
    }
    const keep = 1 / (1 + (2 * Math.PI * highPassHz) / this.#sampleRate);
    const channels = block.channels;
    for (let at = 0; at < first.length; at += 1) {
      let mono = 0;
      for (const channel of channels) {
        const sample = channel[at] ?? 0;
        const size = Math.abs(sample);
        if (size > this.#peak) this.#peak = size;
        this.#sumOfSquares += sample * sample;
        mono += sample;
      }
      mono /= channels.length;
      this.#lastOutput = keep * (this.#lastOutput + mono - this.#lastInput);
      this.#lastInput = mono;
      this.#frameSum += this.#lastOutput * this.#lastOutput;
      this.#samplesInFrame += 1;
      this.#sampleCount += 1;
      if (this.#sampleCount >= this.#frameEnd) this.#closeFrame();
    }
  }

  /** Rounded boundaries keep frame n at exactly n * 10 ms for rates such as 22050 and 11025 Hz. */
  #frameBoundary(frame: number): number {
    return Math.round((frame * this.#sampleRate * frameMs) / 1000);
  }

  #closeFrame(): void {
    if (this.#frameCount === this.#frames.length) {
      const larger = new Float32Array(this.#frames.length * 2);
      larger.set(this.#frames);
      this.#frames = larger;
    }
    this.#frames[this.#frameCount] = toDb(this.#frameSum / Math.max(1, this.#samplesInFrame));
    this.#frameCount += 1;
    this.#frameSum = 0;
    this.#samplesInFrame = 0;
    this.#frameEnd = this.#frameBoundary(this.#frameCount + 1);
  }

  get durationMs(): number {
    return this.#sampleRate === 0 ? 0 : Math.round((this.#sampleCount / this.#sampleRate) * 1000);
  }

  finish(): {
    readonly loudnessDb: Float32Array;
    readonly durationMs: number;
    readonly sampleRate: number;
    readonly channelCount: number;
    readonly peak: number;
    readonly rms: number;
  } {
    if (this.#samplesInFrame > 0) this.#closeFrame();
    const values = this.#sampleCount * this.#channelCount;
    return {
      loudnessDb: this.#frames.subarray(0, this.#frameCount),
      durationMs: this.durationMs,
      sampleRate: this.#sampleRate,
      channelCount: this.#channelCount,
      peak: this.#peak,
      rms: values === 0 ? 0 : Math.sqrt(this.#sumOfSquares / values),
    };
  }
}
