/** Cached peaks by the content hash of their recording (64 hex digits). Losing one costs a second of computing. */
export interface PeaksStore {
  /** Null when there are none or they can't be read. */
  read(sha256: string): Promise<Uint8Array | null>;
  /** False when the disk would not take it. */
  write(sha256: string, peaks: Uint8Array): Promise<boolean>;
}
