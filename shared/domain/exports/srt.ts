import { cueOptions, fileOptions, namingOption, secondOptions, text, wordOptions, type Exporter } from './exporter.ts';
import { cuesOf } from './subtitles.ts';
import { subtitleTime } from './subtitle-time.ts';

const options = { ...cueOptions, speakers: namingOption, ...secondOptions, ...wordOptions, ...fileOptions };

/**
 * SRT has no escapes: an arrow would read as a time line, and angle or curly brackets as markup, so look-alikes replace
 * them.
 */
export const plainForSrt = (line: string): string =>
  line.includes('<') || line.includes('{') || line.includes('>')
    ? line
        .replaceAll('-->', '→')
        .replaceAll(/<(?=[a-z/!?])/giu, '‹')
        .replaceAll(/\{(?=\\)/gu, '(')
    : line;

/** SubRip subtitles. When there are several speakers, the first cue of each turn names its speaker. */
export const srt: Exporter<'srt', typeof options> = {
  id: 'srt',
  extension: '.srt',
  mediaType: 'application/x-subrip',
  group: 'subtitles',
  options,
  write: (transcript, facts, chosen) =>
    text(
      cuesOf(transcript, facts, chosen)
        .map(({ startMs, endMs, lines }, index) => {
          const times = `${subtitleTime(startMs, ',')} --> ${subtitleTime(endMs, ',')}`;
          return `${String(index + 1)}\n${times}\n${plainForSrt(lines.join('\n'))}\n`;
        })
        .join('\n'),
    ),
};
