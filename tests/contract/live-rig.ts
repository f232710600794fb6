import { onTestFinished } from 'vitest';
import type { Connection } from '../../electron/service/connection.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { systemClientClock, type LiveLimits } from '../../electron/service/transport.ts';
import { openServiceClient, type ServiceClient } from '../../electron/service/client.ts';
import { parseFaultPlan } from '../../electron/practice/faults.ts';
import { PhraseSender } from '../../electron/services/dictation/phrase-sender.ts';
import { startPracticeServer, type PracticeOptions, type PracticeServer } from '../../electron/practice/server.ts';
import type { LogEntry } from '../../shared/domain/diagnostics/log-entry.ts';
import type { SendingState } from '../../shared/domain/dictation/take-view.ts';
import { Take } from '../../shared/domain/dictation/take.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { PaidEnding, PaidIntent } from '../../shared/domain/ledger/paid-action.ts';
import type { ReceivedTranscript } from '../../shared/domain/transcript/received.ts';
import type { Failure } from '../../shared/result/failure.ts';

/** A practice service with planned faults, closed after the test. */
export async function practice(rules: readonly unknown[] = [], options: PracticeOptions = {}): Promise<PracticeServer> {
  const plan = parseFaultPlan({ rules });
  if (!plan.ok) throw new Error(plan.error);
  const server = await startPracticeServer({ ...options, faultPlan: plan.value });
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => (closing ??= server.close());
  onTestFinished(close);
  return { ...server, close };
}

export interface LiveRig extends ServiceClient {
  readonly lines: readonly LogEntry[];
  readonly begun: readonly PaidIntent[];
  readonly ended: readonly (PaidEnding & { readonly id: string })[];
}

/** A complete client as the app creates it, with its log and its ledger; closed after the test. */
export function liveClient(
  server: Pick<PracticeServer, 'url'> & Partial<PracticeServer>,
  liveLimits: Partial<LiveLimits> = {},
  more: Partial<Connection> = {},
  /** How many times faster than usual every wait of the client ends. */
  pace = 1,
  isFree = false,
): LiveRig {
  const lines: LogEntry[] = [];
  const begun: PaidIntent[] = [];
  const ended: (PaidEnding & { readonly id: string })[] = [];
  const client = openServiceClient({
    connection: () => ({
      kind: 'practice',
      baseUrl: server.url,
      key: new Secret(server.token ?? 'sk_test_CANARY_0123456789abcdef'),
      legacyKey: new Secret(server.legacyToken ?? 'old_CANARY_0123456789abcdef'),
      ...(server.callHost === undefined ? {} : { grpcHost: server.callHost }),
      ...more,
    }),
    log: { write: (entry) => void lines.push(entry) },
    allowsLoopbackHttp: true,
    random: () => 0,
    clock: { ...systemClientClock, after: (ms, callback) => systemClientClock.after(ms / pace, callback) },
    liveLimits,
    isFree,
    ledger: {
      begin: (intent) => {
        begun.push(intent);
        return { ok: true, value: null };
      },
      end: (id, ending) => void ended.push({ ...ending, id }),
      report: () => undefined,
    },
  });
  onTestFinished(() => client.close());
  return { ...client, lines, begun, ended };
}

interface Lost {
  readonly utterance: number;
}

type DictationEvent =
  | { readonly kind: 'state'; readonly state: SendingState['kind'] | 'ended'; readonly failure: Failure | null }
  | {
      readonly kind: 'final';
      readonly utterance: number;
      readonly result: ReceivedTranscript;
      readonly answeredMs: number;
      readonly isPerhapsCountedTwice: boolean;
    }
  | { readonly kind: 'empty'; readonly utterance: number; readonly why: 'no-speech' | 'too-short' }
  | { readonly kind: 'failed'; readonly lost: Lost; readonly failure: Failure }
  /** The last event. `failure` is null when all texts came. */
  | { readonly kind: 'ended'; readonly failure: Failure | null; readonly lost: readonly Lost[] };

export type Dictating = ReturnType<typeof dictate>;

/** A take whose phrases a test begins and ends itself; it collects what happens to them, and ends after the test. */
export function dictate(client: ServiceClient) {
  const events: DictationEvent[] = [];
  const take = new Take();
  const audio: Buffer[] = [];
  const done = Promise.withResolvers<void>();
  let [isStopping, isEnded, committedAtMs] = [false, false, 0];
  const end = (failure: Failure | null): void => {
    if (isEnded) return;
    isEnded = true;
    sender.close();
    const lost = take.phrases.filter(({ state }) => state === 'waiting' || state === 'speaking');
    events.push({ kind: 'state', state: 'ended', failure });
    events.push({ kind: 'ended', failure, lost: lost.map(({ id }) => ({ utterance: id })) });
    done.resolve();
  };
  const endWhenDone = (): void => {
    if (isStopping && take.nextToSend(true) === undefined && !sender.isAnswerDue) end(null);
  };
  const sender = new PhraseSender(
    {
      live: client.live.dictation,
      read: (from, to) => Buffer.concat(audio).subarray(from * 2, to * 2),
      triesAgain: false,
      sendsOpen: true,
      onText: (utterance, result) => {
        const { from, to, unanswered } = take.phrase(utterance)!;
        const audioMs = ((to ?? from) - from) / 16;
        take.settle(utterance, result === null ? null : { language: 'uz', received: result });
        const answeredMs = performance.now() - committedAtMs;
        if (result === null) events.push({ kind: 'empty', utterance, why: audioMs < 100 ? 'too-short' : 'no-speech' });
        else events.push({ kind: 'final', utterance, result, answeredMs, isPerhapsCountedTwice: unanswered > 0 });
        endWhenDone();
      },
      onFailed: (utterance, failure) => {
        take.change(utterance, { state: 'failed' });
        events.push({ kind: 'failed', lost: { utterance }, failure });
        endWhenDone();
      },
      onOwed: (id, by) => {
        if (by > 0) committedAtMs = performance.now();
        take.change(id, { unanswered: (take.phrase(id)?.unanswered ?? 0) + by });
      },
      onState: (state) => {
        const { failure = null } = state;
        if (state.kind !== 'stopped') events.push({ kind: 'state', state: state.kind, failure });
        if (state.kind === 'stopped' || (state.kind === 'held' && isStopping)) end(failure);
      },
    },
    take,
  );
  const open = () => take.phrases.find(({ state }) => state === 'speaking');
  const session = {
    push(pcm: Uint8Array): boolean {
      if (isEnded || isStopping) return false;
      if (open() === undefined) take.cut([{ kind: 'open', from: take.captured }], 'uz');
      audio.push(Buffer.from(pcm));
      take.capture(pcm.length / 2);
      sender.pump();
      return true;
    },
    commit(): void {
      const { from } = open() ?? {};
      if (from !== undefined) take.cut([{ kind: 'close', from, to: take.captured, hasSpeech: true }], 'uz');
      sender.pump();
    },
    interrupt(): void {
      const { id } = take.change(open()!.id, { to: take.captured, state: 'discarded' });
      sender.withdraw(id);
    },
    goOn: () => sender.tryNow(),
    stop(): Promise<void> {
      isStopping = true;
      this.commit();
      endWhenDone();
      return done.promise;
    },
    abort: () => end(makeFailure('live-text-stopped', { code: 'cancelled' })),
  };
  sender.open();
  onTestFinished(() => session.abort());
  const of = <K extends DictationEvent['kind']>(kind: K) =>
    events.filter((event): event is Extract<DictationEvent, { kind: K }> => event.kind === kind);
  return { session, events, of, states: () => of('state').map(({ state }) => state) };
}

/** Sends audio in frames of 20 ms, like a microphone but faster. */
export function speak(session: Dictating['session'], pcm: Buffer): void {
  for (let at = 0; at < pcm.length; at += 640) session.push(pcm.subarray(at, at + 640));
}
