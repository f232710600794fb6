import type { GivenOptions } from '../../shared/domain/exports/exporter.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportFormat } from '../../shared/domain/exports/formats.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { refKey } from '../../shared/domain/library/library-item.ts';
import type { ModeId } from '../../shared/domain/modes.ts';
import { findMatches, readSearch } from '../../shared/domain/search/search-query.ts';
import { withoutStruckWords } from '../../shared/domain/transcript/edit-marks.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { createAudioCutter } from '../platform/node/audio/audio-cutter.ts';
import { openExtractedAudio } from '../platform/node/audio/extracted-audio.ts';
import { printByBrowser } from '../platform/node/print-by-browser.ts';
import type { OpenedForExport } from '../services/exports/batch-export.ts';
import { cutRecording } from '../services/exports/cut-recording.ts';
import { secondIdOf, writeRequest } from '../services/exports/write-request.ts';
import {
  listStoredTranscripts,
  readStoredRecording,
  readStoredText,
  type StoredTitle,
} from '../storage/read-stored-text.ts';
import { openSearch } from '../workers/search.ts';
import { nameSpeaker } from '../workers/writing.ts';
import { folderOf } from './open-service-session.ts';

export function readStoredExports(mode: ModeId, dataDir: string, audioWorker: URL) {
  const folder = folderOf(mode, dataDir);
  const library = join(folder, 'library.db');
  const cutAudio = createAudioCutter(audioWorker);
  const store = { recordingOf: (id: string) => readStoredRecording(library, id) };
  return {
    // Before the first transcription there is no library, and that is no error.
    list: (): Result<readonly StoredTitle[]> => (existsSync(library) ? listStoredTranscripts(library) : ok([])),
    async open(transcriptId: string): Promise<Result<OpenedForExport>> {
      const found = readStoredText(library, transcriptId);
      if (!found.ok) return found;
      const stored = found.value;
      if (stored === null) return err(localFailure('deleted-at-service', { code: 'unknown_transcript' }));
      const { title, createdAtMs, transcript } = stored;
      const write = async (format: ExportFormat, options: GivenOptions) => {
        const secondId = secondIdOf(options);
        const second = secondId === null ? null : readStoredText(library, secondId);
        const request = { transcriptId, format, options, characters: null };
        return writeRequest(stored, request, nameSpeaker, second?.ok === true ? second.value : null);
      };
      return ok({
        title,
        createdAtMs,
        language: transcript.language,
        speakerCount: transcript.speakers.length,
        async render(format, options) {
          const { document } = await write(format, options);
          if (!('bytes' in document)) return err(localFailure('export-unfinished'));
          return document.kind === 'page'
            ? printByBrowser(new TextDecoder().decode(document.bytes))
            : ok(document.bytes);
        },
        async saveCut(format, options, path, watch) {
          const { document } = await write(format, options);
          const extractor = openExtractedAudio(join(folder, 'prepared'), audioWorker);
          try {
            return await cutRecording({ store, extractor, cutAudio }, stored, format, document, path, watch);
          } finally {
            await extractor.close();
          }
        },
      });
    },
  };
}

export type StoredExports = ReturnType<typeof readStoredExports>;

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
  readonly momentCount: number;
}

export function openStoredLibrary(
  mode: ModeId,
  dataDir: string,
  {
    readingWorker,
    audioWorker,
  }: {
    readonly readingWorker: URL;
    readonly audioWorker: URL;
  },
) {
  const stored = readStoredExports(mode, dataDir, audioWorker);
  const folder = folderOf(mode, dataDir);
  const library = join(folder, 'library.db');
  const search = openSearch(readingWorker, library, join(folder, 'search.db'));

  const readKnown = (transcriptId: string): Result<StoredTranscriptText> => {
    const found = readStoredText(library, transcriptId);
    if (!found.ok) return found;
    if (found.value === null) return err(localFailure('deleted-at-service', { code: 'unknown_transcript' }));
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
    read(transcriptId: string): Result<StoredTranscriptText> {
      const listed = stored.list();
      if (!listed.ok) return listed;
      return listed.value.some(({ id }) => id === transcriptId)
        ? readKnown(transcriptId)
        : err(localFailure('deleted-at-service', { code: 'unknown_transcript' }));
    },
    async search(text: string, mostItems: number): Promise<Result<readonly StoredMatch[]>> {
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
    close: (): Promise<void> => search.close(),
  };
}

export type StoredLibrary = ReturnType<typeof openStoredLibrary>;
