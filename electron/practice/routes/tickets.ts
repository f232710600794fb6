import { z } from 'zod';
import { json, problem, type Answer } from '../http/answer.ts';
import { readJson } from '../http/read-json.ts';
import type { KeyedExchange } from '../http/route.ts';
import { dictationPath } from '../realtime/dictation-socket.ts';
import type { Services } from '../services.ts';

const body = z.strictObject({ transport: z.literal('websocket'), service: z.enum(['tts', 'stt']) });

/** POST /v1/ticket: opens one live connection */
export async function issueTicket(
  { request, caller }: KeyedExchange,
  { tickets, socketUrl }: Services,
): Promise<Answer> {
  const order = await readJson(request, body);
  if (!order.ok) return order.error;
  if (order.value.service === 'tts')
    return problem(
      403,
      'insufficient_scope',
      'No key has the permission tts_realtime:access: practice mode does not offer this yet.',
    );
  const { ticket, expiresAtMs } = tickets.issue(caller.id);
  return json(201, {
    ticket,
    service: 'stt',
    transport: 'websocket',
    scope: 'stt:realtime',
    expires_at: new Date(expiresAtMs).toISOString(),
    websocket_url: `${socketUrl()}${dictationPath}`,
  });
}
