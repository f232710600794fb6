import type { CommandId } from '../../../shared/domain/commands/command-list.ts';

type Run = () => void;

interface Handler {
  readonly run: Run;
  readonly place: number;
  readonly name: string | null;
}

/** Which component handles which command. The one with the latest place wins, because a screen is above the shell. */
export interface CommandRegistry {
  /**
   * A place above all earlier ones. A component takes it when it is shown and keeps it while its commands come and go;
   * otherwise a component of the background would come before the screen whenever one of its commands changes.
   */
  readonly takePlace: () => number;
  /** Answers how to take it back. A command with a `name` is called that instead of its title. */
  readonly register: (id: CommandId, run: Run, place: number, name?: string | null) => () => void;
  readonly isAvailable: (id: CommandId) => boolean;
  /** What the command is called now, if not by its title. */
  readonly nameOf: (id: CommandId) => string | null;
  /** Whether anybody was there to run it. */
  readonly run: (id: CommandId) => boolean;
  /** Called after every change of availability or of a name. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Another value after every change. */
  readonly version: () => number;
}

export function createCommandRegistry(): CommandRegistry {
  const handlers = new Map<CommandId, readonly Handler[]>();
  const listeners = new Set<() => void>();
  let version = 0;
  let places = 0;
  const set = (id: CommandId, list: readonly Handler[]) => {
    if (list.length > 0) handlers.set(id, list);
    else handlers.delete(id);
    version += 1;
    for (const listener of listeners) listener();
  };
  return {
    takePlace: () => (places += 1),
    register(id, run, place, name = null) {
      const handler = { run, place, name };
      set(
        id,
        [...(handlers.get(id) ?? []), handler].toSorted((one, other) => one.place - other.place),
      );
      return () => {
        set(
          id,
          (handlers.get(id) ?? []).filter((other) => other !== handler),
        );
      };
    },
    isAvailable: (id) => handlers.has(id),
    nameOf: (id) => handlers.get(id)?.at(-1)?.name ?? null,
    run(id) {
      const handler = handlers.get(id)?.at(-1);
      handler?.run();
      return handler !== undefined;
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
