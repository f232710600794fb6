import { channels, type EventPayload } from '../../shared/ipc/derive.ts';
import type { ContractShape } from '../../shared/ipc/define.ts';

/** A listening page; Electron's `WebContents` is one. */
export interface EventTarget {
  isDestroyed(): boolean;
  send(channel: string, message: unknown): void;
}

/** What travels on the event channel. */
export interface EventMessage {
  readonly event: string;
  readonly payload: unknown;
}

/** Sends to every page that we opened. Producers limit how often they emit; nothing is queued for a closed page. */
export function createEventHub<const C extends ContractShape>(targets: () => Iterable<EventTarget>) {
  return {
    emit<E extends keyof C['events'] & string>(event: E, payload: EventPayload<C, E>): void {
      const message: EventMessage = { event, payload };
      for (const target of targets()) if (!target.isDestroyed()) target.send(channels.event, message);
    },
  };
}

export type EventHub<C extends ContractShape> = ReturnType<typeof createEventHub<C>>;
