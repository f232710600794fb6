import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import { Secret } from '../../secret/secret.ts';
import type { Caller } from '../http/resource-call.ts';
import { fieldsOf, readNamed } from '../../../shared/wire/values.ts';

/** Opens one stream once; requested just before use and never used again. */
export interface Ticket {
  readonly ticket: Secret;
  /** RFC 3339; null when the answer does not say. */
  readonly expiresAt: string | null;
  /** Judged before use, like every address from the service; null: the documented route. */
  readonly websocketUrl: string | null;
}

export interface TicketApi {
  ticket(service: 'stt' | 'tts', signal?: AbortSignal): Promise<Result<Ticket, Failure>>;
}

/** Tickets for live streams (contract 4.9). */
export function createTicketApi(caller: Caller): TicketApi {
  return {
    async ticket(service, signal) {
      const read = await caller.read('realtime.ticket', readTicket, {
        json: { transport: 'websocket', service },
        ...(service === 'tts' ? { permission: 'tts_realtime: access' } : {}),
        signal,
      });
      if (!read.ok) return read;
      const { ticket, expiresAt, websocketUrl } = read.value;
      return { ok: true, value: { ticket: new Secret(ticket), expiresAt, websocketUrl } };
    },
  };
}

/** A ticket as read from the answer (contract 2.6). The address comes without the ticket in it. */
interface ReadTicket {
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
