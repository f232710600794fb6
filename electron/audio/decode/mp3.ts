import type { FileHandle } from 'node:fs/promises';
import { MPEGDecoder } from 'mpg123-decoder';
import type { OpenedSound, PcmBlock } from './sound.ts';

const chunkBytes = 16 * 1024;

async function* decodeChunks(file: FileHandle): AsyncGenerator<PcmBlock> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const buffer = Buffer.alloc(chunkBytes);
    let position = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      const { channelData, sampleRate, samplesDecoded } = decoder.decode(buffer.subarray(0, bytesRead));
      if (samplesDecoded > 0) yield { channels: channelData, sampleRate };
    }
  } finally {
    decoder.free();
  }
}

/** MP3 as a plain stream: the decoder finds the frames, skips tags and cuts the encoder's padding where it is told of. */
export const openMp3 = (file: FileHandle): OpenedSound => ({
  container: 'mp3',
  codec: 'mp3',
  blocks: decodeChunks(file),
});
