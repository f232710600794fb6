import { Transform, type TransformCallback } from 'node:stream';
import { largestMessage } from './tool.ts';

/** Long enough for the start and the end of a message to contain its id, wherever a client writes it. */
const endBytes = 512;
const numberPattern = /"id"\s*:\s*(\d{1,15}|"(?:[^"\\]|\\.){1,100}")/u;

/**
 * Passes lines on one at a time and drops those longer than a message may be, reporting the id as written in them. A
 * huge message therefore does not end the connection, and at most one message is in memory.
 */
export function limitLines(onTooLong: (number: string | null) => void): Transform {
  let parts: Buffer[] = [];
  let length = 0;
  let tail = Buffer.alloc(0);

  const take = (piece: Buffer): void => {
    length += piece.length;
    tail = Buffer.concat([tail, piece.subarray(-endBytes)]).subarray(-endBytes);
    if (length <= largestMessage) parts.push(piece);
    else if (parts.length > 0) parts = [Buffer.concat(parts).subarray(0, endBytes)];
  };
  const endLine = (stream: Transform): void => {
    if (length > largestMessage) {
      const ends = [tail.toString('latin1'), parts[0]?.toString('latin1') ?? ''];
      onTooLong(ends.flatMap((text) => numberPattern.exec(text)?.[1] ?? [])[0] ?? null);
    } else stream.push(Buffer.concat([...parts, Buffer.from('\n')]));
    [parts, length, tail] = [[], 0, Buffer.alloc(0)];
  };

  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        take(chunk.subarray(from, at));
        endLine(this);
        from = at + 1;
      }
      take(chunk.subarray(from));
      done();
    },
  });
}
