import { createMp3Encoder, createOggEncoder } from 'wasm-media-encoders';
import type { AudioSink } from './audio-sink.ts';
import type { AudioShape, AudioWriter } from './audio-writer.ts';

/** The common interface of both encoders; the bytes are valid until the next call. */
interface Encoder {
  encode(samples: readonly Float32Array[]): Uint8Array;
  finalize(): Uint8Array;
}

/** Far above what speech needs to be indistinguishable. */
const mp3Kilobits = (channels: 1 | 2): 96 | 160 => (channels === 1 ? 96 : 160);
/** Layer III at 8 to 12 kHz ends at 64 kbit/s (MPEG 2.5). */
const mp3KilobitsAtLowRates = 64;
const vorbisQuality = 5;
/** The approximate bit rate of each Vorbis quality for stereo at 44.1 kHz. */
const vorbisKilobits = [64, 80, 96, 112, 128, 160, 192, 224, 256] as const;
/** The highest bit rate of Layer III below 32 kHz (MPEG 2). */
const mp3KilobitsBelow32k = 160;

const mp3Rate = (wanted: number | null, channels: 1 | 2, sampleRate: number) => {
  if (sampleRate < 16_000) return mp3KilobitsAtLowRates;
  const rate = Math.min(wanted ?? mp3Kilobits(channels), sampleRate < 32_000 ? mp3KilobitsBelow32k : 320);
  return mp3Rates.find((known) => known >= rate) ?? mp3KilobitsBelow32k;
};
const mp3Rates = [64, 96, 128, 160, 192, 256, 320] as const;

async function openEncoder(
  format: 'mp3' | 'ogg',
  channels: 1 | 2,
  sampleRate: number,
  wanted: number | null,
): Promise<Encoder> {
  if (format === 'mp3') {
    const mp3 = await createMp3Encoder();
    mp3.configure({ channels, sampleRate, bitrate: mp3Rate(wanted, channels, sampleRate) });
    return mp3;
  }
  const ogg = await createOggEncoder();
  const quality = wanted === null ? vorbisQuality : vorbisKilobits.findLastIndex((kilobits) => kilobits <= wanted);
  ogg.configure({ channels, sampleRate, vbrQuality: Math.max(0, quality) });
  return ogg;
}

/** MP3 (LAME) or Ogg Vorbis: what comes out of the encoder is the file. */
export async function openStreamEncoder(
  { format, sampleRate, channelCount, bitRate = null }: AudioShape & { readonly format: 'mp3' | 'ogg' },
  sink: AudioSink,
): Promise<AudioWriter> {
  const encoder = await openEncoder(format, channelCount === 1 ? 1 : 2, sampleRate, bitRate);
  let position = 0;
  const append = async (bytes: Uint8Array): Promise<void> => {
    await sink(bytes, position);
    position += bytes.length;
  };
  return {
    write: (channels) => append(encoder.encode(channels.slice(0, channelCount))),
    finish: () => append(encoder.finalize()),
    cancel: async () => undefined,
  };
}
