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
  /** By the clock of the service: nobody accepts it any more, for example because a proxy answered from its cache. */
  readonly hasExpired: boolean;
  /** Judged before use, like every address from the service; null: the documented route. */
  readonly websocketUrl: string | null;
}

export interface TicketApi {
  ticket(service: 'stt' | 'tts', signal?: AbortSignal): Promise<Result<Ticket, Failure>>;
}

/** The `Date` of an answer has whole seconds. */
const slackMs = 2000;

/**
 * Tickets for live streams (contract 4.9). `clockOffsetMs`: the clock of the service minus ours, milliseconds; null: not
 * known.
 */
export function createTicketApi(caller: Caller, now: () => number, clockOffsetMs: () => number | null): TicketApi {
  const isOver = (expiresAt: string | null): boolean => {
    const offsetMs = clockOffsetMs();
    return expiresAt !== null && offsetMs !== null && Date.parse(expiresAt) + slackMs < now() + offsetMs;
  };
  return {
    async ticket(service, signal) {
      const read = await caller.read('realtime.ticket', readTicket, {
        json: { transport: 'websocket', service },
        ...(service === 'tts' ? { permission: 'tts_realtime: access' } : {}),
        signal,
      });
      if (!read.ok) return read;
      const { ticket, expiresAt, websocketUrl } = read.value;
      return {
        ok: true,
        value: { ticket: new Secret(ticket), expiresAt, hasExpired: isOver(expiresAt), websocketUrl },
      };
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
