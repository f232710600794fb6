import type { z } from 'zod';

export { lazySchema } from '../domain/lazy-schema.ts';

/** A shape that is described when it is first asked for. */
export type Described<T extends z.ZodType = z.ZodType> = () => T;

export interface RequestShape {
  readonly input: Described;
  readonly output: Described;
  /** The largest input that is let in, in bytes of its JSON or buffers; 256 KiB unless told. */
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
  /** The largest value that the page may send, in bytes of its JSON or buffers; 64 KiB unless told. */
  readonly maxUpBytes?: number;
  /** While it is open, and no longer, the page may ask the system for the microphone. */
  readonly usesMicrophone?: true;
}

export interface ContractShape {
  readonly requests: Readonly<Record<string, RequestShape>>;
  readonly events: Readonly<Record<string, EventShape>>;
  readonly streams: Readonly<Record<string, StreamShape>>;
}

/** Keeps the literal types of a contract while checking its shape. */
export const defineContract = <const C extends ContractShape>(contract: C): C => contract;
