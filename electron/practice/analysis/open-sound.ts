import type { FileHandle } from 'node:fs/promises';
import { fileKindOf } from './file-kind.ts';
import { Undecodable, type OpenedSound } from './sound.ts';
import { openWav } from './wav.ts';

/** Looks at the first bytes and hands over to the decoder of that container. */
export async function openSound(file: FileHandle, _path: string): Promise<OpenedSound> {
  const { size } = await file.stat();
  const head = Buffer.alloc(Math.min(size, 4096));
  await file.read(head, 0, head.length, 0);
  const kind = fileKindOf(head);
  switch (kind) {
    case 'wav':
      return openWav(file, size);
    default:
      throw new Undecodable('unsupported_media_type', 'not a sound file of a known kind');
  }
}
