import type { ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertNever } from '../../../shared/result/result.ts';
import type { Ending } from '../faults/apply-faults.ts';

/** Lets this many bytes pass and then fails, which ends the connection in the middle of a body. */
function cutAfter(bytes: number): Transform {
  let left = bytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (left > 0) this.push(chunk.subarray(0, left));
      left -= chunk.length;
      done(left > 0 ? null : new Error('cut by a fault'));
    },
  });
}

/** Writes the answer, broken if a fault asks for it. A client that leaves midway needs no answer. */
export async function finish(response: ServerResponse, ending: Ending): Promise<void> {
  switch (ending.kind) {
    case 'hold':
      // Keeps reading, so that the client waits for an answer and not for room to send.
      response.req.resume();
      return;
    case 'drop':
      response.req.socket.resetAndDestroy();
      return;
    case 'send': {
      const { status, headers, body } = ending.wire;
      response.writeHead(status, headers);
      if (Buffer.isBuffer(body)) {
        if (ending.cutAt === undefined) response.end(body);
        else response.write(body.subarray(0, ending.cutAt), () => response.req.socket.destroy());
        return;
      }
      const source = body();
      const written =
        ending.cutAt === undefined
          ? pipeline(source, response)
          : pipeline(source, cutAfter(ending.cutAt), response, { end: false });
      await written.catch(() => response.req.socket.destroy());
      return;
    }
    default:
      assertNever(ending);
  }
}
