import { ok, type Result } from '../../../shared/result/result.ts';
import type { FilePort, TranscriptMedia } from '../library/store.ts';
import { isPrepared, noRecording, placeOfAudio, type AudioExtractor } from '../media/audio-extractor.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';

export interface FindingProgress {
  readonly checkedCount: number;
  readonly totalCount: number;
  readonly foundCount: number;
}

const askedAtOnce = 32;

interface RecordingsPorts {
  readonly store: Pick<LibraryStore, 'listMedia' | 'relocateMedia'>;
  readonly files: Pick<FilePort, 'walk' | 'peek' | 'hash' | 'isThere'>;
  readonly extractor: AudioExtractor;
}

export function createRecordings({ store, files, extractor }: RecordingsPorts) {
  const missing = async (): Promise<Result<readonly TranscriptMedia[]>> => {
    const listed = store.listMedia();
    if (!listed.ok) return listed;
    const gone: TranscriptMedia[] = [];
    for (let at = 0; at < listed.value.length; at += askedAtOnce) {
      const some = listed.value.slice(at, at + askedAtOnce);
      const there = await Promise.all(some.map(({ path }) => files.isThere(placeOfAudio(extractor, path))));
      gone.push(...some.filter((_, index) => there[index] !== true));
    }
    return ok(gone);
  };
  return {
    missing,
    /** A file below the folders matches when its whole content is the one that was sent, whatever its name. */
    async find(
      folders: readonly string[],
      onProgress: (progress: FindingProgress) => void,
      signal: AbortSignal,
    ): Promise<Result<FindingProgress>> {
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
        const seen = await files.peek(path);
        // Only a file of the same size can match, so few files are read completely.
        if (!seen.ok || !sizes.has(seen.value.sizeBytes)) continue;
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
