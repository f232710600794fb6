import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forAllIn } from '../../tests/support/for-all.ts';
import { CompletionStream } from './ask.ts';

function read(...chunks: readonly Uint8Array[]) {
  const stream = new CompletionStream(() => undefined);
  const taker = stream.taker();
  for (const chunk of chunks) void taker.write(chunk);
  return stream.end();
}
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const delta = (content: string): string => JSON.stringify({ choices: [{ delta: { content } }] });

test('an event that is cut off is left out, unless it says that the answer is whole', () => {
  expect(read(text(`data: ${delta('a')}\n\ndata: ${delta('b')}`))).toMatchObject({ text: 'a', isDone: false });
  expect(read(text(`data: ${delta('a')}\n\ndata: [DONE]`))).toMatchObject({ text: 'a', isDone: true });
});

test('an event that a lone CR ends is whole, whatever comes after it', () => {
  expect(read(text(`data: ${delta('a')}\r`), text('\r'), text('\0'))).toMatchObject({ text: 'a' });
});

const whole = `data: ${delta('Salom, dunyo! Привет 🎙️')}\r\n\r\nevent: e\ndata: {"choices":\ndata: []}\n\n: c\n\ndata: [DONE]\n\n`;
/** The pieces streams are made of, and the ones that break them. */
const pieces = fc.oneof(
  fc.constantFrom(whole, ...'data:|data: |event: e|id: 7|: note|\n|\r|\r\n|\n\n|\ufeff|\0'.split('|')).map(text),
  fc.constantFrom('{"choices":[{"delta":{"content":"ў"}}]}', '{"error":{"code":"x"}}', '🎙️', 'data').map(text),
  fc.uint8Array({ maxLength: 12 }),
);

test('P-03: any bytes are accepted without a throw, and mean the same however they are cut, within letters too', () => {
  expect(read(text(whole))).toMatchObject({ text: 'Salom, dunyo! Привет 🎙️', isDone: true });
  forAllIn(
    process.env['OVOZ_LONG'] === undefined ? 2000 : 150_000,
    fc.array(pieces, { maxLength: 24 }),
    fc.array(fc.nat(300), { maxLength: 12 }),
    (parts, cuts) => {
      const stream = Buffer.concat(parts);
      const places = [0, ...cuts.map((cut) => Math.min(cut, stream.length)).toSorted((a, b) => a - b), stream.length];
      expect(read(...places.slice(1).map((end, at) => stream.subarray(places[at], end)))).toEqual(read(stream));
    },
  );
}, 300_000);
