import type { SpendEstimate } from '../../shared/domain/spend/spend-limit.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, type Result } from '../../shared/result/result.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { ServiceSession } from '../workspace/workspace.ts';

/** The input of a tool, already validated by its schema. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** Facts about a failed call besides its failure: the key to repeat it with, text that arrived. */
export type ToolFacts = Readonly<Record<string, unknown>>;
export type ToolAnswer = Result<object, { readonly failure: Failure; readonly facts: ToolFacts }>;

/** A temporary file with the bytes of a message while they are sent. */
export interface KeptBytes {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly sha256: string;
}

export interface RequestedAction {
  readonly tool: string;
  readonly action: 'spend' | 'delete';
  readonly estimate: SpendEstimate;
  readonly items: readonly string[];
}

/** What tools of the service stand on. */
export interface ServicePorts {
  /** Opened at the first call; a failure explains why it can't be. */
  session(): Promise<Result<ServiceSession>>;
  /** Asks for the user's consent, unless it was given before; E-241, E-242. */
  consent(request: RequestedAction, signal: AbortSignal): Promise<Result<null>>;
  /** A private file with these bytes while `work` runs. */
  withFile<T>(bytes: Uint8Array, ending: string, work: (file: KeptBytes) => Promise<T>): Promise<T>;
  /** A private path to which `work` lets the service write; resolves with its bytes, or null when none came. */
  withTarget<T>(work: (path: string, read: () => Promise<Uint8Array>) => Promise<T>): Promise<T>;
}

export interface ToolCall {
  readonly input: ToolInput;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
}

export const refused = (failure: Failure, facts: ToolFacts = {}): ToolAnswer => err({ failure, facts });

/** Reads fields of an input that its schema has validated. */
export const textOf = (input: ToolInput, name: string): string => String(input[name]);
export const optionalText = (input: ToolInput, name: string): string | undefined =>
  typeof input[name] === 'string' ? input[name] : undefined;
export const numberOf = (input: ToolInput, name: string, otherwise: number): number =>
  typeof input[name] === 'number' ? input[name] : otherwise;

/** The size limit of one message of the tool server, in bytes (contract 4.13, 8). */
export const largestMessage = 10 * 1024 * 1024;

/** E-243 for an answer that does not fit into one message. */
export const tooLarge = (): Failure =>
  makeFailure('E-243', { code: 'message_too_large', outcome: 'not_sent', layer: 'local' });

/** E-243 for a text whose speech would not fit into one message: found before it is paid for. */
export const speechTooLong = (): Failure =>
  makeFailure('E-243', { code: 'speech_too_long', outcome: 'not_sent', layer: 'local' });

/** E-243 for audio that was paid for and does not fit into one message; clients end the connection at a longer one. */
export const answerTooLarge = (requestId: string | null): Failure =>
  makeFailure('E-243', {
    code: 'answer_too_large',
    outcome: 'accepted',
    layer: 'local',
    ...(requestId === null ? {} : { requestId }),
  });
