import { onTestFinished } from 'vitest';
import type { Connection } from '../../electron/service/connection.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { systemClientClock, type LiveLimits } from '../../electron/service/transport.ts';
import type { DictationEvent, DictationOptions } from '../../electron/api/live/utterance.ts';
import type { DictationSession } from '../../electron/api/live/dictation-session.ts';
import { openServiceClient, type ServiceClient } from '../../electron/service/client.ts';
import { parseFaultPlan } from '../../electron/practice/faults.ts';
import { startPracticeServer, type PracticeOptions, type PracticeServer } from '../../electron/practice/server.ts';
import type { LogEntry } from '../../shared/domain/diagnostics/log-entry.ts';
import type { PaidEnding, PaidIntent } from '../../shared/domain/ledger/paid-action.ts';

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

export interface Dictating {
  readonly session: DictationSession;
  readonly events: readonly DictationEvent[];
  /** The reported events of each kind, in order. */
  readonly of: <K extends DictationEvent['kind']>(kind: K) => readonly Extract<DictationEvent, { kind: K }>[];
  readonly states: () => readonly string[];
}

/** A session that collects its events; ended after the test. */
export function dictate(client: ServiceClient, options: Partial<DictationOptions> = {}): Dictating {
  const events: DictationEvent[] = [];
  const session = client.live.dictate({ language: 'uz', ...options }, (event) => void events.push(event));
  onTestFinished(() => session.abort());
  const of: Dictating['of'] = (kind) =>
    events.filter((event): event is Extract<DictationEvent, { kind: typeof kind }> => event.kind === kind);
  return { session, events, of, states: () => of('state').map(({ state }) => state) };
}

/** Sends audio in frames of 20 ms, like a microphone but faster. */
export function speak(session: DictationSession, pcm: Buffer): void {
  for (let at = 0; at < pcm.length; at += 640) session.push(pcm.subarray(at, at + 640));
}
