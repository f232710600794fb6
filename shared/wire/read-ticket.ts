import { fieldsOf, readNamed } from './values.ts';

/** What opens one live stream once (contract 2.6). The address comes without the ticket. */
export interface ReadTicket {
  readonly ticket: string;
  readonly service: string | null;
  readonly expiresAt: string | null;
  readonly websocketUrl: string | null;
}

/** A ticket; null when there is none. */
export function readTicket(body: unknown): ReadTicket | null {
  const source = readNamed(body, ['realtime_ticket'], ['ticket']);
  if (source === null) return null;
  const { text, moment } = fieldsOf(source);
  const ticket = text('ticket');
  return ticket === null
    ? null
    : { ticket, service: text('service'), expiresAt: moment('expires_at'), websocketUrl: text('websocket_url') };
}
