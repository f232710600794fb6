import { Transform, type TransformCallback } from 'node:stream';
import { largestMessage } from './tool.ts';

/** Enough of both ends of a message to find its number in, wherever a client writes it. */
const endBytes = 512;
const numberPattern = /"id"\s*:\s*(\d{1,15}|"(?:[^"\\]|\\.){1,100}")/u;

/**
 * Lets lines through one at a time and drops those that are longer than a message may be, whose number, as it stood
 * there, is told. So one great message ends no connection, and memory holds no more than one.
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
