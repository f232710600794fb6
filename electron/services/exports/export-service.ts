import { err, ok, type Result } from '../../../shared/result/result.ts';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { safeFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import { inScript, writtenLanguage, type TranscriptScript } from '../../../shared/domain/transcript/in-script.ts';
import type { ExportFormat, ExportService } from '../library/library.ts';
import type { FilePort, LibraryStore, StoredTranscript } from '../library/store.ts';
import { findTranscript } from '../transcripts/transcript-service.ts';

interface Ports {
  readonly store: LibraryStore;
  readonly files: FilePort;
  /** "Speaker 2" in the language and the letters of the transcript. */
  readonly nameSpeaker: (language: InterfaceLanguage, number: number) => string;
}

/** Turns saved transcripts into files. */
export function createExportService({ store, files, nameSpeaker }: Ports): ExportService {
  const write = (stored: StoredTranscript, format: ExportFormat, script: TranscriptScript): string => {
    const transcript = inScript(stored.transcript, script);
    const language = writtenLanguage(transcript);
    return exporters[format].write(transcript, {
      title: stored.title,
      speakerName: (speakerId) => {
        const at = transcript.speakers.findIndex(({ id }) => id === speakerId);
        return transcript.speakers[at]?.name ?? nameSpeaker(language, at + 1);
      },
    });
  };

  const render = (
    transcriptId: string,
    format: ExportFormat,
    script: TranscriptScript,
  ): Result<{ text: string; suggestedName: string }> => {
    const found = findTranscript(store, transcriptId);
    if (!found.ok) return found;
    return ok({
      text: write(found.value, format, script),
      suggestedName: safeFileName(found.value.title, exporters[format].extension),
    });
  };

  return {
    render: async (transcriptId, format, script = 'as-written') => render(transcriptId, format, script),
    nameFor(transcriptId, format) {
      const listed = store.listTranscripts();
      if (!listed.ok) return listed;
      const title = listed.value.find(({ id }) => id === transcriptId)?.title;
      return title === undefined
        ? err(localFailure('E-040', { code: 'unknown_transcript' }))
        : ok(safeFileName(title, exporters[format].extension));
    },
    async save(transcriptId, format, path, script = 'as-written') {
      const rendered = render(transcriptId, format, script);
      if (!rendered.ok) return rendered;
      const written = await files.writeWhole(path, rendered.value.text);
      return written.ok ? ok({ path }) : written;
    },
  };
}
