import type { Result } from '../../../shared/result/result.ts';
import type { TranscriptScript } from '../../../shared/domain/transcript/in-script.ts';
import type { ExporterId } from '../../../shared/domain/exports/exporters.ts';

/** A file to be made of a stored text, in these letters; only its first `characters`, where they are given. */
export interface WritingRequest {
  readonly transcriptId: string;
  readonly format: ExporterId;
  readonly script: TranscriptScript;
  readonly characters: number | null;
}

/** What was made, in UTF-8, with the title of the text; `isCut`: there is more of it. */
export interface WrittenExport {
  readonly title: string;
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
}

/**
 * Reads and writes texts that would hold up everything else. Never throws; E-040 when there is no such text, E-180 to
 * E-185 when the library can't be read, E-214 when whoever wrote it stopped working or was closed.
 */
export interface LongWriter {
  write(request: WritingRequest): Promise<Result<WrittenExport>>;
  /** Ends what is being written. */
  close(): Promise<void>;
}
