import { asFilledText } from './values.ts';

/** Every documented state, by the kind of thing (contract 3). Unknown states mean "not finished". */
export const serviceStates = {
  'api-key': ['enabled', 'disabled', 'revoked', 'removed'],
  webhook: ['enabled', 'disabled'],
  delivery: ['pending', 'delivering', 'retrying', 'succeeded', 'failed', 'canceled'],
  enrollment: ['transcript_review', 'details_pending', 'verification_pending', 'ready'],
  verification: ['not_started', 'passed'],
  'legacy-task': ['PENDING', 'SUCCESS', 'FAILED'],
  transcription: ['queued', 'completed', 'failed'],
  'isolation-audio': ['completed'],
  dictation: ['connected', 'ready', 'started', 'finished', 'cancelled'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type StateMachine = keyof typeof serviceStates;

/** A reported state; `known: false` keeps a word of a newer service, and means "not finished". */
export type ReadState<M extends StateMachine> =
  | { readonly known: true; readonly state: (typeof serviceStates)[M][number] }
  | { readonly known: false; readonly raw: string };

/** The state of a thing, ignoring case; null when there is no word at all. */
export function readState<M extends StateMachine>(machine: M, value: unknown): ReadState<M> | null {
  const word = asFilledText(value)?.slice(0, 64);
  if (word === undefined) return null;
  const states: readonly (typeof serviceStates)[M][number][] = serviceStates[machine];
  const state = states.find((known) => known.toLowerCase() === word.toLowerCase());
  return state === undefined ? { known: false, raw: word } : { known: true, state };
}
