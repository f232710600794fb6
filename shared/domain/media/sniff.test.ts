import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { headerDurationMs, isCutShort } from './duration.ts';
import { sniff, type MediaFormat } from './sniff.ts';
import { cpuTimeMs } from '../../../tests/support/measure-thread.ts';

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const join = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const u32le = (value: number) =>
  Uint8Array.of(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, (value >>> 24) & 255);
const u32be = (value: number) => u32le(value).reverse();

const wavHead = (dataSize: number, bytesPerSecond = 32_000) =>
  join(
    ascii('RIFF'),
    u32le(36 + dataSize),
    ascii('WAVEfmt '),
    u32le(16),
    Uint8Array.of(1, 0, 1, 0),
    u32le(16_000),
    u32le(bytesPerSecond),
    Uint8Array.of(2, 0, 16, 0),
    ascii('data'),
    u32le(dataSize),
  );
const mp3Frame = join(Uint8Array.of(0xff, 0xfb, 0x90, 0x00), new Uint8Array(413));
const adtsFrame = join(Uint8Array.of(0xff, 0xf1, 0x50, 0x80, 0x06, 0x5f, 0xfc), new Uint8Array(43));
const opusHead = join(Uint8Array.of(1, 1, 56, 1), u32le(48_000), new Uint8Array(3));
const headers: Record<MediaFormat, Uint8Array> = {
  wav: wavHead(32_000),
  mp3: join(mp3Frame, mp3Frame, mp3Frame),
  m4a: join(u32be(24), ascii('ftypM4A '), new Uint8Array(16)),
  mp4: join(u32be(24), ascii('ftypisom'), new Uint8Array(16)),
  ogg: join(ascii('OggS'), new Uint8Array(24), ascii('OpusHead'), opusHead),
  webm: join(u32be(0x1a45dfa3), Uint8Array.of(0x9f, 0x42, 0x82, 0x84), ascii('webm')),
  quicktime: join(u32be(24), ascii('ftypqt  '), new Uint8Array(16)),
  matroska: join(u32be(0x1a45dfa3), Uint8Array.of(0x93, 0x42, 0x82, 0x88), ascii('matroska')),
  avi: join(ascii('RIFF'), u32le(5000), ascii('AVI LIST')),
  amr: ascii('#!AMR\n'),
  asf: join(u32be(0x3026b275), u32be(0x8e66cf11), new Uint8Array(8)),
  adts: join(adtsFrame, adtsFrame, adtsFrame),
  'mpeg-ts': join(...Array.from({ length: 5 }, () => join(Uint8Array.of(0x47), new Uint8Array(187)))),
  flac: join(ascii('fLaC'), Uint8Array.of(0, 0, 0, 34), new Uint8Array(10), u32be((16_000 << 12) | 0), u32be(32_000)),
};

describe('the format of a file, from its first bytes', () => {
  it.each(Object.entries(headers))('is known: %s', (format, head) => {
    expect(sniff(head)).toEqual({ kind: 'media', format });
  });

  it('recognizes an MP3 behind an ID3 tag, and one that starts in the middle of a frame', () => {
    const tagged = join(ascii('ID3'), Uint8Array.of(4, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f));
    const late = join(new Uint8Array(77).fill(1), mp3Frame, mp3Frame, mp3Frame);
    expect([tagged, late].map(sniff)).toEqual(Array(2).fill({ kind: 'media', format: 'mp3' }));
  });

  it('names what is surely no recording', () => {
    const cases: readonly (readonly [Uint8Array, string])[] = [
      [new Uint8Array(0), 'empty'],
      [ascii('just words\nin a file named song.mp3'), 'text'],
      [new TextEncoder().encode('Salom, dunyo! Oʻzbekcha matn. Привет.'), 'text'],
      [ascii('\n <!DOCTYPE html><html>'), 'html'],
      [ascii('PK\u0003\u0004............'), 'zip'],
      [ascii('%PDF-1.7'), 'pdf'],
      [join(u32be(0x89504e47), u32be(0x0d0a1a0a)), 'image'],
      [join(u32be(24), ascii('ftypheic'), new Uint8Array(16)), 'image'],
      [Uint8Array.of(0, 1, 2, 3, 0, 9, 200, 130), 'unknown'],
    ];
    for (const [bytes, what] of cases) expect(sniff(bytes)).toEqual({ kind: 'not-media', what });
  });
});

describe('the length from headers', () => {
  const none = new Uint8Array(0);
  it('is exact for wav, flac, mp4 and ogg', () => {
    expect(headerDurationMs('wav', headers.wav, none, 32_044)).toBe(1000);
    expect(headerDurationMs('flac', headers.flac, none, 9999)).toBe(2000);
    const mvhd = join(ascii('mvhd'), new Uint8Array(12), u32be(1000), u32be(1234));
    expect(headerDurationMs('mp4', headers.mp4, mvhd, 9999)).toBe(1234);
    const lastPage = join(ascii('OggS'), Uint8Array.of(0, 4), u32le(48_312), u32le(0));
    expect(headerDurationMs('ogg', headers.ogg, lastPage, 9999)).toBe(1000);
  });

  it('of an MP3 is what its encoder counted, else its bytes at the bitrate of all frames read', () => {
    const audio = join(...Array.from({ length: 10 }, () => mp3Frame));
    // 128 kbit/s: 16 bytes a millisecond.
    expect(headerDurationMs('mp3', audio, audio, 16_000_000)).toBe(1_000_000);
    const tag = join(ascii('ID3'), Uint8Array.of(4, 0, 0, 0, 0, 1, 0), new Uint8Array(128));
    expect(headerDurationMs('mp3', join(tag, audio), audio, 16_000_138)).toBe(1_000_000);
    // When a picture in front is longer than the part read, the end of the file decides.
    const picture = join(ascii('ID3'), Uint8Array.of(4, 0, 0, 0, 0x10, 0, 0), new Uint8Array(500));
    expect(headerDurationMs('mp3', picture, audio, 16_000_000 + 262_154)).toBe(1_000_000);
    const counts = join(mp3Frame.subarray(0, 36), ascii('Xing'), u32be(3), u32be(1000), u32be(400_000));
    const counted = join(counts, mp3Frame.subarray(counts.length), audio);
    expect(headerDurationMs('mp3', counted, none, 400_000)).toBe(Math.round((1000 * 1152) / 44.1));
    // Half of the file was read.
    expect(headerDurationMs('mp3', counted, none, 200_000)).toBe(Math.round((500 * 1152) / 44.1));
    const slower = join(Uint8Array.of(0xff, 0xfb, 0x50, 0x00), new Uint8Array(204));
    expect(headerDurationMs('mp3', join(audio, slower, slower, slower), none, 400_000)).toBeNull();
  });

  it('follows the file and not a wrong header', () => {
    expect(headerDurationMs('wav', wavHead(0xffffffff), none, 44 + 16_000)).toBe(500);
    expect(headerDurationMs('wav', wavHead(0), none, 44 + 16_000)).toBe(500);
    expect(headerDurationMs('wav', wavHead(100, 0), none, 144)).toBeNull();
    const cutAt = (share: number) => isCutShort('wav', wavHead(32_000), 44 + 32_000 * share);
    expect([1, 0.95, 0.5].map(cutAt)).toEqual([false, false, true]);
    expect(isCutShort('wav', wavHead(0xffffffff), 44 + 16_000)).toBe(false);
  });
});

describe('hostile bytes (P-04)', () => {
  const runs = process.env['OVOZ_LONG'] ? 100_000 : 10_000;
  const flips = fc.array(fc.tuple(fc.nat(511), fc.nat(255)), { maxLength: 8 });
  const damaged = fc
    .tuple(fc.constantFrom(...Object.values(headers)), fc.option(fc.nat(511)), flips)
    .map(([head, cut, changes]) => {
      const bytes = head.slice(0, cut ?? head.length);
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      return bytes;
    });

  it('always give an answer, a finite length or none, and quickly', () => {
    let slowest = 0;
    forAllIn(runs, fc.oneof(damaged, fc.uint8Array({ maxLength: 600 })), fc.nat(2 ** 31), (bytes, size) => {
      const started = cpuTimeMs();
      const result = sniff(bytes);
      if (result.kind === 'media') {
        const ms = headerDurationMs(result.format, bytes, bytes, size);
        expect(ms === null || (Number.isSafeInteger(ms) && ms >= 0)).toBe(true);
      }
      slowest = Math.max(slowest, cpuTimeMs() - started);
    });
    expect(slowest).toBeLessThan(50);
  });
});
