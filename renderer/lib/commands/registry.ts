import type { CommandId } from '../../../shared/domain/commands/command-list.ts';

type Run = () => void;

/** Which component handles which command. The last registered one wins, because a screen is above the shell. */
export interface CommandRegistry {
  /** Answers how to take it back. */
  readonly register: (id: CommandId, run: Run) => () => void;
  readonly isAvailable: (id: CommandId) => boolean;
  /** Whether anybody was there to run it. */
  readonly run: (id: CommandId) => boolean;
  /** Called after every change of availability. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Another value after every change. */
  readonly version: () => number;
}

export function createCommandRegistry(): CommandRegistry {
  const runs = new Map<CommandId, readonly Run[]>();
  const listeners = new Set<() => void>();
  let version = 0;
  const set = (id: CommandId, list: readonly Run[]) => {
    if (list.length > 0) runs.set(id, list);
    else runs.delete(id);
    version += 1;
    for (const listener of listeners) listener();
  };
  return {
    register(id, run) {
      set(id, [...(runs.get(id) ?? []), run]);
      return () => {
        set(
          id,
          (runs.get(id) ?? []).filter((other) => other !== run),
        );
      };
    },
    isAvailable: (id) => runs.has(id),
    run(id) {
      const run = runs.get(id)?.at(-1);
      run?.();
      return run !== undefined;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    version: () => version,
  };
}
