import { mkdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { exporters, type ExporterId } from '../../shared/domain/exports/exporters.ts';
import { baseName, foldedName, safeFileName } from '../../shared/domain/exports/safe-file-name.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { ExportService } from '../services/exports/export-service.ts';
import type { FilePort } from '../services/library/store.ts';
import { writeFailure } from '../platform/node/storage-failure.ts';

type Disk = Pick<FilePort, 'writeWhole'>;

/** Puts texts beside recordings or into one folder, and never in place of something else. */
export class Outputs {
  readonly #exports: ExportService;
  readonly #formats: readonly ExporterId[];
  readonly #outDir: string | null;
  readonly #disk: Disk;
  /** Paths given out in this run, so that two recordings of one name do not share a text. */
  readonly #taken = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(exports: ExportService, formats: readonly ExporterId[], outDir: string | null, disk: Disk) {
    this.#exports = exports;
    this.#disk = disk;
    this.#formats = formats;
    this.#outDir = outDir === null ? null : resolve(outDir);
  }

  /**
   * Writes every format under one name. A file that is there already with the very same content is ours from an
   * earlier run and stays; with other content it is somebody's, and the new files get a number.
   */
  write(sourcePath: string, transcriptId: string): Promise<Result<readonly string[], Failure>> {
    // One after the other: between looking for a free name and taking it nobody else may look.
    const written = this.#last.then(() => this.#write(sourcePath, transcriptId));
    this.#last = written.catch(() => undefined);
    return written;
  }

  /**
   * Writes an answer that nobody could read to where the text would be; null when there is no place for it, and the
   * library keeps it anyway.
   */
  writeRaw(
    sourcePath: string,
    answer: { readonly suggestedName: string; readonly text: string },
  ): Promise<string | null> {
    const written = this.#last.then(() => this.#writeRaw(sourcePath, answer));
    this.#last = written.catch(() => undefined);
    return written;
  }

  async #writeRaw(
    sourcePath: string,
    { suggestedName, text }: { readonly suggestedName: string; readonly text: string },
  ): Promise<string | null> {
    const folder = this.#outDir ?? dirname(sourcePath);
    const extension = extname(suggestedName);
    try {
      if (this.#outDir !== null) await mkdir(this.#outDir, { recursive: true });
      for (let number = 1; ; number++) {
        const suffix = `${number === 1 ? '' : ` (${number})`}${extension}`;
        const path = join(folder, safeFileName(basename(suggestedName, extension), suffix));
        const found = await lookAt(path, text);
        if (found === 'other') continue;
        if (found === 'same') return path;
        const saved = await this.#disk.writeWhole(path, text);
        return saved.ok ? path : null;
      }
    } catch (error) {
      writeFailure(error);
      return null;
    }
  }

  async #write(sourcePath: string, transcriptId: string): Promise<Result<readonly string[], Failure>> {
    const folder = this.#outDir ?? dirname(sourcePath);
    const texts: { readonly format: ExporterId; readonly text: string }[] = [];
    for (const format of this.#formats) {
      const rendered = await this.#exports.render(transcriptId, format);
      if (!rendered.ok) return rendered;
      texts.push({ format, text: rendered.value.text });
    }
    try {
      if (this.#outDir !== null) await mkdir(this.#outDir, { recursive: true });
      for (let number = 1; ; number++) {
        const places = texts.map(({ format, text }) => {
          const suffix = `${number === 1 ? '' : ` (${number})`}${exporters[format].extension}`;
          return { format, text, path: join(folder, safeFileName(baseName(sourcePath), suffix)) };
        });
        if (places.some(({ path }) => this.#taken.has(foldedName(path)))) continue;
        const found = await Promise.all(places.map(({ path, text }) => lookAt(path, text)));
        if (found.includes('other')) continue;
        for (const { path } of places) this.#taken.add(foldedName(path));
        for (const [index, { format, path }] of places.entries()) {
          if (found[index] === 'same') continue;
          const saved = await this.#exports.save(transcriptId, format, path);
          if (!saved.ok) return saved;
        }
        return ok(places.map(({ path }) => path));
      }
    } catch (error) {
      return err(writeFailure(error));
    }
  }
}

async function lookAt(path: string, text: string): Promise<'free' | 'same' | 'other'> {
  try {
    const { size } = await stat(path);
    if (size !== Buffer.byteLength(text)) return 'other';
    return (await readFile(path, 'utf8')) === text ? 'same' : 'other';
  } catch (error) {
    const isFree = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isFree ? 'free' : 'other';
  }
}
