import { err, ok, type Result } from '../../../shared/result/result.ts';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { safeFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import { writeBeginning, writeWhole } from '../../../shared/domain/exports/write-export.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import type { TranscriptScript } from '../../../shared/domain/transcript/in-script.ts';
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
  const write = ({ title, transcript }: StoredTranscript, format: ExportFormat, script: TranscriptScript): string =>
    writeWhole(exporters[format], transcript, script, { title, nameSpeaker });

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
    async renderBeginning(transcriptId, format, script, characters) {
      const found = findTranscript(store, transcriptId);
      if (!found.ok) return found;
      const { title, transcript } = found.value;
      return ok(writeBeginning(exporters[format], transcript, script, { title, nameSpeaker }, characters));
    },
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
