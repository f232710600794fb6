import { createMp3Encoder, createOggEncoder } from 'wasm-media-encoders';
import type { AudioSink } from './audio-sink.ts';
import type { AudioShape, AudioWriter } from './audio-writer.ts';

/** What both encoders can do; their bytes are good until they are asked for the next. */
interface Encoder {
  encode(samples: readonly Float32Array[]): Uint8Array;
  finalize(): Uint8Array;
}

/** Far above what speech needs to sound the same to everybody. */
const mp3Kilobits = (channels: 1 | 2): 96 | 160 => (channels === 1 ? 96 : 160);
/** Layer III at 8 to 12 kHz ends at 64 kbit/s (MPEG 2.5). */
const mp3KilobitsAtLowRates = 64;
const vorbisQuality = 5;

async function openEncoder(format: 'mp3' | 'ogg', channels: 1 | 2, sampleRate: number): Promise<Encoder> {
  if (format === 'mp3') {
    const mp3 = await createMp3Encoder();
    const bitrate = sampleRate < 16_000 ? mp3KilobitsAtLowRates : mp3Kilobits(channels);
    mp3.configure({ channels, sampleRate, bitrate });
    return mp3;
  }
  const ogg = await createOggEncoder();
  ogg.configure({ channels, sampleRate, vbrQuality: vorbisQuality });
  return ogg;
}

/** MP3 (LAME) or Ogg Vorbis: what comes out of the encoder is the file. */
export async function openStreamEncoder(
  { format, sampleRate, channelCount }: AudioShape & { readonly format: 'mp3' | 'ogg' },
  sink: AudioSink,
): Promise<AudioWriter> {
  const encoder = await openEncoder(format, channelCount === 1 ? 1 : 2, sampleRate);
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
