import { closeSync, fdatasync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { wavHeader, wavHeaderBytes } from '../../../shared/domain/media/wav-header.ts';
import type { TakeSpool } from '../../services/dictation/take-engine.ts';

const rate = 16_000;
const syncEveryMs = 1000;
/** How much is kept in memory when the disk refuses: the last minute, from which phrases are still sent. */
const memoryBytes = 60 * rate * 2;

/**
 * The audio of one take as a WAV that any player opens, also after a crash: its header is at most a second behind, and
 * readers that go by the length of the file get everything.
 */
export class TakeFile implements TakeSpool {
  readonly #fd: number;
  readonly #onTrouble: (error: unknown) => void;
  /** Where the audio in memory belongs, after the header. */
  #bytes: number;
  /** Audio that the disk has not accepted yet; it comes after what is on disk. */
  #unwritten: Buffer = Buffer.alloc(0);
  #syncedAtMs = 0;
  #isSyncing = false;
  #isClosed = false;

  private constructor(fd: number, bytes: number, onTrouble: (error: unknown) => void) {
    this.#fd = fd;
    this.#bytes = bytes;
    this.#onTrouble = onTrouble;
  }

  /** A new file, readable by its owner only. */
  static create(path: string, onTrouble: (error: unknown) => void): TakeFile {
    const fd = openSync(path, 'wx+', 0o600);
    writeSync(fd, wavHeader(0, rate), 0, wavHeaderBytes, 0);
    return new TakeFile(fd, 0, onTrouble);
  }

  /** Opens an existing file. A partial sample that a crash left at its end is cut off. */
  static open(path: string, sizeBytes: number, onTrouble: (error: unknown) => void): TakeFile {
    const fd = openSync(path, 'r+');
    const bytes = Math.max(0, sizeBytes - wavHeaderBytes) & ~1;
    ftruncateSync(fd, wavHeaderBytes + bytes);
    writeSync(fd, wavHeader(bytes, rate), 0, wavHeaderBytes, 0);
    return new TakeFile(fd, bytes, onTrouble);
  }

  get samples(): number {
    return (this.#bytes + this.#unwritten.length) / 2;
  }

  /** What the disk refuses for longer than memory lasts is silence in the file: all other audio keeps its place. */
  append(pcm: Uint8Array): void {
    const waiting = this.#unwritten.length === 0 ? pcm : Buffer.concat([this.#unwritten, pcm]);
    try {
      let written = 0;
      while (written < waiting.length)
        written += writeSync(
          this.#fd,
          waiting,
          written,
          waiting.length - written,
          wavHeaderBytes + this.#bytes + written,
        );
      this.#bytes += waiting.length;
      this.#unwritten = Buffer.alloc(0);
      this.#syncNowAndThen();
    } catch (error) {
      const lostBytes = Math.max(0, waiting.length - memoryBytes);
      this.#bytes += lostBytes;
      this.#unwritten = Buffer.from(waiting.subarray(lostBytes));
      this.#onTrouble(error);
    }
  }

  read(fromSample: number, toSample: number): Uint8Array {
    const from = fromSample * 2;
    const audio = Buffer.alloc((toSample - fromSample) * 2);
    const fromDisk = Math.max(0, Math.min(audio.length, this.#bytes - from));
    if (fromDisk > 0) readSync(this.#fd, audio, 0, fromDisk, wavHeaderBytes + from);
    this.#unwritten.copy(audio, fromDisk, Math.max(0, from - this.#bytes));
    return audio;
  }

  /** Writes what is in memory and the length, and flushes everything. False while the disk refuses. */
  async finish(): Promise<boolean> {
    if (this.#isClosed) return true;
    this.append(new Uint8Array());
    if (this.#unwritten.length > 0) return false;
    try {
      this.#writeHeader();
    } catch (error) {
      this.#onTrouble(error);
      return false;
    }
    await new Promise<void>((resolve) => {
      fdatasync(this.#fd, () => resolve());
    });
    return true;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#fd);
  }

  #syncNowAndThen(): void {
    const nowMs = performance.now();
    if (this.#isSyncing || nowMs - this.#syncedAtMs < syncEveryMs) return;
    this.#syncedAtMs = nowMs;
    this.#isSyncing = true;
    this.#writeHeader();
    fdatasync(this.#fd, (error) => {
      this.#isSyncing = false;
      if (error !== null && !this.#isClosed) this.#onTrouble(error);
    });
  }

  #writeHeader(): void {
    writeSync(this.#fd, wavHeader(this.#bytes, rate), 0, wavHeaderBytes, 0);
  }
}

/** Audio that is already in a file, at some offset; read and never written. */
export async function openRecordedAudio(
  path: string,
  dataOffset: number,
): Promise<TakeSpool & { close(): Promise<void> }> {
  const file = await open(path, 'r');
  return {
    append: () => undefined,
    read(fromSample, toSample) {
      const audio = Buffer.alloc((toSample - fromSample) * 2);
      readSync(file.fd, audio, 0, audio.length, dataOffset + fromSample * 2);
      return audio;
    },
    close: () => file.close(),
  };
}
