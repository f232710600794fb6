import { AudioSampleSink } from 'mediabunny';
import type { Decode } from './decoded-audio.ts';
import { middleOf, openMediaInput, primaryTrack } from './media-input.ts';

/** Whatever the browser decodes (AAC above all), packet by packet and never as a whole file. */
export const decodeWebCodecs: Decode = async function* (url, part = 'all') {
  const input = openMediaInput(url);
  try {
    const track = await primaryTrack(input);
    if (!(await track.canDecode())) throw new Error('The browser has no decoder for this sound');
    const middle = part === 'all' ? null : await middleOf(track);
    const [from, to] = part === 'second' ? [middle ?? undefined, undefined] : [undefined, middle ?? undefined];
    let buffers: Float32Array<ArrayBuffer>[] = [];
    for await (const sample of new AudioSampleSink(track).samples(from, to)) {
      try {
        const { numberOfChannels, numberOfFrames: frames, sampleRate } = sample;
        if ((buffers[0]?.length ?? 0) < frames || buffers.length !== numberOfChannels) {
          buffers = Array.from({ length: numberOfChannels }, () => new Float32Array(frames));
        }
        for (const [planeIndex, buffer] of buffers.entries()) {
          sample.copyTo(buffer.subarray(0, frames), { planeIndex, format: 'f32-planar' });
        }
        // Samples before time zero are the encoder's padding, which players skip.
        const skip = Math.min(frames, Math.max(0, Math.round(((from ?? 0) - sample.timestamp) * sampleRate)));
        const stop = to === undefined ? frames : Math.min(frames, Math.round((to - sample.timestamp) * sampleRate));
        if (stop > skip)
          yield { channels: buffers.map((buffer) => buffer.subarray(skip, stop)), frames: stop - skip, sampleRate };
      } finally {
        sample.close();
      }
    }
  } finally {
    input.dispose();
  }
};
