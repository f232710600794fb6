import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import type { ExportDocument } from '../../../shared/domain/exports/exporter.ts';
import { checkSubtitles } from '../../../shared/domain/exports/check-subtitles.ts';
import { writeFromStart, writeUpTo, type WritingFacts } from '../../../shared/domain/exports/write-export.ts';
import { isSubtitleName, isTextName } from '../../../shared/domain/imports/read-subtitles.ts';
import { isPrepared, noRecording } from '../media/audio-extractor.ts';
import type { StoredTranscript } from '../library/store.ts';
import type { ExportRequest, WritingRequest, WrittenDocument, WrittenExport } from './long-writer.ts';
import { writeDocx } from './write-docx.ts';

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

/**
 * Renders a stored transcript as requested, with the second text under it; a Word document is complete, a page is not
 * printed yet.
 */
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

/** The first `characters` of it, from the first segments of a text; null when these are not enough. */
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
  if (document.kind === 'outline' || document.kind === 'audio') return document;
  const text = document.kind === 'text' ? document.text : document.html;
  return { kind: document.kind, bytes: new TextEncoder().encode(text) };
}
