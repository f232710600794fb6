import type { TranscriptScript } from '../../../shared/domain/transcript/in-script.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { exporters, type ExporterId } from '../../../shared/domain/exports/exporters.ts';
import { safeFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import { writeUpTo } from '../../../shared/domain/exports/write-export.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import type { FilePort, LibraryStore } from '../library/store.ts';
import { isLong } from '../transcripts/text-in-parts.ts';
import { findTranscript } from '../transcripts/transcript-service.ts';
import type { LongWriter, WritingRequest } from './long-writer.ts';

export interface ExportService {
  /** The exact bytes as text, and a file name that is legal everywhere. Without `script`: the letters it is stored in. */
  render(
    transcriptId: string,
    format: ExporterId,
    script?: TranscriptScript,
  ): Promise<Result<{ readonly text: string; readonly suggestedName: string }, Failure>>;
  /** The first `characters` of that text, made without the rest, and whether there is more. */
  renderBeginning(
    transcriptId: string,
    format: ExporterId,
    script: TranscriptScript,
    characters: number,
  ): Promise<Result<{ readonly text: string; readonly isCut: boolean }, Failure>>;
  /** The name for a file of it, without making the file. */
  nameFor(transcriptId: string, format: ExporterId): Result<string, Failure>;
  /** Writes atomically; an existing file is replaced only as a whole. */
  save(
    transcriptId: string,
    format: ExporterId,
    path: string,
    script?: TranscriptScript,
  ): Promise<Result<{ readonly path: string }, Failure>>;
}

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
    const size = store.wordCount(transcriptId);
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
