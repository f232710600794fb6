import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyse } from '../../practice/analysis/analyse.ts';

type Encoding = 'u8' | 's16' | 's24' | 's32' | 'f32' | 'f64';
const bytes: Readonly<Record<Encoding, number>> = { u8: 1, s16: 2, s24: 3, s32: 4, f32: 4, f64: 8 };

interface Shape {
  readonly encoding: Encoding;
  readonly channels?: number;
  readonly isExtensible?: boolean;
  readonly dataSize?: number;
  readonly before?: Buffer;
}

const sampleRate = 8000;
const seconds = 2;

function put(data: Buffer, at: number, value: number, encoding: Encoding): void {
  switch (encoding) {
    case 'u8':
      data.writeUInt8(Math.round(value * 127) + 128, at);
      return;
    case 's16':
      data.writeInt16LE(Math.round(value * 32_767), at);
      return;
    case 's24':
      data.writeIntLE(Math.round(value * 8_388_607), at, 3);
      return;
    case 's32':
      data.writeInt32LE(Math.round(value * 2_147_483_647), at);
      return;
    case 'f32':
      data.writeFloatLE(value, at);
      return;
    case 'f64':
      data.writeDoubleLE(value, at);
  }
}

const chunk = (name: string, body: Buffer, size = body.length): Buffer => {
  const header = Buffer.alloc(8);
  header.write(name, 0, 'latin1');
  header.writeUInt32LE(size, 4);
  return Buffer.concat([header, body, Buffer.alloc(body.length % 2)]);
};

/** Two seconds of a tone at half of full scale. */
function wav({ encoding, channels = 1, isExtensible = false, dataSize, before = Buffer.alloc(0) }: Shape): Buffer {
  const size = bytes[encoding];
  const tag = encoding.startsWith('f') ? 3 : 1;
  const format = Buffer.alloc(isExtensible ? 40 : 16);
  format.writeUInt16LE(isExtensible ? 0xfffe : tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(sampleRate, 4);
  format.writeUInt32LE(sampleRate * size * channels, 8);
  format.writeUInt16LE(size * channels, 12);
  format.writeUInt16LE(size * 8, 14);
  if (isExtensible) format.writeUInt16LE(tag, 24);
  const frames = sampleRate * seconds;
  const data = Buffer.alloc(frames * channels * size);
  for (let frame = 0; frame < frames; frame += 1) {
    const value = 0.5 * Math.sin((2 * Math.PI * 440 * frame) / sampleRate);
    for (let channel = 0; channel < channels; channel += 1)
      put(data, (frame * channels + channel) * size, value, encoding);
  }
  const body = Buffer.concat([Buffer.from('WAVE'), before, chunk('fmt ', format), chunk('data', data, dataSize)]);
  return Buffer.concat([chunk('RIFF', body).subarray(0, 8), body]);
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'practice-wav-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function measure(content: Buffer): Promise<Awaited<ReturnType<typeof analyse>>> {
  const path = join(folder, 'one.wav');
  await writeFile(path, content);
  return analyse(path);
}

const shapes: readonly Shape[] = [
  { encoding: 'u8' },
  { encoding: 's16' },
  { encoding: 's24' },
  { encoding: 's32' },
  { encoding: 'f32' },
  { encoding: 'f64' },
  { encoding: 's24', channels: 2, isExtensible: true },
  { encoding: 's16', channels: 6 },
  { encoding: 's16', before: chunk('LIST', Buffer.from('odd')) },
  { encoding: 's16', dataSize: 0 },
  { encoding: 's16', dataSize: 0xffffffff },
];

describe('WAV', () => {
  it.each(shapes)(
    'measures the same tone in $encoding, $channels channels, extensible $isExtensible, data size $dataSize',
    async (shape) => {
      const outcome = await measure(wav(shape));
      if (outcome.kind !== 'measured') throw new Error(outcome.kind);
      expect(outcome.sound).toMatchObject({
        container: 'wav',
        durationMs: 2000,
        sampleRate,
        channelCount: shape.channels ?? 1,
      });
      expect(outcome.sound.peak).toBeCloseTo(0.5, 1);
      expect(outcome.sound.rms).toBeCloseTo(0.5 / Math.SQRT2, 2);
    },
  );

  it('measures what there is when the end is missing', async () => {
    const whole = wav({ encoding: 's16' });
    const outcome = await measure(whole.subarray(0, 44 + sampleRate * 2));
    expect(outcome).toMatchObject({ kind: 'measured', sound: { durationMs: 1000 } });
  });

  it('says why a file contains no audio', async () => {
    const compressed = wav({ encoding: 's16' });
    compressed.writeUInt16LE(0x55, 20);
    expect(await measure(compressed)).toMatchObject({ kind: 'undecodable', code: 'unsupported_codec' });
    expect(await measure(wav({ encoding: 's16' }).subarray(0, 36))).toMatchObject({
      kind: 'undecodable',
      code: 'invalid_audio',
    });
    expect(await measure(Buffer.from('RIFF....WAVE'))).toMatchObject({ kind: 'undecodable', code: 'invalid_audio' });
  });

  it('stops reading beyond the limit', async () => {
    const path = join(folder, 'long.wav');
    await writeFile(path, wav({ encoding: 's16' }));
    expect(await analyse(path, 500)).toEqual({ kind: 'longer' });
  });
});
