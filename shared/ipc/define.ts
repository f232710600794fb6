import type { z } from 'zod';

export { lazySchema } from '../domain/lazy-schema.ts';

/** A schema that is created on first use. */
export type Described<T extends z.ZodType = z.ZodType> = () => T;

export interface RequestShape {
  readonly input: Described;
  readonly output: Described;
  /** The largest accepted input, in bytes of its JSON or buffers; 256 KiB by default. */
  readonly maxInputBytes?: number;
}

export interface EventShape {
  readonly payload: Described;
}

export interface StreamShape {
  readonly open: Described;
  /** What the page sends. */
  readonly up: Described;
  /** What main sends. */
  readonly down: Described;
  /** The largest value that the page may send, in bytes of its JSON or buffers; 64 KiB by default. */
  readonly maxUpBytes?: number;
  /** Only while it is open may the page ask the system for the microphone. */
  readonly usesMicrophone?: true;
}

export interface ContractShape {
  readonly requests: Readonly<Record<string, RequestShape>>;
  readonly events: Readonly<Record<string, EventShape>>;
  readonly streams: Readonly<Record<string, StreamShape>>;
}

/** Keeps the literal types of a contract while checking its shape. */
export const defineContract = <const C extends ContractShape>(contract: C): C => contract;
