import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { refKey } from '../../shared/domain/library/library-item.ts';
import type { ModeId } from '../../shared/domain/modes.ts';
import { findMatches, readSearch } from '../../shared/domain/search/search-query.ts';
import { withoutStruckWords } from '../../shared/domain/transcript/edit-marks.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { readStoredText } from '../storage/read-stored-text.ts';
import { openSearch } from '../workers/search/open-search.ts';
import { nameSpeaker } from '../workers/writing/writing-work.ts';
import { folderOf } from './open-service-session.ts';
import { readStoredExports, type StoredExports } from './stored-exports.ts';

/** A segment in the form that may leave the app: without cut words, redacted ones masked. */
export interface StoredSegment {
  readonly segmentId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly speaker: string | null;
  readonly text: string;
}

export interface StoredTranscriptText {
  readonly title: string;
  readonly language: string;
  readonly durationMs: number;
  readonly segments: readonly StoredSegment[];
}

export interface StoredMatch {
  readonly transcriptId: string;
  readonly title: string;
  readonly segments: readonly StoredSegment[];
  /** The number of all matches in it; `segments` has the first of them. */
  readonly momentCount: number;
}

/**
 * A library for other programs, readable while another process has it open. Nothing is changed except its search index.
 */
export interface StoredLibrary extends StoredExports {
  search(text: string, mostItems: number): Promise<Result<readonly StoredMatch[]>>;
  /** E-040 when there is no such transcript, or it is in the trash. */
  read(transcriptId: string): Result<StoredTranscriptText>;
  close(): Promise<void>;
}

/** The modules that serve the threads: for long work, and for audio. */
export interface StoredLibraryWorkers {
  readonly readingWorker: URL;
  readonly audioWorker: URL;
}

export function openStoredLibrary(
  mode: ModeId,
  dataDir: string,
  { readingWorker, audioWorker }: StoredLibraryWorkers,
): StoredLibrary {
  const stored = readStoredExports(mode, dataDir, audioWorker);
  const folder = folderOf(mode, dataDir);
  const library = join(folder, 'library.db');
  const search = openSearch(readingWorker, library, join(folder, 'search.db'));

  const readKnown = (transcriptId: string): Result<StoredTranscriptText> => {
    const found = readStoredText(library, transcriptId);
    if (!found.ok) return found;
    if (found.value === null) return err(localFailure('E-040', { code: 'unknown_transcript' }));
    const { title, transcript } = found.value;
    const { language, durationMs, speakers } = transcript;
    const names = new Map(speakers.map(({ id, name }, at) => [id, name ?? nameSpeaker(language, at + 1)]));
    const segments = withoutStruckWords(transcript).segments.map(({ id, startMs, endMs, speakerId, text }) => ({
      segmentId: id,
      startMs,
      endMs,
      speaker: names.get(speakerId ?? '') ?? null,
      text,
    }));
    return ok({ title, language, durationMs, segments });
  };

  return {
    ...stored,
    read(transcriptId) {
      const listed = stored.list();
      if (!listed.ok) return listed;
      return listed.value.some(({ id }) => id === transcriptId)
        ? readKnown(transcriptId)
        : err(localFailure('E-040', { code: 'unknown_transcript' }));
    },
    async search(text, mostItems) {
      const listed = stored.list();
      if (!listed.ok) return listed;
      if (!existsSync(library)) return ok([]);
      await search.sync();
      const among = listed.value.map(({ id }) => refKey({ kind: 'transcript', id }));
      const found = await search.search({ text, among, mostItems });
      if (!found.ok) return found;
      const query = readSearch(text);
      const matches: StoredMatch[] = [];
      for (const { id, moments, momentCount } of found.value.items) {
        const read = readKnown(id);
        if (!read.ok) continue;
        // The index contains cut words, which are not in what leaves the app.
        const starts = new Set(moments.map(({ startMs }) => startMs));
        const segments = read.value.segments.filter(
          (one) => starts.has(Math.round(one.startMs)) && findMatches(one.text, query).length > 0,
        );
        const isByTitle = findMatches(read.value.title, query).length > 0;
        if (segments.length > 0 || isByTitle)
          matches.push({ transcriptId: id, title: read.value.title, segments, momentCount });
      }
      return ok(matches);
    },
    close: () => search.close(),
  };
}
