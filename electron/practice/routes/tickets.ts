import { z } from 'zod';
import { isGranted } from '../access/permissions.ts';
import { json, problem, type Answer } from '../http/answer.ts';
import { readJson } from '../http/read-json.ts';
import type { KeyedExchange } from '../http/route.ts';
import { dictationPath } from '../realtime/dictation-socket.ts';
import { speechStreamPath } from '../realtime/speech-stream-socket.ts';
import type { Services } from '../services.ts';

const body = z.strictObject({ transport: z.literal('websocket'), service: z.enum(['tts', 'stt']) });

const offers = {
  stt: { permission: 'stt_realtime', scope: 'stt:realtime', path: dictationPath },
  tts: { permission: 'tts_realtime', scope: 'tts:realtime', path: speechStreamPath },
} as const;

/** POST /v1/ticket: opens one live connection of the named service, and of no other */
export async function issueTicket(
  { request, caller }: KeyedExchange,
  { tickets, socketUrl }: Services,
): Promise<Answer> {
  const order = await readJson(request, body);
  if (!order.ok) return order.error;
  const { service } = order.value;
  const { permission, scope, path } = offers[service];
  if (caller.restrictKey && !isGranted(caller.permissions, { permission, level: 'access' }))
    return problem(403, 'insufficient_scope', `This key has no permission ${permission}:access.`);
  const { ticket, expiresAtMs } = tickets.issue(caller.id, service);
  return json(201, {
    ticket,
    service,
    transport: 'websocket',
    scope,
    expires_at: new Date(expiresAtMs).toISOString(),
    websocket_url: `${socketUrl()}${path}`,
  });
}
