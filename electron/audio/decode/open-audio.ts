import type { FileHandle } from 'node:fs/promises';
import { fileKindOf } from './file-kind.ts';
import { openPackets } from './packets.ts';
import { type PcmBlock, Undecodable } from '../../../shared/domain/audio/pcm-block.ts';
import { type OpenedAudio, refuseTooMuch } from './pcm-block.ts';
import { openWav } from './wav.ts';
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { MPEGDecoder } from 'mpg123-decoder';

const chunkBytes = 16 * 1024;

async function* decodeMp3(file: FileHandle): AsyncGenerator<PcmBlock> {
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

/**
 * MP3 as a plain stream: the decoder finds the frames, skips tags and removes the encoder's padding where the file
 * declares it.
 */
const openMp3 = (file: FileHandle): OpenedAudio => ({
  container: 'mp3',
  codec: 'mp3',
  blocks: decodeMp3(file),
});

const mostBytes = 32 * 1024;
const leastBytes = 128;
/** Silence compresses to a few bytes a second, so pieces get smaller when one yields this many samples. */
const samplesAtOnce = 2 ** 20;

async function* decodeFlac(file: FileHandle): AsyncGenerator<PcmBlock> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  try {
    let position = 0;
    let chunkBytes = 1024;
    for (;;) {
      // The parser keeps unused bytes of its input, so each piece needs memory of its own.
      const buffer = new Uint8Array(chunkBytes);
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, position);
      position += bytesRead;
      const decoded = bytesRead === 0 ? await decoder.flush() : await decoder.decode(buffer.subarray(0, bytesRead));
      const samples = decoded.samplesDecoded * decoded.channelData.length;
      if (samples > samplesAtOnce) chunkBytes = Math.max(leastBytes, chunkBytes / 2);
      else if (samples < samplesAtOnce / 4) chunkBytes = Math.min(mostBytes, chunkBytes * 2);
      if (decoded.samplesDecoded > 0) yield { channels: decoded.channelData, sampleRate: decoded.sampleRate };
      if (bytesRead === 0) return;
    }
  } finally {
    decoder.free();
  }
}

/**
 * Offset at which the first block of a FLAC file has rate (20 bits), channels (3), depth (5) and number of samples
 * (36).
 */
const factsAt = 18;

/**
 * FLAC as a plain stream: mediabunny's reader of this container never returns from some files that are cut short.
 * `head` begins with the marker of FLAC, unless a tag stands in front of it.
 */
function openFlac(file: FileHandle, head: Buffer): OpenedAudio {
  if (head.toString('latin1', 0, 4) === 'fLaC' && head.length >= factsAt + 8) {
    const facts = head.readBigUInt64BE(factsAt);
    const rate = Number(facts >> 44n);
    const channels = Number((facts >> 41n) & 7n) + 1;
    if (rate > 0) refuseTooMuch(Number(facts & 0xf_ffff_ffffn) / rate, rate * channels);
  }
  return { container: 'flac', codec: 'flac', blocks: decodeFlac(file) };
}

/** Judges by the first bytes, never by the name, and delegates to the reader of that container. */
export async function openAudio(file: FileHandle, path: string): Promise<OpenedAudio> {
  const { size } = await file.stat();
  const head = Buffer.alloc(Math.min(size, 4096));
  await file.read(head, 0, head.length, 0);
  const kind = fileKindOf(head);
  switch (kind) {
    case null:
      throw new Undecodable('unsupported_media_type', 'not a sound file of a known kind');
    case 'wav':
      return openWav(file, size);
    case 'mp3':
      return openMp3(file);
    case 'flac':
      return openFlac(file, head);
    case 'ogg':
    case 'webm':
    case 'mp4':
    case 'adts':
      return openPackets(path, kind);
  }
}
