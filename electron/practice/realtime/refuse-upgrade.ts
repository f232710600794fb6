import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Ending } from '../faults/apply-faults.ts';

/** Says no to an upgrade in plain HTTP, which is all that both sides speak before it (contract 4.10). */
export function refuseUpgrade(socket: Duplex, ending: Ending): void {
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
