import { createHash, randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { json, readJson, refuse, type Answer, type Exchange, type Route } from './http.ts';
import { isGranted } from './permissions.ts';
import type { Services } from './services.ts';

export type LiveProduct = 'stt' | 'tts';

export const livePaths: Readonly<Record<LiveProduct, string>> = { stt: '/v1/stt/stream', tts: '/v1/tts/stream' };

interface Ticket {
  readonly keyId: string;
  /** What it opens; it opens nothing else. */
  readonly product: LiveProduct;
  readonly expiresAtMs: number;
}

const digest = (ticket: string): string => createHash('sha256').update(ticket).digest('hex');

/** Tickets for one connection each. They are short-lived and only in memory, so a restart ends them all. */
export class Tickets {
  readonly #lifeMs: number;
  readonly #now: () => number;
  readonly #known = new Map<string, Ticket>();

  constructor(lifeMs: number, now: () => number) {
    this.#lifeMs = lifeMs;
    this.#now = now;
  }

  issue(keyId: string, product: LiveProduct): { readonly ticket: string; readonly expiresAtMs: number } {
    for (const [hash, { expiresAtMs }] of this.#known) if (expiresAtMs <= this.#now()) this.#known.delete(hash);
    const ticket = `ticket_${randomBytes(32).toString('base64url')}`;
    const expiresAtMs = this.#now() + this.#lifeMs;
    this.#known.set(digest(ticket), { keyId, product, expiresAtMs });
    return { ticket, expiresAtMs };
  }

  /** The key that a ticket was issued for, once; null: it is unknown, used, expired or for another product. */
  redeem(ticket: string, product: LiveProduct): string | null {
    const hash = digest(ticket);
    const known = this.#known.get(hash);
    this.#known.delete(hash);
    return known?.product === product && known.expiresAtMs > this.#now() ? known.keyId : null;
  }
}

const body = z.strictObject({ transport: z.literal('websocket'), service: z.enum(['tts', 'stt']) });

async function issueTicket({ request, caller }: Exchange, { tickets, socketUrl }: Services): Promise<Answer> {
  const { service } = await readJson(request, body);
  if (caller.restrictKey && !isGranted(caller.permissions, { permission: `${service}_realtime`, level: 'access' }))
    refuse(403, 'insufficient_scope', `This key has no permission ${service}_realtime:access.`);
  const { ticket, expiresAtMs } = tickets.issue(caller.id, service);
  return json(201, {
    ticket,
    service,
    transport: 'websocket',
    scope: `${service}:realtime`,
    expires_at: new Date(expiresAtMs).toISOString(),
    websocket_url: `${socketUrl}${livePaths[service]}`,
  });
}

export const ticketRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/ticket',
    credential: 'api-key',
    // The handler decides which of them the request needs.
    permissions: ['stt_realtime:access', 'tts_realtime:access'],
    handle: issueTicket,
  },
];

export type Event = Readonly<Record<string, unknown>>;
export const errorEvent = (code: string, message: string): Event => ({ event: 'error', code, message });

/** One live connection of a key. */
export interface Connection {
  readonly socket: WebSocket;
  readonly services: Services;
  readonly requestId: string;
  readonly keyId: string;
}

export const sendEvent = ({ socket }: Connection, event: Event): void => socket.send(JSON.stringify(event));

/** Hands over what is sent, until the connection is silent for too long. Returns how to begin the silence anew. */
export function serveConnection(
  connection: Connection,
  sampleRate: number,
  take: (data: Buffer, isBinary: boolean) => void,
): () => void {
  const { socket, services } = connection;
  let isOver = false;
  const idle = setTimeout(() => {
    isOver = true;
    sendEvent(connection, errorEvent('timeout', 'Nothing was sent for a long time.'));
    socket.close(1000);
  }, services.limits.dictationIdleMs);
  idle.unref();
  socket.on('error', () => undefined);
  socket.on('close', () => clearTimeout(idle));
  socket.on('message', (data: Buffer, isBinary) => {
    // What comes after the end would be charged without an answer.
    if (isOver) return;
    idle.refresh();
    take(data, isBinary);
  });
  sendEvent(connection, { event: 'ready', audio_format: 'pcm_s16le', sample_rate: sampleRate, channels: 1 });
  return () => void idle.refresh();
}
