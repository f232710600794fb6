import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Credits } from '../billing/credits.ts';
import { prices, toUnits, wholeCredits } from '../billing/units.ts';
import { resample } from '../../../shared/domain/media/resample.ts';
import { monoWav } from '../../audio/encode/wav.ts';
import type { Generations } from '../state/generations.ts';
import type { Idempotency } from '../state/idempotency.ts';
import { objectName, type ObjectStore } from '../storage/object-store.ts';
import type { SampleVoice } from './sample-voice.ts';
import { speak, type Spoken, type Utterance } from './speech-program.ts';

export const speechRate = 24_000;
export const speechArea = 'tts';

/** Characters of a text as Unicode counts them. */
export const charactersOf = (text: string): number => Array.from(text).length;
export const speechUnits = (text: string): number => toUnits(charactersOf(text) * prices.ttsPerCharacter);

/** Speaks accepted texts and stores their audio. One after another, because a text takes a fraction of a second. */
export class Speaker {
  readonly #program: string | null;
  readonly #sampleVoice: SampleVoice;
  readonly #generations: Generations;
  readonly #credits: Credits;
  readonly #idempotency: Idempotency;
  readonly #objects: ObjectStore;
  readonly #onSpoken: (data: Readonly<Record<string, unknown>>) => void;
  readonly #working = new Map<string, Promise<Buffer | null>>();
  #last: Promise<unknown> = Promise.resolve();

  /** `onSpoken` gets the data for the event of a completed generation. */
  constructor(
    program: string | null,
    sampleVoice: SampleVoice,
    generations: Generations,
    credits: Credits,
    idempotency: Idempotency,
    objects: ObjectStore,
    onSpoken: (data: Readonly<Record<string, unknown>>) => void,
  ) {
    this.#onSpoken = onSpoken;
    this.#program = program;
    this.#sampleVoice = sampleVoice;
    this.#generations = generations;
    this.#credits = credits;
    this.#idempotency = idempotency;
    this.#objects = objects;
  }

  get isAtWork(): boolean {
    return this.#working.size > 0;
  }

  get isAvailable(): boolean {
    return this.#program !== null;
  }

  /** Without the speech program, only sentences of the samples, in their own audio. */
  canSay(text: string): boolean {
    return this.isAvailable || this.#sampleVoice.canSay(text);
  }

  /** Work that an earlier process left is not resumed: its key is free again, and nothing is charged. */
  dropUnfinished(): void {
    for (const { id } of this.#generations.pending()) this.#fail(id);
  }

  #fail(id: string): void {
    this.#generations.fail(id);
    this.#credits.release(id);
    this.#idempotency.forget(speechArea, id);
  }

  /** The sound of a text at a rate. */
  async say(utterance: Utterance, sampleRate: number): Promise<Result<Spoken, string>> {
    const program = this.#program;
    if (program === null) {
      const said = await this.#sampleVoice.say(utterance.text);
      if (said === null) return err('espeak-ng is not installed');
      return ok({ samples: resample(said.samples, said.sampleRate, sampleRate), sampleRate });
    }
    const turn = this.#last.then(() => speak(program, utterance));
    this.#last = turn;
    const spoken = await turn;
    if (!spoken.ok) return spoken;
    return ok({ samples: resample(spoken.value.samples, spoken.value.sampleRate, sampleRate), sampleRate });
  }

  /** Works on an accepted generation; null: it failed, and the held credits are available again. */
  work(id: string, utterance: Utterance): Promise<Buffer | null> {
    const work = this.#speakAndKeep(id, utterance).finally(() => this.#working.delete(id));
    this.#working.set(id, work);
    return work;
  }

  async #speakAndKeep(id: string, utterance: Utterance): Promise<Buffer | null> {
    const spoken = await this.say(utterance, speechRate);
    if (!spoken.ok) {
      this.#fail(id);
      return null;
    }
    const wav = monoWav(spoken.value.samples, speechRate);
    await this.#objects.write(objectName(id, 'wav'), wav);
    const durationMs = Math.round((spoken.value.samples.length / speechRate) * 1000);
    const units = speechUnits(utterance.text);
    this.#generations.complete(id, durationMs);
    this.#credits.settle(id, { units });
    this.#onSpoken({
      object: 'tts_generation',
      id,
      status: 'completed',
      duration_ms: durationMs,
      credits_used: wholeCredits(units),
    });
    return wav;
  }

  /** The running work of a generation, if there is any. */
  working(id: string): Promise<Buffer | null> | null {
    return this.#working.get(id) ?? null;
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#working.values());
  }
}
