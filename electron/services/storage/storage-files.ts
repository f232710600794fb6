import type { Result } from '../../../shared/result/result.ts';

/** What the app stores, by purpose. `app` is the rest: settings, reserve, and the browser part's data. */
export type StoragePart = 'library' | 'prepared' | 'backups' | 'practice' | 'peaks' | 'log' | 'app';

/** Parts that can be removed individually. */
export type CleanablePart = 'prepared' | 'backups' | 'practice' | 'peaks' | 'log';

/** Names of extracted audio that must stay; null: all of them. */
export type KeptAudio = ReadonlySet<string> | null;

export interface PartUse {
  readonly part: StoragePart;
  /** Lengths of its files. */
  readonly bytes: number;
  /** How many bytes `remove` would delete; 0 where the part can't be removed individually. */
  readonly removableBytes: number;
}

export interface StorageUse {
  readonly parts: readonly PartUse[];
  /** Free space on the disk for this user; null when the system does not report it. */
  readonly freeBytes: number | null;
  /** Name of the folder that the user moved the library into, without its path; null: the app's own folder. */
  readonly movedTo: string | null;
}

/** How far moving the library is; bytes. */
export interface MoveProgress {
  readonly step: 'copying' | 'checking';
  readonly copiedBytes: number;
  readonly totalBytes: number;
}

/** The app's own folder, for the storage page. Only files that the app itself creates are ever removed. */
export interface StorageFiles {
  /** Bytes by part, and how many of them can be removed; `kept` are the files that transcripts still play. */
  measure(kept: KeptAudio): Promise<StorageUse>;
  /**
   * `prepared` leaves the files in `kept`; `backups` leaves the newest backup; `practice` needs its library and service
   * to be closed (E-183 when another process has it open). E-185 and related rows when the disk refuses.
   */
  remove(part: CleanablePart, kept: KeptAudio): Promise<Result<null>>;
  /** Everything except the settings file and the locks; both libraries must be closed. */
  removeEverything(): Promise<Result<null>>;
  /** The path of the library inside a folder that the user chose; E-239 with the reason why not. Nothing is written. */
  judgeMove(chosen: string): Promise<Result<{ readonly path: string; readonly isNetwork: boolean }>>;
  /**
   * Copies, verifies, then switches to the new path, then removes the old files; the library must be closed. E-239;
   * nothing is lost on failure. `leftBytes`: old files that could not be deleted.
   */
  move(
    path: string,
    onProgress: (progress: MoveProgress) => void,
    signal: AbortSignal,
  ): Promise<Result<{ readonly leftBytes: number }>>;
}
