import { z } from 'zod';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { learnPace, rememberedSamples, type Pace, type PaceSample } from '../../../shared/domain/jobs/time-left.ts';
import type { LibraryStore } from '../library/store.ts';
import type { LiveJob } from './live-jobs.ts';

const measure = lazySchema(() => z.number().finite().nonnegative());
const samplesSchema = lazySchema(() =>
  z.array(z.object({ sentBytes: measure(), uploadMs: measure(), audioMs: measure(), serviceMs: measure() })),
);
/** Shorter uploads measure the first packets rather than the connection. */
const leastUploadMs = 200;
const savedEvery = 10;

/**
 * Measurements of finished jobs, kept across restarts. Losing the last few costs nothing, so they are written rarely.
 */
export class ThroughputHistory {
  readonly #store: LibraryStore;
  #samples: PaceSample[] = [];
  #pace: Pace = learnPace([]);
  #unsaved = 0;

  constructor(store: LibraryStore) {
    this.#store = store;
  }

  get pace(): Pace {
    return this.#pace;
  }

  load(): void {
    const note = this.#store.note('pace');
    if (!note.ok || note.value === null) return;
    const parsed = samplesSchema().safeParse(parsedJson(note.value));
    if (parsed.success) this.#take(parsed.data);
  }

  /** A job succeeded in this run; one that was continued from an earlier run shows nothing about time. */
  learn(live: LiveJob, nowMs: number): void {
    const { sentBetween, job } = live;
    if (sentBetween === null || sentBetween.toMs === null) return;
    const uploadMs = sentBetween.toMs - sentBetween.fromMs;
    const sample = {
      sentBytes: job.sizeBytes,
      uploadMs: uploadMs < leastUploadMs ? 0 : uploadMs,
      audioMs: job.durationMs ?? 0,
      serviceMs: Math.max(0, nowMs - sentBetween.toMs),
    };
    this.#take([...this.#samples, sample]);
    this.#unsaved += 1;
    if (this.#unsaved >= savedEvery) this.save();
  }

  save(): void {
    if (this.#unsaved === 0) return;
    this.#unsaved = 0;
    this.#store.saveNote('pace', JSON.stringify(this.#samples));
  }

  #take(samples: readonly PaceSample[]): void {
    this.#samples = samples.slice(-rememberedSamples);
    this.#pace = learnPace(this.#samples);
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
