import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import {
  newJobRecord,
  type AnswerFacts,
  type JobCommand,
  type JobEvent,
  type JobRecord,
  type Step,
} from '../../shared/domain/jobs/job-state.ts';
import { recover, transition } from '../../shared/domain/jobs/machine.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { ModelService, type Made } from './model-service.ts';

export interface Item {
  memory: JobRecord;
  /** The next actions and their times; lost in a crash. */
  due: { readonly command: JobCommand; readonly atMs: number } | null;
  content: number;
  consents: number;
  /** A user action that excuses it from being done in the end. */
  isDisturbed: boolean;
  refused: boolean;
  notBeforeMs: number;
}

type Account = 'a' | 'b';

/**
 * Items, an unreliable service, a computer that crashes, and a user, all driven by one sequence of random numbers.
 * Every step checks what must never happen; `problems` lists the violations.
 */
export class World {
  readonly items: Item[];
  readonly accounts: Readonly<Record<Account, ModelService>> = { a: new ModelService(), b: new ModelService() };
  readonly problems: string[] = [];
  readonly counts = { sends: 0, lost: 0, kills: 0, refusals: 0 };
  readonly #random: () => number;
  #account: Account = 'a';
  #isCalm = false;
  #keys = 0;
  #nowMs = 1_700_000_000_000;

  constructor(random: () => number, itemCount: number) {
    this.#random = random;
    this.items = Array.from({ length: itemCount }, () => ({
      memory: newJobRecord,
      due: { command: { type: 'prepare' as const }, atMs: 0 },
      content: 1,
      consents: 0,
      isDisturbed: false,
      refused: false,
      notBeforeMs: 0,
    }));
  }

  #chance(probability: number): boolean {
    return !this.#isCalm && this.#random() < probability;
  }

  #pick(count: number): number {
    return Math.floor(this.#random() * count);
  }

  /** One event happens. */
  step(): void {
    this.#nowMs += this.#pick(3000);
    if (this.#chance(0.004)) this.#nowMs += this.#pick(30) * 3_600_000;
    if (this.#chance(0.01)) return this.#kill();
    if (this.#chance(0.003)) this.#account = this.#account === 'a' ? 'b' : 'a';
    const at = this.#pick(this.items.length);
    const item = this.items[at];
    if (item === undefined) return;
    if (this.#chance(0.06)) this.#person(item);
    else this.#work(item, at);
  }

  /** No more faults: every item that can finish does so, by free steps alone. */
  calmDown(): void {
    this.#isCalm = true;
    for (let round = 0; round < 400; round += 1) {
      for (const [at, item] of this.items.entries()) {
        const { state, intent } = item.memory;
        this.#account = intent?.boundTo === 'b' ? 'b' : 'a';
        if (state.tag === 'blocked') this.#apply(item, { type: 'unblock' });
        else if (round < 6 && (state.tag === 'needs-user' || state.tag === 'paused')) {
          this.#apply(item, { type: 'retry', consent: false });
        }
        this.#nowMs = Math.max(this.#nowMs + 1000, item.due?.atMs ?? 0);
        this.#work(item, at);
      }
    }
  }

  #kill(): void {
    this.counts.kills += 1;
    for (const item of this.items) {
      item.due = null;
      this.#take(item, recover(item.memory));
    }
  }

  #person(item: Item): void {
    const what = this.#pick(7);
    if (what === 0) {
      item.isDisturbed = true;
      this.#apply(item, { type: 'cancel' });
    } else if (what === 1) {
      const { tag } = item.memory.state;
      const before = item.memory.intent?.idempotencyKey;
      this.#apply(item, { type: 'retry', consent: true });
      if (tag !== item.memory.state.tag || before !== item.memory.intent?.idempotencyKey) item.consents += 1;
    } else if (what === 2) {
      item.content += 1;
      item.isDisturbed = true;
    } else if (what === 3) this.#apply(item, { type: 'pause', sentBytes: 5 });
    else if (what === 4) this.#apply(item, { type: 'unpause' });
    else if (what === 5) this.#apply(item, { type: 'unblock', isItsOwn: this.#chance(0.5) });
    else this.#apply(item, { type: 'retry', consent: false });
  }

  #apply(item: Item, event: JobEvent): void {
    const step = transition(item.memory, event, this.#nowMs);
    if (step.job === item.memory && step.commands.length === 0) return;
    if (event.type === 'retry' || event.type === 'unblock' || event.type === 'unpause') {
      item.refused = false;
      item.notBeforeMs = 0;
    }
    this.#take(item, step);
  }

  /** The step is on disk before it has an effect. */
  #take(item: Item, step: Step): void {
    item.memory = step.job;
    for (const command of step.commands) {
      const atMs =
        command.type === 'wake' ? command.atMs : 'delayMs' in command ? this.#nowMs + command.delayMs : this.#nowMs;
      item.due = command.type === 'abort' ? null : { command, atMs };
    }
  }

  #work(item: Item, at: number): void {
    const { state, attempt } = item.memory;
    if (state.tag === 'prepared') {
      this.#apply(item, { type: 'go', boundTo: this.#account });
      // Bytes are sent in the turn in which the request was stored, or the computer crashes just then.
      if (item.memory.state.tag === 'sending') {
        if (this.#chance(0.02)) this.#kill();
        else this.#work(item, at);
      }
      return;
    }
    if (item.due === null || item.due.atMs > this.#nowMs) return;
    const { command } = item.due;
    item.due = null;
    const roll = this.#random();
    const fails = (type: 'prepare-failed' | 'send-failed' | 'poll-failed' | 'look-failed', failure: Failure): void =>
      this.#apply(item, { type, attempt, failure, roll });
    switch (command.type) {
      case 'abort':
        return;
      case 'wake':
        return this.#apply(item, { type: 'woke', attempt });
      case 'prepare':
        if (this.#chance(0.03)) return fails('prepare-failed', makeFailure('file-unreadable'));
        this.#keys += 1;
        return this.#apply(item, {
          type: 'hashed',
          attempt,
          sha256: `sha-${at}-${item.content}`,
          sizeBytes: item.content,
          mtimeMs: item.content,
          freshKey: `key-${this.#keys}`,
          duplicate: null,
        });
      case 'send':
        return this.#send(item, at, fails);
      case 'look': {
        if (this.#chance(0.2)) return fails('look-failed', makeFailure('connection-slow'));
        const found = this.accounts[this.#account].newestOf(at);
        return this.#apply(item, { type: 'looked', attempt, remoteId: found?.id ?? null });
      }
      case 'poll':
      case 'fetch': {
        if (this.#chance(0.15)) return fails('poll-failed', makeFailure('connection-slow'));
        const made = this.accounts[this.#account].find(item.memory.intent?.remoteId ?? null);
        if (made === undefined || made.item !== at || this.#chance(0.02)) {
          return fails('poll-failed', makeFailure('job-not-found', { status: 404 }));
        }
        made.readsLeft -= 1;
        return this.#apply(item, { type: 'polled', attempt, answer: factsOf(made, made.readsLeft <= 0) });
      }
    }
  }

  #send(item: Item, at: number, fails: (type: 'send-failed', failure: Failure) => void): void {
    const { intent, state, attempt } = item.memory;
    if (intent === null || state.tag !== 'sending') {
      this.problems.push(`I4: item ${at} was told to send without a stored intent`);
      return;
    }
    // The client checks the file once more before it opens a socket.
    if (intent.mtimeMs !== item.content) return fails('send-failed', makeFailure('file-changed'));
    if (this.#chance(0.06)) return fails('send-failed', makeFailure('service-unreachable'));
    this.counts.sends += 1;
    if (item.refused) this.problems.push(`I7: item ${at} was sent again after it was refused`);
    if (this.#nowMs < item.notBeforeMs) this.problems.push(`I7: item ${at} came back before its time`);
    if (this.#chance(0.06)) return this.#refuse(item, fails);
    if (this.#chance(0.1)) return this.#lose(fails);
    if (this.#chance(0.03)) return this.#page(item);
    // The connection is chosen in the same turn as the request is stored: no change of key can fall between.
    const service = this.accounts[intent.boundTo === 'b' ? 'b' : 'a'];
    const made = service.accept(intent.idempotencyKey, intent.sha256, at, this.#nowMs, this.#pick(4));
    if (made === null) {
      this.problems.push(`I2: item ${at} used its key for other content`);
      return;
    }
    if (this.#chance(0.15)) return this.#lose(fails);
    if (this.#chance(0.03)) return this.#page(item);
    const isWithoutId = this.#chance(0.03);
    const facts = factsOf(made, made.readsLeft <= 0);
    const answer = isWithoutId ? { ...facts, remoteId: null, text: null, status: 'queued' as const } : facts;
    this.#apply(item, { type: 'answered', attempt, answer });
  }

  #lose(fails: (type: 'send-failed', failure: Failure) => void): void {
    this.counts.lost += 1;
    const failure = this.#chance(0.3)
      ? makeFailure('server-error', { status: 500 })
      : makeFailure('connection-dropped');
    fails('send-failed', failure);
  }

  /** A scanner or a proxy answers instead of the service, which may have accepted the recording or not. */
  #page(item: Item): void {
    this.counts.lost += 1;
    const failure = makeFailure('web-page-answered', { status: 200, envelope: 'html' });
    const { attempt } = item.memory;
    this.#apply(item, { type: 'send-failed', attempt, failure, roll: this.#random(), isItsOwn: this.#chance(0.6) });
  }

  #refuse(item: Item, fails: (type: 'send-failed', failure: Failure) => void): void {
    this.counts.refusals += 1;
    const what = this.#pick(5);
    if (what <= 1) {
      const retryAfterMs = this.#pick(120_000);
      item.notBeforeMs = this.#nowMs + retryAfterMs;
      return fails('send-failed', makeFailure('rate-limited-until', { status: 429, retryAfterMs }));
    }
    item.refused = true;
    const refusals = [makeFailure('credits-exhausted', { status: 402 }), makeFailure('key-refused', { status: 401 })];
    item.isDisturbed ||= what === 4;
    fails('send-failed', refusals[what - 2] ?? makeFailure('file-too-large', { status: 413 }));
  }
}

const factsOf = (made: Made, isFinished: boolean): AnswerFacts => ({
  remoteId: made.id,
  status: isFinished ? 'completed' : 'processing',
  rawStatus: null,
  hasRawAnswer: true,
  errorCode: null,
  requestId: null,
  result: isFinished ? { transcriptId: `text of ${made.id}`, speakerCount: 1 } : null,
});
