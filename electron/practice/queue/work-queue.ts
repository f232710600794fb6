import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Analyst } from '../analysis/analyst.ts';
import type { Credits } from '../billing/credits.ts';
import { sttUnits } from '../billing/units.ts';
import type { Recogniser } from '../../recogniser/recogniser.ts';
import type { TranscriptionRecord } from '../state/records.ts';
import type { Transcriptions } from '../state/transcriptions.ts';
import { segmentsOf } from './segments-of-words.ts';
import { transcribe, type Transcribed } from './transcribe.ts';

export interface Pace {
  /** The least time that work stays queued and in processing, so that people see what a real service does. */
  readonly queuedMs: number;
  readonly processingMs: number;
}

/** Where the audio of an accepted transcription waits for its turn. */
export const acceptedPath = (uploadsDir: string, id: string): string => join(uploadsDir, `${id}.audio`);

/** Works on one long recording after another. All its state is in the database, so a restart resumes it. */
export class WorkQueue {
  readonly #transcriptions: Transcriptions;
  readonly #analyst: Analyst;
  readonly #uploadsDir: string;
  readonly #pace: Pace;
  readonly #credits: Credits;
  readonly #failureOf: (id: string) => string | null;
  readonly #now: () => number;
  readonly #stop = new AbortController();
  readonly #recogniser: Recogniser | null;
  #canceling: { readonly id: string; readonly controller: AbortController } | null = null;
  #running: Promise<void> = Promise.resolve();

  /** `failureOf`: the code with which a test wants the work to fail. */
  constructor(
    transcriptions: Transcriptions,
    analyst: Analyst,
    uploadsDir: string,
    pace: Pace,
    credits: Credits,
    failureOf: (id: string) => string | null,
    now: () => number,
    recogniser: Recogniser | null,
  ) {
    this.#recogniser = recogniser;
    this.#transcriptions = transcriptions;
    this.#analyst = analyst;
    this.#uploadsDir = uploadsDir;
    this.#pace = pace;
    this.#credits = credits;
    this.#failureOf = failureOf;
    this.#now = now;
  }

  resume(): void {
    for (const { id } of this.#transcriptions.unfinished()) this.add(id);
  }

  add(id: string): void {
    this.#running = this.#running.then(() => this.#work(id));
  }

  /** Ends the work on one that was deleted. */
  cancel(id: string): void {
    if (this.#canceling?.id === id) this.#canceling.controller.abort();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#canceling?.controller.abort();
    await this.#running;
  }

  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  async #work(id: string): Promise<void> {
    const waiting = this.#transcriptions.read(id);
    if (waiting === null) return;
    await this.#pause(Math.max(0, waiting.createdAtMs + this.#pace.queuedMs - this.#now()));
    // It may have been deleted while it waited.
    const record = this.#transcriptions.read(id);
    if (record === null || this.#stop.signal.aborted) return;
    this.#transcriptions.markProcessing(id, this.#now());
    const path = acceptedPath(this.#uploadsDir, id);
    if (this.#recogniser !== null) {
      await this.#recognise(this.#recogniser, record, path);
      return;
    }
    const [outcome] = await Promise.all([this.#analyst.analyse(path), this.#pause(this.#pace.processingMs)]);
    // A shutdown ends the decoder's thread, which looks like a bad file: the next start repeats this work.
    if (this.#stop.signal.aborted) return;
    const planned = this.#failureOf(id);
    if (planned !== null) this.#fail(id, planned);
    else if (outcome.kind === 'measured') this.#complete(record, transcribe(outcome.sound, record));
    else this.#fail(id, outcome.kind === 'undecodable' ? outcome.code : 'internal_error');
    await rm(path, { force: true });
  }

  /** Each piece is on disk before the next begins, so a restart repeats at most one. */
  async #recognise(recogniser: Recogniser, record: TranscriptionRecord, path: string): Promise<void> {
    const { id, language } = record;
    const controller = new AbortController();
    this.#canceling = { id, controller };
    const model = await recogniser.modelLabel(language);
    if (model !== null) this.#transcriptions.noteModel(id, model);
    let durationMs = 0;
    let ends: readonly number[] = [];
    let done = this.#transcriptions.pieces(id).length;
    const outcome = await recogniser.hearFile(
      { path, language, done },
      {
        onPlan: (plan) => {
          durationMs = plan.durationMs;
          ends = plan.pieces.map(({ endMs }) => endMs);
          this.#transcriptions.noteLength(id, durationMs);
        },
        onPiece: (words) => {
          this.#transcriptions.addPiece(id, words, ends[done] ?? durationMs);
          done += 1;
        },
      },
      controller.signal,
    );
    this.#canceling = null;
    if (outcome.kind === 'canceled' || this.#stop.signal.aborted) return;
    if (outcome.kind === 'failed') this.#fail(id, outcome.code);
    else {
      const words = this.#transcriptions.pieces(id).flatMap((piece) => piece.words);
      this.#complete(record, { language, durationMs, segments: segmentsOf(words) });
    }
    await rm(path, { force: true });
  }

  #complete({ id, includeSpeakers }: TranscriptionRecord, result: Transcribed): void {
    this.#transcriptions.complete(id, result, this.#now());
    const { durationMs } = result;
    this.#credits.settle(id, { units: sttUnits(durationMs, includeSpeakers), durationMs });
  }

  #fail(id: string, code: string): void {
    this.#transcriptions.fail(id, code, this.#now());
    this.#credits.release(id);
  }
}
