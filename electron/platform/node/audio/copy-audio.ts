import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  type EncodedPacket,
  FilePathTarget,
  FlacOutputFormat,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WavOutputFormat,
  type OutputFormat,
} from 'mediabunny';
import type { RecordingPart } from '../../../../shared/domain/jobs/job-kind.ts';
import type { AudioExtension } from '../../../../shared/domain/media/audio-plan.ts';
import { openMedia, openRecording } from './probe-audio.ts';

function formatFor(extension: AudioExtension): OutputFormat {
  switch (extension) {
    case 'm4a':
      return new Mp4OutputFormat({ fastStart: false });
    case 'ogg':
      return new OggOutputFormat();
    case 'mp3':
      return new Mp3OutputFormat();
    case 'flac':
      return new FlacOutputFormat();
    case 'wav':
      return new WavOutputFormat({ large: false });
  }
}

/**
 * Copies the audio of a recording, or of a part of it, into a file of its own, packet by packet, without decoding. The
 * new file begins with the first packet, which may start up to one packet before the part. Throws when the recording is
 * damaged or the disk is full.
 */
export async function copyAudio(
  from: string,
  to: string,
  extension: AudioExtension,
  onShare: (share: number) => void,
  part?: RecordingPart,
): Promise<void> {
  const input = part === undefined ? openMedia(from) : openRecording(from);
  const output = new Output({ format: formatFor(extension), target: new FilePathTarget(to) });
  try {
    const track = await input.getPrimaryAudioTrack();
    const codec = track === null ? null : await track.getCodec();
    const decoderConfig = track === null ? null : await track.getDecoderConfig();
    if (track === null || codec === null || decoderConfig === null) throw new Error('no sound that can be copied');
    const source = new EncodedAudioPacketSource(codec);
    output.addAudioTrack(source);
    await output.start();
    const sink = new EncodedPacketSink(track);
    const firstPacket = part === undefined ? null : await sink.getPacket(part.startMs / 1000);
    // Uncompressed samples can be split anywhere, others only between packets.
    const isExact = part !== undefined && codec.startsWith('pcm');
    const begin = firstPacket?.timestamp ?? (await track.getFirstTimestamp());
    const first = isExact ? Math.max(begin, part.startMs / 1000) : begin;
    const end = part === undefined ? Infinity : part.endMs / 1000;
    const seconds = part === undefined ? ((await track.getDurationFromMetadata().catch(() => null)) ?? 0) : end - first;
    let meta: { decoderConfig: AudioDecoderConfig } | undefined = { decoderConfig };
    for await (const packet of sink.packets(firstPacket ?? undefined)) {
      if (packet.timestamp >= end) break;
      const own = isExact ? samplesBetween(packet, first, end, decoderConfig.sampleRate) : packet;
      await source.add(own.clone({ timestamp: own.timestamp - first }), meta);
      meta = undefined;
      onShare(seconds > 0 ? Math.min(1, (packet.timestamp - first) / seconds) : 0);
    }
    await output.finalize();
  } catch (error) {
    await output.cancel().catch(() => undefined);
    throw error;
  } finally {
    input.dispose();
  }
}

/** The samples of a packet between two moments, both in seconds of the recording. */
function samplesBetween(packet: EncodedPacket, from: number, to: number, rate: number): EncodedPacket {
  const frames = Math.round(packet.duration * rate);
  const bytesPerFrame = packet.data.length / frames;
  const skipped = Math.min(frames, Math.max(0, Math.round((from - packet.timestamp) * rate)));
  const kept = Math.min(frames, Math.max(skipped, Math.round((to - packet.timestamp) * rate)));
  return packet.clone({
    data: packet.data.subarray(skipped * bytesPerFrame, kept * bytesPerFrame),
    timestamp: packet.timestamp + skipped / rate,
    duration: (kept - skipped) / rate,
  });
}
