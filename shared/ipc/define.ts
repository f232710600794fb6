import type { z } from 'zod';

export { described } from '../domain/described.ts';

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

export interface ContractShape {
  readonly requests: Readonly<Record<string, RequestShape>>;
  readonly events: Readonly<Record<string, EventShape>>;
}

/** Keeps the literal types of a contract while checking its shape. */
export const defineContract = <const C extends ContractShape>(contract: C): C => contract;
