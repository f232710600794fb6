import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { isGranted } from '../access/permissions.ts';
import type { ApiKey } from '../account/api-keys.ts';
import { endBefore } from '../faults/apply-faults.ts';
import { problem, serialise, type Answer } from '../http/answer.ts';
import { keyTrouble } from '../http/authenticate.ts';
import { refuseForeign } from '../http/guard.ts';
import { newRequestId, type Reception } from '../http/respond.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';
import { dictationPath, serveDictation } from './dictation-socket.ts';

/** A second of sound has 32 kB; nobody needs a frame that is much larger. */
const maxFrameBytes = 1024 * 1024;

/** Opens sockets for those who hold a ticket, and answers everybody else in HTTP. */
export class Upgrades {
  readonly #reception: Reception;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false });

  constructor(reception: Reception) {
    this.#reception = reception;
  }

  async take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    const { port, faultPlan, services } = this.#reception;
    const requestId = newRequestId();
    const say = (answer: Answer): void => refuseUpgrade(socket, { kind: 'send', wire: serialise(answer, requestId) });
    const foreign = refuseForeign(request, port());
    if (foreign !== null) return say(foreign);
    const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
    if (url === null || url.pathname !== dictationPath)
      return say(problem(404, 'not_found', 'There is no stream at this address.'));
    const early = await endBefore(faultPlan.meet('GET', dictationPath, ''), requestId);
    if (early !== null) return refuseUpgrade(socket, early);
    const caller = this.#callerOf(url.searchParams);
    if (caller === null)
      return say(problem(401, 'invalid_realtime_ticket', 'This ticket is unknown, used or too old.'));
    this.#sockets.handleUpgrade(request, socket, head, (opened) => {
      const { id: keyId, prefix: keyPrefix } = caller;
      services.log.add({
        requestId,
        atMs: services.now(),
        method: 'GET',
        route: dictationPath,
        statusCode: 101,
        latencyMs: 0,
        requestBytes: 0,
        responseBytes: 0,
        keyId,
        keyPrefix,
      });
      serveDictation(opened, { services, faultPlan, requestId, keyId });
    });
  }

  /** The key behind the ticket, if it is still good and still allowed to. */
  #callerOf(query: URLSearchParams): ApiKey | null {
    const { services } = this.#reception;
    const sent = query.getAll('ticket');
    const keyId = sent.length === 1 ? services.tickets.redeem(sent[0] ?? '') : null;
    const key = keyId === null ? null : services.keys.read(keyId);
    if (key === null || keyTrouble(key, services.now()) !== null) return null;
    return !key.restrictKey || isGranted(key.permissions, { permission: 'stt_realtime', level: 'access' }) ? key : null;
  }

  close(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
  }
}
