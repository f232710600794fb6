import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';
import { Resampler } from '../../../shared/domain/media/resample.ts';
import type { AudioSink } from './audio-sink.ts';
import { openPacketEncoder } from './packet-encoder.ts';
import { openStreamEncoder } from './stream-encoder.ts';
import type { AudioShape, AudioWriter } from './audio-writer.ts';
import { wavHeader, wavHeaderBytes } from '../../../shared/domain/media/wav-header.ts';
import { interleave16 } from './wav.ts';

const cdRates = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] as const;
/** The rates that encoders of a format accept; audio at other rates is resampled. */
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

/** Opens a file of one of the formats, with 16 bits per sample where samples have bits. */
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
