import { type SubtitleCheck, checkSubtitles } from '../../../shared/domain/exports/subtitles.ts';
import type {
  GivenOptions,
  ExportDocument,
  HeardSpan,
  Outline,
  OutlineBlock,
} from '../../../shared/domain/exports/exporter.ts';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { colourOf } from '../../../shared/domain/exports/format-text.ts';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import { writeFromStart, writeUpTo, type WritingFacts } from '../../../shared/domain/exports/write-export.ts';
import { isSubtitleName, isTextName } from '../../../shared/domain/imports/read-subtitles.ts';
import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { StoredTranscript } from '../library/store.ts';
import { isPrepared, noRecording } from '../media/audio-extractor.ts';

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

export const secondIdOf = ({ second }: GivenOptions): string | null =>
  typeof second === 'string' && second !== '' && second !== 'letters' ? second : null;

export type WrittenDocument =
  | { readonly kind: 'check'; readonly check: SubtitleCheck }
  | { readonly kind: 'text' | 'file' | 'page'; readonly bytes: Uint8Array }
  | Extract<ExportDocument, { readonly kind: 'outline' | 'audio' | 'video' }>;

export interface WrittenExport {
  readonly title: string;
  readonly document: WrittenDocument;
  readonly isShortened: boolean;
}

/** Never throws. deleted-at-service, a failure of the disk, or export-unfinished when the thread ended. */
export interface LongWriter {
  write(request: WritingRequest): Promise<Result<WrittenExport>>;
  close(): Promise<void>;
}

export type PdfRenderer = (html: string) => Promise<Result<Uint8Array>>;

export interface AudioCut {
  readonly from: string;
  readonly to: string;
  readonly format: AudioExtension;
  readonly bitRate?: number | null | undefined;
  readonly isMono?: boolean | undefined;
  readonly spans: readonly HeardSpan[];
  readonly durationMs: number;
}

export interface CutWatch {
  readonly signal: AbortSignal;
  readonly onShare: (share: number) => void;
}

/** Completely or not at all. not-a-recording `not_convertible`, export-unfinished; `cancelled` after an abort. */
export type AudioCutter = (
  cut: AudioCut,
  watch: CutWatch,
) => Promise<Result<{ readonly sizeBytes: number; readonly durationMs: number }>>;

const factsOf = (
  { title, createdAtMs, sourceName, mediaPath }: StoredTranscript,
  nameSpeaker: WritingFacts['nameSpeaker'],
): WritingFacts => ({
  title,
  madeAtMs: createdAtMs,
  nameSpeaker,
  sourceName,
  media: mediaPath.startsWith(noRecording)
    ? null
    : { name: recordingName(sourceName, mediaPath), url: pathToFileURL(mediaPath).href },
  isOpenEnded: mediaPath.startsWith(noRecording) && isSubtitleName(sourceName),
});

/** A text that was imported has the name of its own file, and may have a recording of another one. */
const recordingName = (sourceName: string, mediaPath: string): string =>
  isTextName(sourceName) && !isPrepared(mediaPath) ? basename(mediaPath) : sourceName;

/** A Word document is complete; a page is not printed yet. */
export async function writeRequest(
  stored: StoredTranscript,
  { format, options, characters, isCheck = false }: WritingRequest,
  nameSpeaker: WritingFacts['nameSpeaker'],
  second: StoredTranscript | null,
): Promise<WrittenExport> {
  const facts = { ...factsOf(stored, nameSpeaker), second: second?.transcript ?? null };
  const check = isCheck ? checkSubtitles(exporters[format], stored.transcript, options, facts) : null;
  if (check !== null) return { title: stored.title, document: { kind: 'check', check }, isShortened: false };
  const { document, isShortened } = writeUpTo(exporters[format], stored.transcript, options, facts, characters);
  const isFile = document.kind === 'outline' && characters === null;
  return {
    title: stored.title,
    document: isFile ? { kind: 'file', bytes: await writeDocx(document.outline) } : encoded(document),
    isShortened,
  };
}

export function writeStart(
  start: StoredTranscript,
  { format, options }: ExportRequest,
  characters: number,
  nameSpeaker: WritingFacts['nameSpeaker'],
): WrittenExport | null {
  const facts = factsOf(start, nameSpeaker);
  const document = writeFromStart(exporters[format], start.transcript, options, facts, characters);
  return document === null ? null : { title: start.title, document: encoded(document), isShortened: true };
}

function encoded(document: ExportDocument): WrittenDocument {
  if (document.kind !== 'text' && document.kind !== 'page') return document;
  const text = document.kind === 'text' ? document.text : document.html;
  return { kind: document.kind, bytes: new TextEncoder().encode(text) };
}

const styleOf = (place: number): string => `Speaker${String(place + 1)}`;

/** XML 1.0 forbids these characters, and the writer does not remove them. */
// oxlint-disable-next-line no-control-regex
const plain = (text: string): string => text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '');

export async function writeDocx(outline: Outline): Promise<Uint8Array> {
  const { Document, HeadingLevel, Packer, Paragraph, TextRun } = await import('docx');
  const colours = new Map(
    outline.blocks.flatMap((block) =>
      block.kind === 'paragraph' && block.speaker !== null ? [[block.speaker.place, block.speaker.colour]] : [],
    ),
  );
  const paragraphOf = (block: OutlineBlock) => {
    if (block.kind === 'heading')
      return new Paragraph({ heading: HeadingLevel.HEADING_2, children: [new TextRun(block.text)] });
    const { time, speaker, text } = block;
    return new Paragraph({
      style: 'Speech',
      children: [
        ...(time === null ? [] : [new TextRun({ text: `${time} `, style: 'Timestamp' })]),
        ...(speaker === null ? [] : [new TextRun({ text: `${plain(speaker.name)}: `, style: styleOf(speaker.place) })]),
        new TextRun(plain(text)),
      ],
    });
  };
  const head = outline.hasHeader
    ? [
        new Paragraph({ heading: HeadingLevel.HEADING_1, children: [new TextRun(plain(outline.title))] }),
        ...outline.header.map((line) => new Paragraph({ style: 'About', children: [new TextRun(plain(line))] })),
      ]
    : [];
  const document = new Document({
    title: plain(outline.title),
    creator: 'Ovoz Studio',
    lastModifiedBy: 'Ovoz Studio',
    styles: {
      default: {
        document: { run: { font: 'Times New Roman', size: 24, language: { value: outline.language } } },
        heading1: { run: { font: 'Times New Roman', size: 36, bold: true }, paragraph: { spacing: { after: 80 } } },
        heading2: {
          run: { font: 'Times New Roman', size: 26, bold: true },
          paragraph: { spacing: { before: 320, after: 120 } },
        },
      },
      paragraphStyles: [
        {
          id: 'Speech',
          name: 'Speech',
          basedOn: 'Normal',
          quickFormat: true,
          paragraph: { spacing: { after: 160, line: 320 } },
        },
        {
          id: 'About',
          name: 'About',
          basedOn: 'Normal',
          run: { size: 20, color: '666666' },
          paragraph: { spacing: { after: 80 } },
        },
      ],
      characterStyles: [
        { id: 'Timestamp', name: 'Timestamp', run: { font: 'Consolas', size: 18, color: '777777' } },
        ...[...colours].map(([place, colour]) => ({
          id: styleOf(place),
          name: `Speaker ${String(place + 1)}`,
          quickFormat: true,
          run: { bold: true, ...(outline.hasColours ? { color: colourOf(colour, 'paper').slice(1) } : {}) },
        })),
      ],
    },
    sections: [{ children: [...head, ...outline.blocks.map(paragraphOf)] }],
  });
  return new Uint8Array(await Packer.toArrayBuffer(document));
}
