import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { assertNever, err, ok, type Result } from '../../../shared/result/result.ts';
import type { Connection } from '../../service/connection.ts';
import { Secret } from '../../secret/secret.ts';
import type { SettingsStore } from '../settings/stored-settings.ts';

/** Where models are: those that the app keeps, and one that is used for every language, whatever it is. */
export interface ModelPlaces {
  readonly kept: string;
  readonly chosen: string | null;
}

/** It ends when this process ends, because the pipe closes. */
export interface PracticeProcess {
  readonly url: string;
  /** Sent over the pipe; never in arguments, environment or files (S-52). */
  readonly token: string;
  readonly accessToken: string;
  readonly legacyToken: string;
  readonly callHost: string;
  readonly exited: Promise<number | null>;
  pause(isPaused: boolean): void;
  stop(): Promise<void>;
}

export type StartPractice = (options: {
  readonly stateDir: string;
  readonly models?: ModelPlaces;
}) => Promise<Result<PracticeProcess>>;

export const practiceArguments = ({ stateDir, models }: Parameters<StartPractice>[0]): string[] => [
  '--state-dir',
  stateDir,
  ...(models === undefined ? [] : ['--models', models.kept]),
  ...(models?.chosen == null ? [] : ['--model', models.chosen]),
];

export type PracticeMessage =
  | ({ readonly type: 'ready' } & Omit<PracticeProcess, 'exited' | 'pause' | 'stop'>)
  | { readonly type: 'failed'; readonly code: string };

export interface PracticeOrder {
  readonly type: 'pause';
  readonly isPaused: boolean;
}

type State =
  | { readonly tag: 'off' }
  | { readonly tag: 'starting'; readonly done: Promise<Result<null>> }
  | { readonly tag: 'running'; readonly process: PracticeProcess; readonly connection: Connection }
  | { readonly tag: 'failed' };

export type PracticeState = State['tag'];

/** A crash this long after the last one counts as a new one, not as the same one again. */
const calmMs = 5 * 60_000;

interface PracticeSupervisorOptions {
  readonly start: StartPractice;
  readonly stateDir: string;
  readonly models?: ModelPlaces;
  readonly now: () => number;
}

/** Restarted once after an unexpected end; it never falls back to the real service (F-56). */
export function createPracticeSupervisor({ start, stateDir, models, now }: PracticeSupervisorOptions) {
  const listeners = new Set<() => void>();
  let state: State = { tag: 'off' };
  let lastEndMs = -Infinity;
  let isPaused = false;

  const enter = (next: State) => {
    state = next;
    for (const listener of listeners) listener();
  };

  const launch = (): Promise<Result<null>> => {
    const starting: State = {
      tag: 'starting',
      done: start({ stateDir, ...(models === undefined ? {} : { models }) }).then(
        async (started): Promise<Result<null>> => {
          if (state !== starting) {
            if (started.ok) await started.value.stop();
            return err(makeFailure('practice-not-started', { code: 'practice_stopped' }));
          }
          if (!started.ok) {
            enter({ tag: 'failed' });
            return err(makeFailure('practice-not-started', { code: started.error.code }));
          }
          const { url, token, accessToken, legacyToken, callHost } = started.value;
          const connection: Connection = {
            kind: models === undefined ? 'practice' : 'local',
            baseUrl: url,
            key: new Secret(token),
            accessToken: new Secret(accessToken),
            legacyKey: new Secret(legacyToken),
            grpcHost: callHost,
          };
          if (isPaused) started.value.pause(true);
          enter({ tag: 'running', process: started.value, connection });
          void started.value.exited.then((code) => noteEnd(started.value, code));
          return ok(null);
        },
      ),
    };
    enter(starting);
    return starting.done;
  };

  const noteEnd = (ended: PracticeProcess, code: number | null) => {
    if (state.tag !== 'running' || state.process !== ended) return;
    // It ended by itself, to give its memory back.
    if (code === 0) {
      void launch();
      return;
    }
    const isSecond = now() - lastEndMs < calmMs;
    lastEndMs = now();
    if (isSecond) enter({ tag: 'failed' });
    else void launch();
  };

  return {
    state: (): PracticeState => state.tag,
    connection: (): Connection | null => (state.tag === 'running' ? state.connection : null),
    onChanged(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async ensureRunning(): Promise<Result<null>> {
      switch (state.tag) {
        case 'running':
          return ok(null);
        case 'starting':
          return state.done;
        case 'off':
        case 'failed':
          return launch();
        default:
          return assertNever(state);
      }
    },
    /** Recordings wait before their next piece, or go on; also those of a process that starts later. */
    pause(pauses: boolean): void {
      isPaused = pauses;
      if (state.tag === 'running') state.process.pause(pauses);
    },
    /** Resolves when no process of it is left, including one that was about to start. */
    async stop(): Promise<void> {
      const last = state;
      if (last.tag === 'off') return;
      enter({ tag: 'off' });
      if (last.tag === 'running') await last.process.stop();
      else if (last.tag === 'starting') await last.done;
    },
  };
}

export type PracticeSupervisor = ReturnType<typeof createPracticeSupervisor>;

export interface PowerSource {
  isOnBattery(): boolean;
  onChanged(listener: () => void): void;
}

/** `apply` gets every change, and the state at the beginning. */
export function createBatteryPause(
  settings: SettingsStore,
  power: PowerSource | null,
  apply: (isPaused: boolean) => void,
): { readonly isPaused: () => boolean } {
  const isPaused = (): boolean => settings.get().pausesOnBattery && power?.isOnBattery() === true;
  let last = false;
  const look = (): void => {
    if (isPaused() === last) return;
    last = !last;
    apply(last);
  };
  settings.onChanged(look);
  power?.onChanged(look);
  look();
  return { isPaused };
}
