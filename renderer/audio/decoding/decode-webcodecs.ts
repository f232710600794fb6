import { AudioSampleSink } from 'mediabunny';
import type { ByteSource, DecodedAudio } from '../../../shared/decoding/decoded-audio.ts';
import { openMedia, primaryTrack } from '../../../shared/decoding/media-input.ts';

export async function* decodeWebCodecs(source: ByteSource): AsyncGenerator<DecodedAudio, void, undefined> {
  const input = openMedia(source);
  try {
    const track = await primaryTrack(input);
    if (!(await track.canDecode())) throw new Error('The browser has no decoder for this sound');
    let buffers: Float32Array<ArrayBuffer>[] = [];
    for await (const sample of new AudioSampleSink(track).samples()) {
      try {
        const { numberOfChannels, numberOfFrames: frames, sampleRate } = sample;
        if ((buffers[0]?.length ?? 0) < frames || buffers.length !== numberOfChannels)
          buffers = Array.from({ length: numberOfChannels }, () => new Float32Array(frames));
        for (const [planeIndex, buffer] of buffers.entries())
          sample.copyTo(buffer.subarray(0, frames), { planeIndex, format: 'f32-planar' });
        // Samples before time zero are the encoder's padding, which players skip.
        const skip = Math.min(frames, Math.max(0, Math.round(-sample.timestamp * sampleRate)));
        if (frames > skip)
          yield { channels: buffers.map((buffer) => buffer.subarray(skip, frames)), frames: frames - skip, sampleRate };
      } finally {
        sample.close();
      }
    }
  } finally {
    input.dispose();
  }
}
