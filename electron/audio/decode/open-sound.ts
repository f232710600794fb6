import type { FileHandle } from 'node:fs/promises';
import { fileKindOf } from './file-kind.ts';
import { openFlac } from './flac.ts';
import { openMp3 } from './mp3.ts';
import { openPackets } from './packets.ts';
import { Undecodable, type OpenedSound } from './sound.ts';
import { openWav } from './wav.ts';

/** Looks at the first bytes, never at the name, and hands over to the reader of that container. */
export async function openSound(file: FileHandle, path: string): Promise<OpenedSound> {
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
