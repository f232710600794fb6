import { cleanLine } from './clean-line.ts';
import { toCues } from './cues.ts';
import { hasSeveralSpeakers, type Exporter } from './exporter.ts';
import { subtitleTime } from './subtitle-time.ts';

/**
 * SRT has no escapes: an arrow would read as a time line, and angle or curly brackets as markup, so they are written
 * with signs that look alike and mean nothing.
 */
export const plainForSrt = (line: string): string =>
  line
    .replaceAll('-->', '→')
    .replaceAll(/<(?=[a-z/!?])/giu, '‹')
    .replaceAll(/\{(?=\\)/gu, '(');

/** SubRip subtitles. A speaker is named in front of the first cue of a turn, when there are several. */
export const srt: Exporter<'srt'> = {
  id: 'srt',
  extension: '.srt',
  write(transcript, { speakerName }) {
    const prefixOf = (speakerId: string) => `${cleanLine(speakerName(speakerId))}:`;
    return toCues(transcript, hasSeveralSpeakers(transcript) ? prefixOf : undefined)
      .map(({ startMs, endMs, lines }, index) => {
        const times = `${subtitleTime(startMs, ',')} --> ${subtitleTime(endMs, ',')}`;
        return `${index + 1}\n${times}\n${lines.map(plainForSrt).join('\n')}\n`;
      })
      .join('\n');
  },
};
