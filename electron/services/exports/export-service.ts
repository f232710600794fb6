import { err, ok, type Result } from '../../../shared/result/result.ts';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { safeFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import { writeUpTo } from '../../../shared/domain/exports/write-export.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import type { ExportService } from '../library/library.ts';
import type { FilePort, LibraryStore } from '../library/store.ts';
import { isLong } from '../transcripts/text-in-parts.ts';
import { findTranscript } from '../transcripts/transcript-service.ts';
import type { LongWriter, WritingRequest } from './long-writer.ts';

interface Ports {
  readonly store: LibraryStore;
  readonly files: FilePort;
  /** Where texts that are `isLong` are read and written. */
  readonly writer: LongWriter;
  /** "Speaker 2" in the language and the letters of the transcript. */
  readonly nameSpeaker: (language: InterfaceLanguage, number: number) => string;
}

interface Written {
  readonly title: string;
  readonly content: string | Uint8Array;
  readonly isCut: boolean;
}

const textOf = ({ content }: Written): string =>
  typeof content === 'string' ? content : new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);

/** Turns saved transcripts into files. */
export function createExportService({ store, files, writer, nameSpeaker }: Ports): ExportService {
  const write = async (request: WritingRequest): Promise<Result<Written>> => {
    const { transcriptId, format, script, characters } = request;
    const size = store.textSize(transcriptId);
    if (!size.ok) return size;
    if (size.value !== null && isLong(size.value)) {
      const written = await writer.write(request);
      return written.ok ? ok({ ...written.value, content: written.value.bytes }) : written;
    }
    const found = findTranscript(store, transcriptId);
    if (!found.ok) return found;
    const { title, transcript } = found.value;
    const { text, isCut } = writeUpTo(exporters[format], transcript, script, { title, nameSpeaker }, characters);
    return ok({ title, content: text, isCut });
  };

  return {
    async render(transcriptId, format, script = 'as-written') {
      const written = await write({ transcriptId, format, script, characters: null });
      if (!written.ok) return written;
      const suggestedName = safeFileName(written.value.title, exporters[format].extension);
      return ok({ text: textOf(written.value), suggestedName });
    },
    async renderBeginning(transcriptId, format, script, characters) {
      const written = await write({ transcriptId, format, script, characters });
      return written.ok ? ok({ text: textOf(written.value), isCut: written.value.isCut }) : written;
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
      const written = await write({ transcriptId, format, script, characters: null });
      if (!written.ok) return written;
      const saved = await files.writeWhole(path, written.value.content);
      return saved.ok ? ok({ path }) : saved;
    },
  };
}
