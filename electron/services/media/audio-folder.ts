import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';

/** A library's folder for audio that jobs produced. Only names are stored, no paths, so that a library can be moved. */
export interface AudioFolder {
  /** Where this file is, or will be. */
  pathOf(fileName: string): string;
  /** False when the file is gone or the target cannot be written. */
  copyTo(fileName: string, target: string): Promise<boolean>;
  /** Deletes all files with this name and all whose names begin with it (`{name}-wav.wav`). */
  removeAll(name: string): Promise<void>;
  /** The path for a new file, after removing the leftovers of an interrupted run. E-175 when the disk refuses. */
  prepare(name: string): Promise<Result<string, Failure>>;
  /** The file with this name, whatever its extension; null when there is none. */
  find(name: string): Promise<{ readonly fileName: string; readonly sizeBytes: number } | null>;
  /** Gives a file that was written there its final name: `{name}.{extension}`. */
  keep(name: string, extension: string): Promise<Result<string, Failure>>;
}

/** Cached peaks by the content hash of their recording (64 hex digits). Losing one costs a second of computing. */
export interface PeaksStore {
  /** Null when there are none or they can't be read. */
  read(sha256: string): Promise<Uint8Array | null>;
  /** False when the disk would not take it. */
  write(sha256: string, peaks: Uint8Array): Promise<boolean>;
  remove(sha256: string): Promise<void>;
}
