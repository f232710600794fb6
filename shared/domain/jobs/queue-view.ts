import { noPace, type Pace } from './time-left.ts';

/** What holds for the queue as a whole, as a page knows it. */
export interface QueueView {
  /** A person paused everything; what is at the service goes on there. */
  readonly isHeld: boolean;
  /** 1 to 8. */
  readonly uploadsAtOnce: number;
  /** What finished jobs taught about time. */
  readonly pace: Pace;
}

/** Before any library is open. */
export const noQueue: QueueView = { isHeld: false, uploadsAtOnce: 2, pace: noPace };

/** What a person can ask of many rows at once. */
export const rowActions = ['pause', 'go-on', 'retry', 'cancel', 'undo-cancel', 'remove'] as const;
export type RowAction = (typeof rowActions)[number];
