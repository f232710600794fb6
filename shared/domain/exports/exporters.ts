import {
  cueOptions,
  plainName,
  type Exporter,
  type ChangedOptions,
  type GivenOptions,
  type OptionValue,
} from './exporter.ts';
import { exportFormats, type ExportFormat } from './formats.ts';
import { ass, srt, vtt, vttWords, ttml, lrc } from './subtitle-formats.ts';
import { flac, m4a, mp3, ogg, wav } from './audio-formats.ts';
import { mkv, mov, mp4, webm } from './video-formats.ts';
import { docx, html, markdown, txt, pdf } from './document-formats.ts';
import { edl, fcpxml, otio } from './editing-formats.ts';
import { json, csv, tsv } from './data-formats.ts';

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
  mp4,
  mov,
  mkv,
  webm,
} as const satisfies { readonly [Id in ExportFormat]: Exporter<Id> };

type Choices = Readonly<Partial<Record<ExportFormat, GivenOptions>>>;

/** How captions are cut is the same in all subtitle formats, so that two files of a recording belong together. */
export function changeChoices(choices: Choices, format: ExportFormat, changed: ChangedOptions): Choices {
  // What is chosen for all languages counts for each of them.
  const kept = Object.entries(choices[format] ?? {}).filter(([key]) => !(plainName(key) in changed));
  const chosen = Object.entries({ ...Object.fromEntries(kept), ...changed });
  const next: Partial<Record<ExportFormat, GivenOptions>> = {
    ...choices,
    [format]: Object.fromEntries(chosen.filter((one): one is [string, OptionValue] => one[1] !== undefined)),
  };
  const { redactedAudio } = changed;
  // Captions have the times of the audio that is exported beside them.
  if (redactedAudio !== undefined)
    for (const other of exportFormats)
      if ('redactedAudio' in exporters[other].options) next[other] = { ...next[other], redactedAudio };
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

export const captionFormat = (last: ExportFormat | null): ExportFormat =>
  last !== null && exporters[last].group === 'subtitles' ? last : 'srt';
