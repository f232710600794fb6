import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ModeId } from '../../shared/domain/modes.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { createAudioCutter } from '../platform/node/audio/audio-cutter.ts';
import { printByBrowser } from '../platform/node/print-by-browser.ts';
import type { OpenedForExport } from '../services/exports/batch-export.ts';
import { recordingOf } from '../services/media/audio-extractor.ts';
import { secondIdOf } from '../services/exports/long-writer.ts';
import type { ExportFormat } from '../../shared/domain/exports/formats.ts';
import type { GivenOptions } from '../../shared/domain/exports/options.ts';
import { writeRequest } from '../services/exports/write-request.ts';
import { listStoredTranscripts, readStoredText, type StoredTitle } from '../storage/read-stored-text.ts';
import { nameSpeaker } from '../workers/writing/writing-work.ts';
import { folderOf } from './open-service-session.ts';

/**
 * The transcripts of a library, readable while another process has it open: nothing is changed, and the service is not
 * contacted.
 */
export interface StoredExports {
  list(): Result<readonly StoredTitle[], Failure>;
  open(transcriptId: string): Promise<Result<OpenedForExport, Failure>>;
}

/** `audioWorker`: the module that serves the audio thread, which cuts audio. */
export function readStoredExports(mode: ModeId, dataDir: string, audioWorker: URL): StoredExports {
  const folder = folderOf(mode, dataDir);
  const library = join(folder, 'library.db');
  const cutAudio = createAudioCutter(audioWorker);
  const extractor = { pathOf: (name: string) => join(folder, 'prepared', name) };
  return {
    // Before the first transcription there is no library, and that is no error.
    list: () => (existsSync(library) ? listStoredTranscripts(library) : ok([])),
    async open(transcriptId) {
      const found = readStoredText(library, transcriptId);
      if (!found.ok) return found;
      const stored = found.value;
      if (stored === null) return err(localFailure('E-040', { code: 'unknown_transcript' }));
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
          if (!('bytes' in document)) return err(localFailure('E-214'));
          return document.kind === 'page'
            ? printByBrowser(new TextDecoder().decode(document.bytes))
            : ok(document.bytes);
        },
        async saveAudio(format, options, path, watch) {
          const { document } = await write(format, options);
          if (document.kind !== 'audio') return err(localFailure('E-214'));
          const { spans, durationMs, encoding } = document;
          const from = recordingOf(extractor, stored);
          if (!from.ok) return from;
          return cutAudio({ from: from.value, to: path, format, spans, durationMs, ...encoding }, watch);
        },
      });
    },
  };
}
