import { registerAacEncoder } from '@mediabunny/aac-encoder';
import { registerFlacEncoder } from '@mediabunny/flac-encoder';
import {
  AudioSample,
  AudioSampleSource,
  FlacOutputFormat,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  type StreamTargetChunk,
} from 'mediabunny';
import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';
import { Resampler } from '../../../shared/domain/media/resample.ts';
import { wavHeader, wavHeaderBytes } from '../../../shared/domain/media/wav-header.ts';
import { interleave16, interleave24, type AudioSink, type AudioShape, type AudioWriter } from './audio-writer.ts';
import { createMp3Encoder, createOggEncoder } from 'wasm-media-encoders';

/** By default far above what speech needs to be indistinguishable; never more than an AAC packet can hold. */
const aacBitsPerSecond = (sampleRate: number, channelCount: number, wanted: number | null): number =>
  wanted === null
    ? channelCount * (sampleRate < 32_000 ? 64_000 : 96_000)
    : Math.min(wanted * 1000, 5 * sampleRate * channelCount);

/** The first packet of an AAC encoder holds no audio yet; its time is below zero, so players start after it. */
const aacDelaySamples = 1024;

const cdRates = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] as const;
const ratesOf: Readonly<Record<AudioExtension, readonly number[] | null>> = {
  wav: null,
  ogg: cdRates,
  mp3: cdRates,
  m4a: cdRates,
  flac: [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000],
};

/** The rate of the written file: the source's own, or the next higher one that the format has, or the highest. */
export function writtenRate(format: AudioExtension, sampleRate: number): number {
  const rates = ratesOf[format];
  if (rates === null || rates.includes(sampleRate)) return sampleRate;
  return rates.find((rate) => rate > sampleRate) ?? rates.at(-1) ?? sampleRate;
}

export async function openAudioWriter(shape: AudioShape, sink: AudioSink): Promise<AudioWriter> {
  const sampleRate = writtenRate(shape.format, shape.sampleRate);
  const writer = await openEncoder({ ...shape, sampleRate }, sink);
  return sampleRate === shape.sampleRate ? writer : resampling(writer, shape, sampleRate);
}

function openEncoder(shape: AudioShape, sink: AudioSink): Promise<AudioWriter> {
  switch (shape.format) {
    case 'wav':
      return openWavWriter(shape, sink);
    case 'mp3':
    case 'ogg':
      return openStreamEncoder({ ...shape, format: shape.format }, sink);
    case 'flac':
    case 'm4a':
      return openPacketEncoder({ ...shape, format: shape.format }, sink);
  }
}

async function openWavWriter({ sampleRate, channelCount }: AudioShape, sink: AudioSink): Promise<AudioWriter> {
  let dataBytes = 0;
  const writeHeader = (): Promise<void> => sink(wavHeader(dataBytes, sampleRate, channelCount), 0);
  await writeHeader();
  return {
    async write(channels) {
      const data = interleave16(channels.slice(0, channelCount));
      await sink(data, wavHeaderBytes + dataBytes);
      dataBytes += data.length;
    },
    finish: writeHeader,
    cancel: async () => undefined,
  };
}

function resampling(writer: AudioWriter, { sampleRate, channelCount }: AudioShape, toRate: number): AudioWriter {
  const resamplers = Array.from({ length: channelCount }, () => new Resampler(sampleRate, toRate));
  return {
    ...writer,
    write: (channels) =>
      writer.write(resamplers.map((resampler, at) => resampler.push(channels[at] ?? new Float32Array()))),
    async finish() {
      await writer.write(resamplers.map((resampler) => resampler.flush()));
      await writer.finish();
    },
  };
}

async function openPacketEncoder(
  { format, sampleRate, channelCount, bitRate = null, bits = 16 }: AudioShape & { readonly format: 'flac' | 'm4a' },
  sink: AudioSink,
): Promise<AudioWriter> {
  if (format === 'flac') registerFlacEncoder();
  else registerAacEncoder();
  const target = new StreamTarget(
    new WritableStream<StreamTargetChunk>({ write: ({ data, position }) => sink(data, position) }),
  );
  const output = new Output({
    format: format === 'flac' ? new FlacOutputFormat() : new Mp4OutputFormat({ fastStart: false }),
    target,
  });
  const source = new AudioSampleSource(
    format === 'flac'
      ? { codec: 'flac' }
      : { codec: 'aac', bitrate: aacBitsPerSecond(sampleRate, channelCount, bitRate) },
  );
  output.addAudioTrack(source);
  await output.start();
  let samples = format === 'm4a' ? -aacDelaySamples : 0;
  return {
    async write(channels) {
      const kept = channels.slice(0, channelCount);
      const length = kept[0]?.length ?? 0;
      if (length === 0) return;
      const sample = new AudioSample({
        ...(bits === 24 ? { format: 's32', data: interleave24(kept) } : { format: 's16', data: interleave16(kept) }),
        numberOfChannels: channelCount,
        sampleRate,
        timestamp: samples / sampleRate,
      });
      samples += length;
      await source.add(sample);
      sample.close();
    },
    finish: () => output.finalize(),
    cancel: () => output.cancel(),
  };
}

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

async function openStream(
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

export async function openStreamEncoder(
  { format, sampleRate, channelCount, bitRate = null }: AudioShape & { readonly format: 'mp3' | 'ogg' },
  sink: AudioSink,
): Promise<AudioWriter> {
  const encoder = await openStream(format, channelCount === 1 ? 1 : 2, sampleRate, bitRate);
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
