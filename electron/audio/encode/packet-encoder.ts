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
import type { AudioSink } from './audio-sink.ts';
import type { AudioShape, AudioWriter } from './audio-writer.ts';
import { interleave16, interleave24 } from './wav.ts';

/** By default far above what speech needs to be indistinguishable; never more than an AAC packet can hold. */
const aacBitsPerSecond = (sampleRate: number, channelCount: number, wanted: number | null): number =>
  wanted === null
    ? channelCount * (sampleRate < 32_000 ? 64_000 : 96_000)
    : Math.min(wanted * 1000, 5 * sampleRate * channelCount);

/** The first packet of an AAC encoder holds no audio yet; its time is below zero, so players start after it. */
const aacDelaySamples = 1024;

/** FLAC or AAC in M4A: an encoder gives packets, and the container is written around them. */
export async function openPacketEncoder(
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
