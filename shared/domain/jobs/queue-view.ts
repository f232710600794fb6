import { noPace, type Pace } from './time-left.ts';

/** The state of the whole queue in the form pages get. */
export interface QueueView {
  /** The user paused everything; accepted work continues at the service. */
  readonly isHeld: boolean;
  /** 1 to 8. */
  readonly uploadsAtOnce: number;
  /** What finished jobs taught about time. */
  readonly pace: Pace;
}

/** Before any library is open. */
export const noQueue: QueueView = { isHeld: false, uploadsAtOnce: 2, pace: noPace };

/** Actions that can be applied to many rows at once. */
export const rowActions = ['pause', 'go-on', 'retry', 'cancel', 'undo-cancel', 'remove'] as const;
export type RowAction = (typeof rowActions)[number];
