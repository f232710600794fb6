import { ok, type Result } from '../../../shared/result/result.ts';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { safeFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { ExportFormat, ExportService } from '../library/library.ts';
import type { FilePort, LibraryStore, StoredTranscript } from '../library/store.ts';
import { findTranscript } from '../transcripts/transcript-service.ts';

interface Ports {
  readonly store: LibraryStore;
  readonly files: FilePort;
  /** "Speaker 2" in the language of the recording. */
  readonly nameSpeaker: (language: SpeechLanguage, number: number) => string;
}

/** Turns saved transcripts into files. */
export function createExportService({ store, files, nameSpeaker }: Ports): ExportService {
  const write = ({ title, transcript }: StoredTranscript, format: ExportFormat): string =>
    exporters[format].write(transcript, {
      title,
      speakerName: (speakerId) => {
        const at = transcript.speakers.findIndex(({ id }) => id === speakerId);
        return transcript.speakers[at]?.name ?? nameSpeaker(transcript.language, at + 1);
      },
    });

  const render = (transcriptId: string, format: ExportFormat): Result<{ text: string; suggestedName: string }> => {
    const found = findTranscript(store, transcriptId);
    if (!found.ok) return found;
    return ok({
      text: write(found.value, format),
      suggestedName: safeFileName(found.value.title, exporters[format].extension),
    });
  };

  return {
    render: async (transcriptId, format) => render(transcriptId, format),
    async save(transcriptId, format, path) {
      const rendered = render(transcriptId, format);
      if (!rendered.ok) return rendered;
      const written = await files.writeWhole(path, rendered.value.text);
      return written.ok ? ok({ path }) : written;
    },
  };
}
