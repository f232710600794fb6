import { frameSamples, type CaptureFrame } from './capture-frame.ts';

/** Messages wait for a busy page, so a blocked page loses nothing. */
declare class AudioWorkletProcessor {
  readonly port: {
    postMessage(message: CaptureFrame | null, transfer?: readonly Transferable[]): void;
    onmessage: (() => void) | null;
  };
}
declare function registerProcessor(name: string, processor: typeof AudioWorkletProcessor): void;
declare const currentFrame: number;

class Capture extends AudioWorkletProcessor {
  #frame = new Int16Array(frameSamples);
  #filled = 0;
  #at: number | null = null;
  #next = 0;
  #peak = 0;
  #energy = 0;
  #isOver = false;

  constructor() {
    super();
    this.port.onmessage = () => {
      if (this.#filled > 0) this.#send(this.#next - this.#filled, this.#filled);
      this.#isOver = true;
      this.port.postMessage(null);
    };
  }

  process(inputs: readonly (readonly Float32Array[])[]): boolean {
    const channels = inputs[0] ?? [];
    const [first] = channels;
    if (this.#isOver) return false;
    if (first === undefined) return true;
    // The clock of the audio thread runs on without input: skipped samples are a gap.
    this.#at ??= currentFrame;
    for (let at = 0; at < first.length; at += 1) {
      let value = 0;
      for (const channel of channels) value += channel[at] ?? 0;
      value /= channels.length;
      if (!Number.isFinite(value)) value = 0;
      const sample = Math.max(-32_768, Math.min(32_767, Math.round(value * 32_767)));
      this.#frame[this.#filled] = sample;
      this.#filled += 1;
      this.#peak = Math.max(this.#peak, Math.abs(sample));
      this.#energy += sample * sample;
      if (this.#filled === frameSamples) this.#send(currentFrame + at + 1 - frameSamples, frameSamples);
    }
    this.#next = currentFrame + first.length;
    return true;
  }

  #send(at: number, length: number): void {
    const pcm = length === frameSamples ? this.#frame : this.#frame.slice(0, length);
    const rms = Math.sqrt(this.#energy / length);
    this.port.postMessage({ at: at - (this.#at ?? 0), pcm, peak: this.#peak, rms, speech: null }, [pcm.buffer]);
    this.#frame = new Int16Array(frameSamples);
    this.#filled = 0;
    this.#peak = 0;
    this.#energy = 0;
  }
}

registerProcessor('capture', Capture);
