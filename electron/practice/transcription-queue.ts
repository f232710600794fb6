import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { HeardWord } from '../recogniser/greedy-words.ts';
import type { Recogniser } from '../recogniser/recogniser.ts';
import type { Analyst } from './analyst.ts';
import { release, settle, sttUnits } from './credits.ts';
import { transcribe, type Transcribed } from './samples.ts';
import type { Services } from './services.ts';
import { get } from './state.ts';
import {
  acceptedPath,
  addPiece,
  complete,
  dropPieces,
  readPieces,
  type StoredSegment,
  type Transcription,
} from './transcriptions.ts';

/** A silence this long ends a segment; a shorter one does when the segment is long already. */
const pauseMs = 700;
const breathMs = 250;
const longMs = 10_000;
const longestMs = 20_000;

/** Works on one long recording after another. All that matters is on disk, so a restart resumes it. */
export class TranscriptionQueue {
  readonly #analyst: Analyst;
  readonly #services: Services;
  readonly #stop = new AbortController();
  #current: { readonly id: string; readonly controller: AbortController } | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(analyst: Analyst, services: Services) {
    this.#analyst = analyst;
    this.#services = services;
  }

  resume(): void {
    for (const { id, status } of Object.values(this.#services.state.transcriptions))
      if (status === 'queued' || status === 'processing') this.add(id);
  }

  add(id: string): void {
    this.#running = this.#running.then(() => this.#work(id));
  }

  /** Ends the work on one that was deleted. */
  cancel(id: string): void {
    if (this.#current?.id === id) this.#current.controller.abort();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#current?.controller.abort();
    await this.#running;
  }

  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  async #work(id: string): Promise<void> {
    const services = this.#services;
    const { state, pace, recogniser, now } = services;
    const record = get(state.transcriptions, id);
    if (record === null) return;
    await this.#pause(Math.max(0, record.createdAtMs + pace.queuedMs - now()));
    // It may have been deleted while it waited.
    if (get(state.transcriptions, id) === null || this.#stop.signal.aborted) return;
    Object.assign(record, { status: 'processing', updatedAtMs: now() });
    const path = acceptedPath(services, id);
    if (recogniser !== null) return this.#recognise(recogniser, record, path);
    const [outcome] = await Promise.all([this.#analyst.analyse(path), this.#pause(pace.processingMs)]);
    // A shutdown ends the decoder's thread, which looks like a bad file: the next start repeats this work.
    if (this.#stop.signal.aborted) return;
    const planned = services.failureOf(id, 'queue');
    if (planned !== null) this.#fail(record, planned);
    else if (outcome.kind === 'measured') this.#complete(record, transcribe(outcome.sound, record));
    else this.#fail(record, outcome.kind === 'undecodable' ? outcome.code : 'internal_error');
    await rm(path, { force: true });
  }

  /** Each piece is on disk before the next begins, so a restart repeats at most one. */
  async #recognise(recogniser: Recogniser, record: Transcription, path: string): Promise<void> {
    const { id, language } = record;
    const services = this.#services;
    const controller = new AbortController();
    this.#current = { id, controller };
    record.model = (await recogniser.modelLabel(language)) ?? record.model;
    let durationMs = 0;
    let ends: readonly number[] = [];
    let done = readPieces(services, id).length;
    const outcome = await recogniser.hearFile(
      { path, language, done },
      {
        onPlan: (plan) => {
          durationMs = plan.durationMs;
          ends = plan.pieces.map(({ endMs }) => endMs);
          record.durationMs = durationMs;
        },
        onPiece: (words) => {
          if (controller.signal.aborted) return;
          addPiece(services, id, { words, heardMs: ends[done] ?? durationMs });
          done += 1;
        },
      },
      controller.signal,
    );
    this.#current = null;
    if (outcome.kind === 'canceled' || this.#stop.signal.aborted) return;
    if (outcome.kind === 'failed') this.#fail(record, outcome.code);
    else {
      const words = readPieces(services, id).flatMap((piece) => piece.words);
      this.#complete(record, { language, durationMs, segments: segmentsOf(words) });
    }
    dropPieces(services, id);
    await rm(path, { force: true });
  }

  #complete(record: Transcription, result: Transcribed): void {
    const services = this.#services;
    // It may have been deleted at the last moment.
    if (get(services.state.transcriptions, record.id) === null) return;
    complete(record, result, services);
    settle(services.state, record.id, sttUnits(result.durationMs, record.includeSpeakers), result.durationMs);
    services.save();
  }

  #fail(record: Transcription, errorCode: string): void {
    const { state, save, now } = this.#services;
    Object.assign(record, { status: 'failed', errorCode, updatedAtMs: now() });
    release(state, record.id);
    save();
  }
}

/** The segments of a text without full stops: they end where the speaker pauses. */
function segmentsOf(words: readonly HeardWord[]): readonly StoredSegment[] {
  const segments: { startMs: number; endMs: number; words: HeardWord[] }[] = [];
  for (const word of words) {
    const open = segments.at(-1);
    const gapMs = open === undefined ? Infinity : word.startMs - open.endMs;
    const lengthMs = open === undefined ? 0 : word.endMs - open.startMs;
    if (open === undefined || gapMs >= pauseMs || (gapMs >= breathMs && lengthMs > longMs) || lengthMs > longestMs)
      segments.push({ startMs: word.startMs, endMs: word.endMs, words: [word] });
    else {
      open.endMs = word.endMs;
      open.words.push(word);
    }
  }
  return segments.map((segment) => ({ ...segment, text: segment.words.map(({ text }) => text).join(' ') }));
}
