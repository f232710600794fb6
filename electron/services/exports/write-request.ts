import { pathToFileURL } from 'node:url';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { writeUpTo, type WritingFacts } from '../../../shared/domain/exports/write-export.ts';
import type { StoredTranscript } from '../library/store.ts';
import type { WritingRequest, WrittenDocument, WrittenExport } from './long-writer.ts';
import { writeDocx } from './write-docx.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** The day in the time of this computer, as it is written everywhere. */
function dayOf(atMs: number): string {
  const at = new Date(atMs);
  return `${String(at.getFullYear())}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Makes what was asked for of a stored transcript; a Word document is finished, a page is not printed yet. */
export async function writeRequest(
  { title, transcript, createdAtMs, sourceName, mediaPath }: StoredTranscript,
  { format, options, characters }: WritingRequest,
  nameSpeaker: WritingFacts['nameSpeaker'],
): Promise<WrittenExport> {
  const facts: WritingFacts = {
    title,
    date: dayOf(createdAtMs),
    nameSpeaker,
    media: { name: sourceName, url: pathToFileURL(mediaPath).href },
  };
  const { document, isCut } = writeUpTo(exporters[format], transcript, options, facts, characters);
  const encoder = new TextEncoder();
  const written: WrittenDocument =
    document.kind === 'text'
      ? { kind: 'text', bytes: encoder.encode(document.text) }
      : document.kind === 'page'
        ? { kind: 'page', bytes: encoder.encode(document.html) }
        : characters === null
          ? { kind: 'file', bytes: await writeDocx(document.outline) }
          : document;
  return { title, document: written, isCut };
}
