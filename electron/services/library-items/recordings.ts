import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { FilePort, LibraryStore, TranscriptMedia } from '../library/store.ts';
import { isPrepared, noRecording, placeOfAudio, type AudioExtractor } from '../media/audio-extractor.ts';

/** How far a search for recordings is. */
export interface FindingProgress {
  readonly checkedCount: number;
  readonly totalCount: number;
  readonly foundCount: number;
}

/** Recordings of transcripts that are not where they were. */
export interface Recordings {
  /** Those that are missing now, including those that were never here. */
  missing(): Promise<Result<readonly TranscriptMedia[], Failure>>;
  /**
   * Searches everything below the folders for missing recordings. A file matches when its whole content is the one that
   * was sent, whatever its name.
   */
  find(
    folders: readonly string[],
    onProgress: (progress: FindingProgress) => void,
    signal: AbortSignal,
  ): Promise<Result<FindingProgress, Failure>>;
}

export interface RecordingsPorts {
  readonly store: Pick<LibraryStore, 'listMedia' | 'relocateMedia'>;
  readonly files: Pick<FilePort, 'walk' | 'peek' | 'hash' | 'isThere'>;
  readonly extractor: AudioExtractor;
}

const askedAtOnce = 32;

export function createRecordings({ store, files, extractor }: RecordingsPorts): Recordings {
  const missing: Recordings['missing'] = async () => {
    const listed = store.listMedia();
    if (!listed.ok) return listed;
    const gone: TranscriptMedia[] = [];
    for (let at = 0; at < listed.value.length; at += askedAtOnce) {
      const some = listed.value.slice(at, at + askedAtOnce);
      // oxlint-disable-next-line no-await-in-loop -- so many at once and no more
      const there = await Promise.all(some.map(({ path }) => files.isThere(placeOfAudio(extractor, path))));
      gone.push(...some.filter((_, index) => there[index] !== true));
    }
    return ok(gone);
  };
  return {
    missing,
    async find(folders, onProgress, signal) {
      const gone = await missing();
      if (!gone.ok) return gone;
      // Extracted audio can be extracted again in the editor, and a recording that was never here has no known content.
      const wanted = gone.value.filter(({ path }) => !isPrepared(path) && !path.startsWith(noRecording));
      const sizes = new Set(wanted.map(({ sizeBytes }) => sizeBytes));
      const found = new Set<string>();
      const { files: candidates } = await files.walk(folders);
      const progress = (checkedCount: number): FindingProgress => ({
        checkedCount,
        totalCount: candidates.length,
        foundCount: found.size,
      });
      for (const [at, { path }] of candidates.entries()) {
        if (signal.aborted || found.size === wanted.length) break;
        onProgress(progress(at));
        // oxlint-disable-next-line no-await-in-loop -- a disk is read one file after another
        const seen = await files.peek(path);
        // Only a file of the same size can match, so few files are read completely.
        if (!seen.ok || !sizes.has(seen.value.sizeBytes)) continue;
        // oxlint-disable-next-line no-await-in-loop -- the same
        const content = await files.hash(path, signal);
        if (!content.ok) continue;
        for (const { transcriptId, sha256 } of wanted) {
          if (sha256 !== content.value.sha256 || found.has(transcriptId)) continue;
          const moved = store.relocateMedia(transcriptId, path);
          if (!moved.ok) return moved;
          found.add(transcriptId);
        }
      }
      const end = progress(candidates.length);
      onProgress(end);
      return ok(end);
    },
  };
}
