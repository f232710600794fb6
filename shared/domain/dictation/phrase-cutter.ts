/** Audio of dictation is 16-bit mono at this rate everywhere, because the live service accepts it. */
export const dictationRate = 16_000;

/** The service takes phrases between these two lengths, samples. */
export const shortestPhrase = dictationRate / 10;
export const longestPhrase = dictationRate * 35;

const windowSamples = 160;
const windowsPerSecond = dictationRate / windowSamples;

/** A decision of the cutter about a stretch of samples. Stretches follow each other without gap or overlap. */
export type CutterEvent =
  | { readonly kind: 'open'; readonly from: number }
  /** The phrase ends before `to`. */
  | { readonly kind: 'close'; readonly from: number; readonly to: number; readonly hasSpeech: boolean }
  | { readonly kind: 'quiet'; readonly from: number; readonly to: number };

export interface CutterOptions {
  readonly pauses: 'each' | 'long';
  /** Silence belongs to the following phrase, so that every sample is in a phrase: recordings are sent whole. */
  readonly keepsSilence: boolean;
  readonly total?: number;
  /** The index of the first sample: a continued take starts there. */
  readonly from?: number;
}

/** How many silent windows end a phrase of how many windows: the longer the phrase, the shorter the pause. */
const pauseRules = {
  each: [
    { age: 26 * windowsPerSecond, pause: 12 },
    { age: 15 * windowsPerSecond, pause: 35 },
    { age: 0.3 * windowsPerSecond, pause: 60 },
  ],
  long: [
    { age: 26 * windowsPerSecond, pause: 12 },
    { age: 20 * windowsPerSecond, pause: 35 },
  ],
} as const;

/** A phrase this long is cut in any case, at its quietest place in the last seconds. */
const forcedAge = 32 * windowsPerSecond;
const forcedSearch = 6 * windowsPerSecond;
/** Anything louder is never silence, however steady it is. */
const surelyLoudDb = -45;
/** Audio before the first loud window that belongs to the phrase: soft beginnings of words. */
const preRoll = 30;
/** This many loud windows of the last ten are speech and not a click. */
const onsetWindows = 5;

/** Loudness is compared with a floor that follows the room; a measured probability of speech takes precedence. */
export class PhraseCutter {
  readonly #options: CutterOptions;
  /** Loudness of the windows of the current phrase or silence, in decibels below full scale. */
  #levels: number[] = [];
  #voiced: boolean[] = [];
  #floorDb = -60;
  #from: number;
  #windows = 0;
  #isSpeaking: boolean;
  #hasSpeech = false;
  #silentFor = 0;
  #rest: Int16Array = new Int16Array(0);
  #probability: number | null = null;
  #pauseAt: number | null = null;
  #isLoud = false;

  constructor(options: CutterOptions) {
    this.#options = options;
    this.#from = options.from ?? 0;
    this.#isSpeaking = options.keepsSilence;
  }

  get openFrom(): number | null {
    return this.#isSpeaking ? this.#from : null;
  }

  push(samples: Int16Array, speech: number | null = null): CutterEvent[] {
    const events: CutterEvent[] = [];
    this.#probability = speech;
    const all = this.#rest.length === 0 ? samples : joined(this.#rest, samples);
    let at = 0;
    for (; at + windowSamples <= all.length; at += windowSamples)
      this.#takeWindow(levelDb(all.subarray(at, at + windowSamples)), events);
    this.#rest = all.slice(at);
    return events;
  }

  finish(): CutterEvent[] {
    const to = this.#now + this.#rest.length;
    const from = this.#from;
    const isSpeaking = this.#isSpeaking;
    const hasSpeech = this.#hasSpeech || this.#isLoud;
    this.#from = to;
    this.#rest = new Int16Array(0);
    this.#isSpeaking = this.#options.keepsSilence;
    this.#hasSpeech = false;
    if (to === from) return [];
    return isSpeaking ? [{ kind: 'close', from, to, hasSpeech }] : [{ kind: 'quiet', from, to }];
  }

  get #now(): number {
    return (this.#options.from ?? 0) + this.#windows * windowSamples;
  }

  #takeWindow(db: number, events: CutterEvent[]): void {
    const isVoiced = this.#judge(db);
    this.#windows += 1;
    this.#levels.push(db);
    this.#voiced.push(isVoiced);
    if (isVoiced) this.#silentFor = 0;
    else this.#silentFor += 1;
    const isOnset = this.#voiced.slice(-10).filter(Boolean).length >= onsetWindows;
    if (!this.#isSpeaking) {
      if (isOnset) this.#open(events);
      else this.#forgetOldLevels();
      return;
    }
    if (isOnset && !this.#hasSpeech) this.#hasSpeech = true;
    if (db > surelyLoudDb) this.#isLoud = true;
    if (this.#pauseAt !== null && isOnset) this.#close(this.#pauseAt, false, events);
    else this.#closeWhereItMay(events);
  }

  #judge(db: number): boolean {
    // The floor falls at once and rises slowly, so that a long word does not become noise.
    this.#floorDb = db < this.#floorDb ? Math.max(-90, this.#floorDb * 0.7 + db * 0.3) : this.#floorDb + 0.03;
    const isLoud = db > Math.max(this.#floorDb + 9, -55);
    return this.#probability === null ? isLoud : this.#probability > 0.6 && db > -65;
  }

  #open(events: CutterEvent[]): void {
    const began = Math.max(this.#from, this.#now - (10 + preRoll) * windowSamples);
    if (began > this.#from) events.push({ kind: 'quiet', from: this.#from, to: began });
    events.push({ kind: 'open', from: began });
    this.#keepLevelsFrom(began);
    this.#isSpeaking = true;
    this.#hasSpeech = true;
  }

  #forgetOldLevels(): void {
    if (this.#levels.length > 400) {
      this.#levels = this.#levels.slice(-200);
      this.#voiced = this.#voiced.slice(-200);
    }
  }

  #closeWhereItMay(events: CutterEvent[]): void {
    const age = this.#levels.length;
    if (age >= forcedAge) return this.#close(this.#quietest(), true, events);
    if (!this.#hasSpeech) return;
    const rule = pauseRules[this.#options.pauses].find((one) => age >= one.age);
    if (rule === undefined || this.#silentFor < rule.pause) return;
    if (!this.#options.keepsSilence) this.#close(this.#now, false, events);
    // The pause may grow, so its middle is computed again until speech resumes.
    else this.#pauseAt = this.#now - Math.round(this.#silentFor / 2) * windowSamples;
  }

  #quietest(): number {
    const first = this.#levels.length - forcedSearch;
    let best = this.#levels.length - 3;
    let bestLevel = Infinity;
    for (let at = first + 2; at < this.#levels.length - 2; at += 1) {
      const level = this.#levels.slice(at - 2, at + 3).reduce((sum, db) => sum + 10 ** (db / 10), 0);
      if (level <= bestLevel) {
        bestLevel = level;
        best = at;
      }
    }
    return this.#now - (this.#levels.length - best) * windowSamples + windowSamples / 2;
  }

  #close(to: number, isForced: boolean, events: CutterEvent[]): void {
    const { total, keepsSilence } = this.#options;
    // The end of a recording is known, so the remainder must not be too short to send.
    if (total !== undefined && total - to < shortestPhrase && total - this.#from <= longestPhrase) return;
    events.push({ kind: 'close', from: this.#from, to, hasSpeech: this.#hasSpeech || this.#isLoud });
    this.#keepLevelsFrom(to);
    this.#pauseAt = null;
    this.#isLoud = this.#levels.some((db) => db > surelyLoudDb);
    this.#isSpeaking = keepsSilence || isForced;
    this.#hasSpeech = this.#voiced.filter(Boolean).length >= onsetWindows;
    if (this.#isSpeaking) events.push({ kind: 'open', from: to });
  }

  #keepLevelsFrom(sample: number): void {
    const windows = Math.ceil((this.#now - sample) / windowSamples);
    this.#levels = windows === 0 ? [] : this.#levels.slice(-windows);
    this.#voiced = windows === 0 ? [] : this.#voiced.slice(-windows);
    this.#from = sample;
  }
}

/** 16-bit little-endian audio as samples. */
export function samplesOf(pcm: Uint8Array): Int16Array {
  const aligned = pcm.byteOffset % 2 === 0 ? pcm : Uint8Array.from(pcm);
  return new Int16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 1);
}

/** The sample in the middle of the quietest 20 ms, of equally quiet ones the last: a word is rarely cut there. */
export function quietestPlace(pcm: Uint8Array): number {
  const samples = samplesOf(pcm);
  let [best, bestDb] = [samples.length, Infinity];
  for (let at = 0; at + 2 * windowSamples <= samples.length; at += windowSamples) {
    const db = levelDb(samples.subarray(at, at + 2 * windowSamples));
    if (db <= bestDb) [best, bestDb] = [at + windowSamples, db];
  }
  return best;
}

/** Loudness of samples, decibels below full scale; -100 for digital silence. */
export function levelDb(samples: Int16Array): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  const mean = energy / Math.max(1, samples.length);
  return mean === 0 ? -100 : 10 * Math.log10(mean / 32_768 ** 2);
}

function joined(first: Int16Array, second: Int16Array): Int16Array {
  const all = new Int16Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
