import type { z } from 'zod';

export interface RequestShape {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** The largest input that is let in, in bytes of its JSON or buffers; 256 KiB unless told. */
  readonly maxInputBytes?: number;
}

export interface EventShape {
  readonly payload: z.ZodType;
}

export interface ContractShape {
  readonly requests: Readonly<Record<string, RequestShape>>;
  readonly events: Readonly<Record<string, EventShape>>;
}

/** Keeps the literal types of a contract while checking its shape. */
export const defineContract = <const C extends ContractShape>(contract: C): C => contract;
