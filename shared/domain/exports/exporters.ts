import type { Exporter } from './exporter.ts';
import type { ExportFormat } from './formats.ts';
import { ass } from './ass.ts';
import { flac, m4a, mp3, ogg, wav } from './audio.ts';
import { docx } from './docx.ts';
import { edl } from './edl.ts';
import { fcpxml } from './fcpxml.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { lrc } from './lrc.ts';
import { markdown } from './markdown.ts';
import { otio } from './otio.ts';
import { pdf } from './pdf.ts';
import { srt } from './srt.ts';
import { csv, tsv } from './table.ts';
import { ttml } from './ttml.ts';
import { txt } from './txt.ts';
import { vtt, vttWords } from './vtt.ts';

/** Every format, in the order they are offered. */
export const exporters = {
  srt,
  vtt,
  'vtt-words': vttWords,
  ass,
  ttml,
  lrc,
  docx,
  pdf,
  txt,
  md: markdown,
  html,
  json,
  csv,
  tsv,
  edl,
  fcpxml,
  otio,
  wav,
  flac,
  mp3,
  m4a,
  ogg,
} as const satisfies { readonly [Id in ExportFormat]: Exporter<Id> };
