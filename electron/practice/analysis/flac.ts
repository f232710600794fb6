import type { FileHandle } from 'node:fs/promises';
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import type { OpenedSound, PcmBlock } from './sound.ts';

const mostBytes = 32 * 1024;
const leastBytes = 128;
/** Silence is a few bytes a second: pieces get smaller while so many samples come of one. */
const mostSamples = 2 ** 20;

async function* decodeChunks(file: FileHandle): AsyncGenerator<PcmBlock> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  try {
    let position = 0;
    let chunkBytes = 1024;
    for (;;) {
      // The parser keeps what it has not used yet, so each piece needs memory of its own.
      const buffer = new Uint8Array(chunkBytes);
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, position);
      position += bytesRead;
      const decoded = bytesRead === 0 ? await decoder.flush() : await decoder.decode(buffer.subarray(0, bytesRead));
      const samples = decoded.samplesDecoded * decoded.channelData.length;
      if (samples > mostSamples) chunkBytes = Math.max(leastBytes, chunkBytes / 2);
      else if (samples < mostSamples / 4) chunkBytes = Math.min(mostBytes, chunkBytes * 2);
      if (decoded.samplesDecoded > 0) yield { channels: decoded.channelData, sampleRate: decoded.sampleRate };
      if (bytesRead === 0) return;
    }
  } finally {
    decoder.free();
  }
}

/** FLAC as a plain stream: mediabunny's reader of this container never returns from some files that are cut short. */
export const openFlac = (file: FileHandle): OpenedSound => ({
  container: 'flac',
  codec: 'flac',
  blocks: decodeChunks(file),
});
