import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  FilePathTarget,
  FlacOutputFormat,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WavOutputFormat,
  type OutputFormat,
} from 'mediabunny';
import type { SoundExtension } from '../../../../shared/domain/media/sound-plan.ts';
import { openMedia } from './probe-sound.ts';

function formatFor(extension: SoundExtension): OutputFormat {
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
 * Moves the sound of a recording into a file of its own, packet by packet, without decoding. The new file begins with
 * the first packet. Throws when the recording is damaged or the disk takes no more.
 */
export async function copySound(
  from: string,
  to: string,
  extension: SoundExtension,
  onShare: (share: number) => void,
): Promise<void> {
  const input = openMedia(from);
  const output = new Output({ format: formatFor(extension), target: new FilePathTarget(to) });
  try {
    const track = await input.getPrimaryAudioTrack();
    const codec = track === null ? null : await track.getCodec();
    const decoderConfig = track === null ? null : await track.getDecoderConfig();
    if (track === null || codec === null || decoderConfig === null) throw new Error('no sound that can be copied');
    const source = new EncodedAudioPacketSource(codec);
    output.addAudioTrack(source);
    await output.start();
    const first = await track.getFirstTimestamp();
    const seconds = (await track.getDurationFromMetadata().catch(() => null)) ?? 0;
    let meta: { decoderConfig: AudioDecoderConfig } | undefined = { decoderConfig };
    for await (const packet of new EncodedPacketSink(track).packets()) {
      await source.add(packet.clone({ timestamp: packet.timestamp - first }), meta);
      meta = undefined;
      onShare(seconds > 0 ? Math.min(1, packet.timestamp / seconds) : 0);
    }
    await output.finalize();
  } catch (error) {
    await output.cancel().catch(() => undefined);
    throw error;
  } finally {
    input.dispose();
  }
}
