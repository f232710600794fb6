import type { Result } from '../../../shared/result/result.ts';

/** What the app keeps, by what it is for. `app` is the rest: settings, reserve, and what the browser part keeps. */
export type StoragePart = 'library' | 'prepared' | 'backups' | 'practice' | 'peaks' | 'log' | 'app';

/** Parts that can be removed by themselves. */
export type CleanablePart = 'prepared' | 'backups' | 'practice' | 'peaks' | 'log';

/** Names of extracted audio that have to stay; null: all of them. */
export type KeptAudio = ReadonlySet<string> | null;

export interface PartUse {
  readonly part: StoragePart;
  /** Lengths of its files. */
  readonly bytes: number;
  /** How much of it `remove` would take away; 0 where the part can't be removed by itself. */
  readonly removableBytes: number;
}

export interface StorageUse {
  readonly parts: readonly PartUse[];
  /** What the disk still gives to this person; null when the system would not say. */
  readonly freeBytes: number | null;
  /** Name of the folder that a person moved the library into, without where it is; null: the app's own folder. */
  readonly movedTo: string | null;
}

/** How far moving the library is; bytes. */
export interface MoveProgress {
  readonly step: 'copying' | 'checking';
  readonly copiedBytes: number;
  readonly totalBytes: number;
}

/** The app's own folder as the storage page sees it. Only files that the app itself makes are ever removed. */
export interface StorageFiles {
  /** Bytes by part, and how many of them may go; `kept` are the files that transcripts still play. */
  measure(kept: KeptAudio): Promise<StorageUse>;
  /**
   * `prepared` leaves the files in `kept`; `backups` leaves the newest copy; `practice` needs its library and service
   * to be closed (E-183 when another
   * process has it). E-185 and its relatives when the disk refuses.
   */
  remove(part: CleanablePart, kept: KeptAudio): Promise<Result<null>>;
  /** Everything but the settings file and the locks; both libraries have to be closed. */
  removeEverything(): Promise<Result<null>>;
  /** Where the library would go inside a folder that a person chose; E-239 says why not there. Nothing is written. */
  judgeMove(chosen: string): Promise<Result<{ readonly path: string; readonly isNetwork: boolean }>>;
  /**
   * Copies, checks, then changes the place, then removes; the library has to be closed. E-239; nothing lost before.
   * `leftBytes`: old files that would not go.
   */
  move(
    path: string,
    tell: (progress: MoveProgress) => void,
    signal: AbortSignal,
  ): Promise<Result<{ readonly leftBytes: number }>>;
}
