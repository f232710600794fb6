import { existsSync, readFileSync } from 'node:fs';
import type Electron from 'electron';
import { sayGaps } from '../unsupported.ts';

/** A picture as its encoded bytes: enough to save one, pass one on, or ask for its size. Nothing here redraws it. */
export function makeImage(bytes: Buffer): Electron.NativeImage {
  const isPng = bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47;
  const size = isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : { width: 0, height: 0 };
  const image = {
    isEmpty: () => bytes.length === 0,
    getSize: () => size,
    getAspectRatio: () => (size.height === 0 ? 1 : size.width / size.height),
    toPNG: () => bytes,
    toDataURL: () => `data:image/png;base64,${bytes.toString('base64')}`,
    isTemplateImage: () => false,
  } satisfies Partial<Electron.NativeImage>;
  return sayGaps(image, 'nativeImage', { cosmetic: ['setTemplateImage'] }) as unknown as Electron.NativeImage;
}

export const nativeImage = sayGaps(
  {
    createEmpty: () => makeImage(Buffer.alloc(0)),
    createFromPath: (path: string) => makeImage(existsSync(path) ? readFileSync(path) : Buffer.alloc(0)),
    createFromBuffer: (bytes: Buffer) => makeImage(bytes),
    createFromDataURL: (url: string) => makeImage(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')),
  } satisfies Partial<typeof Electron.nativeImage>,
  'nativeImage',
);
