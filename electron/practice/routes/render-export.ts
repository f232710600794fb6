import { shapeVariants } from '../shapes/shape-variants.ts';
import { writeTranscription } from '../shapes/write-transcription.ts';
import type { StoredSegment, TranscriptionRecord } from '../state/records.ts';

export const exportFormats = ['txt', 'json', 'srt', 'vtt'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const pad = (value: number, length: number): string => String(value).padStart(length, '0');

function timecode(ms: number, separator: ',' | '.'): string {
  const seconds = Math.floor(ms / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => pad(part, 2))
    .join(':');
  return `${clock}${separator}${pad(ms % 1000, 3)}`;
}

/** An empty line ends a cue and an arrow starts one, so the text must contain neither. */
const cueText = (segment: StoredSegment): string =>
  segment.text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('-->', '→')
    .trim();

const vttText = (segment: StoredSegment): string => {
  const text = cueText(segment).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const speaker = segment.speaker?.replaceAll(/[<>&\n]/g, ' ');
  return speaker === undefined ? text : `<v ${speaker}>${text}`;
};

const line = (segment: StoredSegment): string =>
  segment.speaker === undefined ? segment.text : `${segment.speaker}: ${segment.text}`;

function render(record: TranscriptionRecord, format: ExportFormat): string {
  switch (format) {
    case 'txt':
      return record.segments.map((segment) => `${line(segment)}\n`).join('');
    case 'json':
      return `${JSON.stringify(writeTranscription(record, shapeVariants.plain), null, 2)}\n`;
    case 'srt':
      return record.segments
        .map(
          (segment, at) =>
            `${at + 1}\n${timecode(segment.startMs, ',')} --> ${timecode(segment.endMs, ',')}\n${cueText(segment)}\n`,
        )
        .join('\n');
    case 'vtt':
      return [
        'WEBVTT\n',
        ...record.segments.map(
          (segment) => `${timecode(segment.startMs, '.')} --> ${timecode(segment.endMs, '.')}\n${vttText(segment)}\n`,
        ),
      ].join('\n');
  }
}

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  txt: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
};

/** The service's own export of a completed transcription, as a download. */
export function renderExport(
  record: TranscriptionRecord,
  format: ExportFormat,
): { readonly contentType: string; readonly fileName: string; readonly text: string } {
  const fileName = `${record.title.replaceAll(/[\\/:*?"<>|]/g, '_')}.${format}`;
  return { contentType: contentTypes[format], fileName, text: render(record, format) };
}
