import { AudioSample, CustomAudioDecoder, type AudioCodec, type EncodedPacket } from 'mediabunny';
import { AacDecoder } from '../../../shared/domain/audio/aac/aac-decoder.ts';
import { readAudioConfig } from '../../../shared/domain/audio/aac/audio-config.ts';
import { bytesOf, lowComplexity } from '../../../shared/decoding/media-input.ts';

/**
 * Our decoder of AAC in the place of the browser's, for reading whole recordings: the browser takes several times as
 * long and lets go of packets late (decision 0041).
 */
export class AacSampleDecoder extends CustomAudioDecoder {
  #decoder: AacDecoder | null = null;

  static override supports(codec: AudioCodec, config: AudioDecoderConfig): boolean {
    if (codec !== 'aac' || config.codec !== lowComplexity || config.description === undefined) return false;
    try {
      readAudioConfig(bytesOf(config.description));
      return true;
    } catch {
      return false;
    }
  }

  override init(): void {
    this.#decoder = new AacDecoder({ description: bytesOf(this.config.description) });
  }

  override decode({ data, timestamp }: EncodedPacket): void {
    const { channels, sampleRate } = this.#decoder!.decode(data);
    const frames = channels[0]?.length ?? 0;
    const planes = new Float32Array(frames * channels.length);
    for (const [index, plane] of channels.entries()) planes.set(plane, index * frames);
    const numberOfChannels = channels.length;
    this.onSample(new AudioSample({ data: planes, format: 'f32-planar', numberOfChannels, sampleRate, timestamp }));
  }

  override flush(): void {
    // Each packet gives its samples at once.
  }

  override close(): void {
    this.#decoder = null;
  }
}
