import { EncodedPacketSink } from 'mediabunny';
import { AacDecoder } from '../domain/audio/aac/aac-decoder.ts';
import { whole, type Decode } from './decoded-audio.ts';
import { bytesOf, openMedia, primaryTrack, secondsOf } from './media-input.ts';

/** A frame overlaps with the one before it. */
const runUpSeconds = 0.2;

/** The browser's decoder takes several times as long and frees packets late. */
export const decodeAac: Decode = async function* (source, part = whole) {
  const input = openMedia(source);
  try {
    const track = await primaryTrack(input);
    const description = bytesOf((await track.getDecoderConfig())?.description);
    if (description.length === 0) throw new Error('The recording does not describe its sound');
    const decoder = new AacDecoder({ description });
    const { from, to } = await secondsOf(track, part);
    const sink = new EncodedPacketSink(track);
    const first = part.index > 0 ? await sink.getPacket(from - runUpSeconds) : null;
    for await (const { data, timestamp } of sink.packets(first ?? undefined)) {
      if (timestamp >= to) return;
      const { channels, sampleRate } = decoder.decode(data);
      const frames = channels[0]?.length ?? 0;
      // Samples before time zero are the encoder's padding, which players skip.
      const skip = Math.min(frames, Math.max(0, Math.round((from - timestamp) * sampleRate)));
      const stop = Math.min(frames, Math.round((to - timestamp) * sampleRate));
      if (stop > skip)
        yield { channels: channels.map((samples) => samples.subarray(skip, stop)), frames: stop - skip, sampleRate };
    }
  } finally {
    input.dispose();
  }
};
