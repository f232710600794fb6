/** How a value of `Failure.params` is to be written for a person. */
export type FailureParamKind = 'text' | 'bytes' | 'wait-ms' | 'date-ms';

/** Every name that the words of a row may mention, with the unit its value carries. */
export const failureParamKinds = {
  name: 'text',
  size: 'bytes',
  need: 'bytes',
  free: 'bytes',
  wait: 'wait-ms',
  date: 'date-ms',
  permission: 'text',
  fields: 'text',
  word: 'text',
  suffix: 'text',
} as const satisfies Record<string, FailureParamKind>;

export type FailureParamName = keyof typeof failureParamKinds;
