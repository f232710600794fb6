import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { isGranted } from '../access/permissions.ts';
import type { ApiKey } from '../account/api-keys.ts';
import { endBefore, type Ending } from '../faults/apply-faults.ts';
import { json, problem, serialise, type Answer } from '../http/answer.ts';
import { authenticateSecret, keyTrouble } from '../http/authenticate.ts';
import { refuseForeign, singleHeader } from '../http/guard.ts';
import { newRequestId, type Reception } from '../http/respond.ts';
import { legacyStreamPath, serveLegacySpeech } from '../legacy/speech-socket.ts';
import { dictationPath, serveDictation } from './dictation-socket.ts';
import { serveSpeech, speechStreamPath } from './speech-stream-socket.ts';
import type { LiveService } from './tickets.ts';

/** A second of audio has 32 kB; no client needs a much larger frame. */
const maxFrameBytes = 1024 * 1024;

const services: Readonly<Record<string, LiveService>> = { [dictationPath]: 'stt', [speechStreamPath]: 'tts' };

/** The function that serves the stream after the upgrade, or the answer that refuses it. */
type Admission =
  | { readonly kind: 'serve'; readonly key: ApiKey | null; readonly serve: (socket: WebSocket) => void }
  | { readonly kind: 'refuse'; readonly answer: Answer };

const refuse = (answer: Answer): Admission => ({ kind: 'refuse', answer });

/** Opens sockets for authorised callers, and answers everybody else in HTTP. */
export class Upgrades {
  readonly #reception: Reception;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false });

  constructor(reception: Reception) {
    this.#reception = reception;
  }

  get count(): number {
    return this.#sockets.clients.size;
  }

  async take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    const { port, faultPlan } = this.#reception;
    const requestId = newRequestId();
    const say = (answer: Answer): void => refuseUpgrade(socket, { kind: 'send', wire: serialise(answer, requestId) });
    const foreign = refuseForeign(request, port());
    if (foreign !== null) return say(foreign);
    const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
    const path = url?.pathname ?? '';
    if (url === null || (services[path] === undefined && path !== legacyStreamPath))
      return say(problem(404, 'not_found', 'There is no stream at this address.'));
    const early = await endBefore(faultPlan.meet('GET', path, ''), requestId);
    if (early !== null) return refuseUpgrade(socket, early);
    const admission = this.#admit(request, url, requestId);
    if (admission.kind === 'refuse') return say(admission.answer);
    this.#sockets.handleUpgrade(request, socket, head, (opened) => {
      if (admission.key !== null) this.#note(admission.key, path, requestId);
      admission.serve(opened);
    });
  }

  #admit(request: IncomingMessage, url: URL, requestId: string): Admission {
    const { services: all, faultPlan } = this.#reception;
    const service = services[url.pathname];
    if (service === undefined) {
      const sent = url.searchParams.getAll('token');
      if (sent.length !== 1 || !all.legacyKey.isMine(sent[0] ?? ''))
        return refuse(
          json(401, { detail: 'Send the legacy key of practice mode as token.', error_key: 'invalid_key' }),
        );
      return { kind: 'serve', key: null, serve: (socket) => serveLegacySpeech(socket, all, faultPlan) };
    }
    const key = this.#keyOf(request, url.searchParams, service);
    if (key === null)
      return refuse(
        problem(401, 'invalid_realtime_ticket', 'This ticket is unknown, used, too old or for another service.'),
      );
    const parts = { services: all, faultPlan, requestId, keyId: key.id };
    if (service === 'stt') return { kind: 'serve', key, serve: (socket) => serveDictation(socket, parts) };
    // The balance is checked when the session starts (contract 4.5).
    if (all.credits.refusal(key, 1) !== null)
      return refuse(problem(402, 'insufficient_credits', 'There are not enough credits.'));
    return { kind: 'serve', key, serve: (socket) => serveSpeech(socket, parts) };
  }

  /** The key behind the ticket, or for speech the key itself, if it is still valid and has the permission. */
  #keyOf(request: IncomingMessage, query: URLSearchParams, service: LiveService): ApiKey | null {
    const { services: all } = this.#reception;
    const sent = query.getAll('ticket');
    const header = service === 'tts' && sent.length === 0 ? singleHeader(request, 'x-service-api-key') : null;
    const keyId = sent.length === 1 ? all.tickets.redeem(sent[0] ?? '', service) : null;
    const found = header === null ? null : authenticateSecret(header, request, all.keys, all.now());
    const key = found?.ok === true ? found.value : keyId === null ? null : all.keys.read(keyId);
    if (key === null || keyTrouble(key, all.now()) !== null) return null;
    const permission = service === 'tts' ? 'tts_realtime' : 'stt_realtime';
    return !key.restrictKey || isGranted(key.permissions, { permission, level: 'access' }) ? key : null;
  }

  #note({ id: keyId, prefix: keyPrefix }: ApiKey, route: string, requestId: string): void {
    const { log, now } = this.#reception.services;
    log.add({
      requestId,
      atMs: now(),
      method: 'GET',
      route,
      statusCode: 101,
      latencyMs: 0,
      requestBytes: 0,
      responseBytes: 0,
      keyId,
      keyPrefix,
    });
  }

  close(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
  }
}

/** Refuses an upgrade in plain HTTP, the only protocol both sides speak at that point (contract 4.10). */
function refuseUpgrade(socket: Duplex, ending: Ending): void {
  if (ending.kind === 'hold') return;
  if (ending.kind === 'drop' || !Buffer.isBuffer(ending.wire.body)) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = ending.wire;
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`, 'connection: close'];
  for (const [name, value] of Object.entries({ ...headers, 'content-length': String(body.length) }))
    lines.push(`${name}: ${value}`);
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
}
