import { cueOptions, type Exporter } from './exporter.ts';
import { plainName, type ChangedOptions, type GivenOptions, type OptionValue } from './options.ts';
import { exportFormats, type ExportFormat } from './formats.ts';
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

type Choices = Readonly<Partial<Record<ExportFormat, GivenOptions>>>;

/**
 * The chosen options of every format after some of one have changed. How captions are cut is the same in all formats of
 * subtitles, so that two files of one recording belong together.
 */
export function changeChoices(choices: Choices, format: ExportFormat, changed: ChangedOptions): Choices {
  // What is chosen for all languages counts for each of them.
  const kept = Object.entries(choices[format] ?? {}).filter(([key]) => !(plainName(key) in changed));
  const chosen = Object.entries({ ...Object.fromEntries(kept), ...changed });
  const next: Partial<Record<ExportFormat, GivenOptions>> = {
    ...choices,
    [format]: Object.fromEntries(chosen.filter((one): one is [string, OptionValue] => one[1] !== undefined)),
  };
  if (exporters[format].group !== 'subtitles') return next;
  const pick = (options: GivenOptions = {}, isOfCaptions: boolean): GivenOptions =>
    Object.fromEntries(Object.entries(options).filter(([key]) => plainName(key) in cueOptions === isOfCaptions));
  for (const other of exportFormats) {
    if (other === format || exporters[other].group !== 'subtitles') continue;
    const options = { ...pick(choices[other], false), ...pick(next[format], true) };
    if (Object.keys(options).length > 0 || other in choices) next[other] = options;
  }
  return next;
}

/** The format in which captions are exported: the last one, or SRT. */
export const captionFormat = (last: ExportFormat | null): ExportFormat =>
  last !== null && exporters[last].group === 'subtitles' ? last : 'srt';
