import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export const objectTypes = {
  wav: 'audio/wav',
  flac: 'audio/flac',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  bin: 'application/octet-stream',
} as const;
export type ObjectExtension = keyof typeof objectTypes;

/** An object is named after its identifier and its kind, for example `gen_1-wav`. */
export const objectName = (id: string, extension: ObjectExtension): string => `${id}-${extension}`;

export interface StoredObject {
  readonly path: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly etag: string;
}

/** Files that the service created for a user, in one folder. */
export class ObjectStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The path of an object; null for a name that can't be one of ours. */
  pathOf(object: string): string | null {
    const [, id, extension] = /^([\w]{1,64})-([a-z0-9]{2,4})$/.exec(object) ?? [];
    return id === undefined || extension === undefined || !Object.hasOwn(objectTypes, extension)
      ? null
      : join(this.#folder, `${id}.${extension}`);
  }

  #sureOf(object: string): string {
    const path = this.pathOf(object);
    if (path === null) throw new Error(`${object} is no name of an object`);
    return path;
  }

  /** Returns when the bytes are on the disk. */
  async write(object: string, bytes: Buffer): Promise<void> {
    const file = await open(this.#sureOf(object), 'w', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async find(object: string): Promise<StoredObject | null> {
    const path = this.pathOf(object);
    if (path === null) return null;
    const found = await stat(path).catch(() => null);
    if (found === null) return null;
    const extension = object.slice(object.lastIndexOf('-') + 1) as ObjectExtension;
    const etag = `"${found.size.toString(16)}-${Math.round(found.mtimeMs).toString(16)}"`;
    return { path, sizeBytes: found.size, contentType: objectTypes[extension], etag };
  }

  async remove(object: string): Promise<void> {
    await rm(this.#sureOf(object), { force: true });
  }
}
