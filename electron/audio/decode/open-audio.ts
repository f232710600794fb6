import type { FileHandle } from 'node:fs/promises';
import { Undecodable } from '../../../shared/domain/audio/pcm-block.ts';
import { fileKindOf } from './file-kind.ts';
import type { OpenedAudio } from './opened-audio.ts';
import { openWav } from './wav.ts';

/**
 * Judges by the first bytes, never by the name. The first sample given is the one at `fromSecond`. Loads the decoder of
 * the kind alone: all of them take longer to load than an hour of WAV to read.
 */
export async function openAudio(file: FileHandle, path: string, fromSecond = 0): Promise<OpenedAudio> {
  const head = Buffer.alloc(4096);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  const kind = fileKindOf(head.subarray(0, bytesRead));
  switch (kind) {
    case null:
      throw new Undecodable('unsupported_media_type', 'not a sound file of a known kind');
    case 'wav':
      return openWav(file, fromSecond);
    case 'mp3':
      return (await import('./mp3.ts')).openMp3(file, fromSecond);
    case 'flac':
      return (await import('./flac.ts')).openFlac(file, fromSecond);
    case 'ogg':
    case 'webm':
    case 'mp4':
    case 'adts':
      return (await import('./packets.ts')).openPackets(path, kind, fromSecond);
  }
}
