/** The only model of practice mode: plain arithmetic, and its name says so. */
export const restorationModel = 'practice-leveller-1';

/** The target level of speech, as a fraction of full scale. */
const wantedLevel = 0.1;
const mostGain = 6;
/** Anything softer is a pause and is not made louder. */
const leastLevel = 0.004;
const levelSeconds = 0.4;
/** The time constants: a pause is recognised faster than the level falls. */
const pauseSeconds = 0.05;
const gainSeconds = 0.25;
/** Consonants are above this frequency; damaged speech has lost them. */
const clarityHz = 2500;
const clarityGain = 0.6;
const ceiling = 0.95;

/**
 * Brings soft and loud passages of one channel to the same level and lifts consonants, block by block, aligned with the
 * input. It adds nothing that was not recorded.
 */
export class SpeechRestorer {
  readonly #levelKeep: number;
  readonly #pauseKeep: number;
  readonly #gainKeep: number;
  readonly #lowKeep: number;
  #meanSquare = 0;
  #quickMeanSquare = 0;
  #gain = 1;
  #low = 0;

  constructor(sampleRate: number) {
    this.#levelKeep = Math.exp(-1 / (levelSeconds * sampleRate));
    this.#pauseKeep = Math.exp(-1 / (pauseSeconds * sampleRate));
    this.#gainKeep = Math.exp(-1 / (gainSeconds * sampleRate));
    this.#lowKeep = Math.exp((-2 * Math.PI * clarityHz) / sampleRate);
  }

  push(samples: Float32Array): Float32Array {
    return samples.map((sample) => {
      this.#meanSquare = this.#levelKeep * this.#meanSquare + (1 - this.#levelKeep) * sample * sample;
      this.#quickMeanSquare = this.#pauseKeep * this.#quickMeanSquare + (1 - this.#pauseKeep) * sample * sample;
      const isPause = this.#quickMeanSquare < leastLevel * leastLevel;
      const wanted = isPause ? 1 : Math.min(mostGain, wantedLevel / Math.sqrt(this.#meanSquare));
      this.#gain = this.#gainKeep * this.#gain + (1 - this.#gainKeep) * wanted;
      this.#low = this.#lowKeep * this.#low + (1 - this.#lowKeep) * sample;
      const lifted = (sample + clarityGain * (sample - this.#low)) * this.#gain;
      return softly(lifted);
    });
  }
}

/** Bends peaks that would otherwise clip at full scale. */
const softly = (sample: number): number => ceiling * Math.tanh(sample / ceiling);
