/** The one model of practice mode, which is plain arithmetic and says so by its name. */
export const restorationModel = 'practice-leveller-1';

/** Where speech is made to sit, in parts of full scale. */
const wantedLevel = 0.1;
const mostGain = 6;
/** Softer than this is a pause, and a pause is not made louder. */
const leastLevel = 0.004;
const levelSeconds = 0.4;
/** A pause is heard sooner than the level falls. */
const pauseSeconds = 0.05;
const gainSeconds = 0.25;
/** Consonants live above, and are what damaged speech has lost. */
const clarityHz = 2500;
const clarityGain = 0.6;
const ceiling = 0.95;

/**
 * Brings soft and loud passages of one channel to the same level and lifts consonants, block by block, in time with
 * what goes in. It adds nothing that was not recorded.
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

/** Bends what would be cut off at full scale. */
const softly = (sample: number): number => ceiling * Math.tanh(sample / ceiling);
