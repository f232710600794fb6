import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { GivenOptions } from '../../../shared/domain/exports/options.ts';
import type { ExportDocument } from '../../../shared/domain/exports/exporter.ts';
import type { SubtitleCheck } from '../../../shared/domain/exports/check-subtitles.ts';
import type { Result } from '../../../shared/result/result.ts';

/** A file to be made from a stored transcript. */
export interface ExportRequest {
  readonly transcriptId: string;
  readonly format: ExportFormat;
  readonly options: GivenOptions;
}

/** `characters`: only the beginning is needed, for a preview. `isCheck`: only the problems of its captions. */
export interface WritingRequest extends ExportRequest {
  readonly characters: number | null;
  readonly isCheck?: boolean | undefined;
}

/** The other text of the recording, to be placed under the first; null for none. */
export const secondIdOf = ({ second }: GivenOptions): string | null =>
  typeof second === 'string' && second !== '' && second !== 'letters' ? second : null;

/**
 * The result, in UTF-8: a text, a binary file, a page to be printed; paragraphs to be shown, audio to be cut, or the
 * problems of captions.
 */
export type WrittenDocument =
  | { readonly kind: 'check'; readonly check: SubtitleCheck }
  | { readonly kind: 'text' | 'file' | 'page'; readonly bytes: Uint8Array }
  | Extract<ExportDocument, { readonly kind: 'outline' | 'audio' }>;

/** `isShortened`: there is more of it. */
export interface WrittenExport {
  readonly title: string;
  readonly document: WrittenDocument;
  readonly isShortened: boolean;
}

/**
 * Reads and writes texts that would block everything else. Never throws; E-040 when there is no such text, E-180 to
 * E-185 when the library can't be read, E-214 when the thread stopped working or was closed.
 */
export interface LongWriter {
  write(request: WritingRequest): Promise<Result<WrittenExport>>;
  /** Ends what is being written. */
  close(): Promise<void>;
}

/** Prints a self-contained page. E-214 `pdf_needs_browser` where nothing can print. */
export type PdfRenderer = (html: string) => Promise<Result<Uint8Array>>;
