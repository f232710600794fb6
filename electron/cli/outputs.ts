import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import type { ExportFormat } from '../../shared/domain/exports/formats.ts';
import { baseName, foldedName, safeFileName } from '../../shared/domain/exports/safe-file-name.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { ExportService } from '../services/exports/export-service.ts';
import type { FilePort } from '../services/library/store.ts';
import { isTaken, placeFile, unfinishedBeside } from '../platform/node/place-file.ts';
import { writeFailure } from '../platform/node/storage-failure.ts';

type Disk = Pick<FilePort, 'writeWhole'>;

/** Writes texts next to recordings or into one folder, and never over anything else. */
export class Outputs {
  readonly #exports: ExportService;
  readonly #formats: readonly ExportFormat[];
  readonly #outDir: string | null;
  readonly #disk: Disk;
  /** Paths used in this run, so that two recordings with the same name don't share a text. */
  readonly #taken = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(exports: ExportService, formats: readonly ExportFormat[], outDir: string | null, disk: Disk) {
    this.#exports = exports;
    this.#disk = disk;
    this.#formats = formats;
    this.#outDir = outDir === null ? null : resolve(outDir);
  }

  /**
   * Writes every format under one name. An existing file with the very same content is from an earlier run and stays;
   * with other content it belongs to somebody, and the new files get a number.
   */
  write(sourcePath: string, transcriptId: string): Promise<Result<readonly string[], Failure>> {
    // One write after another, because nothing else may run between finding a free name and taking it.
    const written = this.#last.then(() => this.#write(sourcePath, transcriptId));
    this.#last = written.catch(() => undefined);
    return written;
  }

  /**
   * Writes an unreadable answer where the text would go; null when that fails, in which case the library still keeps
   * it.
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
        const found = await lookAt(path, Buffer.from(text));
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
    const texts: { readonly format: ExportFormat; readonly bytes: Uint8Array }[] = [];
    for (const format of this.#formats) {
      const rendered = await this.#exports.render({ transcriptId, format, options: {} });
      if (!rendered.ok) return rendered;
      texts.push({ format, bytes: rendered.value.bytes });
    }
    try {
      if (this.#outDir !== null) await mkdir(this.#outDir, { recursive: true });
      for (let number = 1; ; number++) {
        const places = texts.map(({ format, bytes }) => {
          const suffix = `${number === 1 ? '' : ` (${number})`}${exporters[format].extension}`;
          return { bytes, path: join(folder, safeFileName(baseName(sourcePath), suffix)) };
        });
        if (places.some(({ path }) => this.#taken.has(foldedName(path)))) continue;
        const found = await Promise.all(places.map(({ path, bytes }) => lookAt(path, bytes)));
        if (found.includes('other')) continue;
        for (const { path } of places) this.#taken.add(foldedName(path));
        const written: string[] = [];
        for (const [index, { bytes, path }] of places.entries()) {
          const placed = found[index] === 'same' ? ok(path) : await this.#place(path, bytes);
          if (!placed.ok) return placed;
          written.push(placed.value);
        }
        return ok(written);
      }
    } catch (error) {
      return err(writeFailure(error));
    }
  }

  /** Never overwrites a file that appeared since the check: then this one gets a number of its own. */
  async #place(path: string, bytes: Uint8Array): Promise<Result<string, Failure>> {
    const unfinished = unfinishedBeside(path);
    try {
      const written = await this.#disk.writeWhole(unfinished, bytes);
      return written.ok ? await placeFile(unfinished, path, false) : written;
    } finally {
      await rm(unfinished, { force: true });
    }
  }
}

async function lookAt(path: string, bytes: Uint8Array): Promise<'free' | 'same' | 'other'> {
  try {
    const { size } = await stat(path);
    if (size !== bytes.byteLength) return 'other';
    return (await readFile(path)).equals(bytes) ? 'same' : 'other';
  } catch (error) {
    const isFree = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    // A dangling link has no size but still occupies the name.
    return isFree && !(await isTaken(path)) ? 'free' : 'other';
  }
}
