import fc from 'fast-check';
import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { boxHeader, readMp4Frames } from './decode-aac-in-order.ts';
import { bytesOf } from './media-input.ts';

const fixture = (name: string) => readFileSync(new URL(`../../tests/fixtures/audio/${name}`, import.meta.url));

function moovOf(file: Uint8Array): DataView {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 0; ;) {
    const header = boxHeader(view, at);
    if (header === null) throw new Error('no tables');
    const { type, headerBytes, length } = header;
    if (type === 'moov') return new DataView(view.buffer, view.byteOffset + at + headerBytes, length - headerBytes);
    at += length;
  }
}

test.each(['two-sentences.m4a', 'clicks-stereo.m4a'])(
  'the frames of %s are those that the demuxer finds, with the same padding and description',
  async (name) => {
    const file = fixture(name);
    const frames = readMp4Frames(moovOf(file));
    const found: Uint8Array[] = [];
    let frame = 0;
    for (const [chunk, start] of frames!.chunkStarts.entries()) {
      let at = start;
      for (let left = frames!.framesPerChunk[chunk]!; left > 0; left -= 1, frame += 1) {
        found.push(file.subarray(at, at + frames!.sizes[frame]!));
        at += frames!.sizes[frame]!;
      }
    }
    const input = new Input({ formats: [MP4], source: new BufferSource(file) });
    const track = (await input.getPrimaryAudioTrack())!;
    const expected: Uint8Array[] = [];
    let firstSecond = 0;
    for await (const { data, timestamp } of new EncodedPacketSink(track).packets()) {
      if (expected.length === 0) firstSecond = timestamp;
      expected.push(data);
    }
    expect(found.map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual(
      expected.map((bytes) => Buffer.from(bytes).toString('hex')),
    );
    expect(frames!.paddingSeconds).toBeCloseTo(-firstSecond, 9);
    expect([...frames!.description]).toEqual([...bytesOf((await track.getDecoderConfig())?.description)]);
  },
);

test.each(['two-sentences.fragmented.m4a', 'lossless.alac.m4a'])('%s is not read here', (name) => {
  expect(readMp4Frames(moovOf(fixture(name)))).toBeNull();
});

test('damaged tables are refused or give frames that fit together, and never keep the reader busy', () => {
  const { buffer, byteOffset, byteLength } = moovOf(fixture('two-sentences.m4a'));
  const whole = new Uint8Array(buffer, byteOffset, byteLength);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(byteLength - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), (changes) => {
      const bytes = whole.slice();
      for (const [at, value] of changes) bytes[at] = value;
      let frames = null;
      try {
        frames = readMp4Frames(new DataView(bytes.buffer));
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      if (frames !== null)
        expect(frames.framesPerChunk.reduce((sum, count) => sum + count, 0)).toBe(frames.sizes.length);
    }),
    { numRuns: 2000 },
  );
});
