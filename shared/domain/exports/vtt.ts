import { cleanLine } from './clean-line.ts';
import { toCues } from './cues.ts';
import { hasSeveralSpeakers, type Exporter } from './exporter.ts';
import { subtitleTime } from './subtitle-time.ts';

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** WebVTT subtitles; speakers as voice spans when there are several. */
export const vtt: Exporter<'vtt'> = {
  id: 'vtt',
  extension: '.vtt',
  write(transcript, { speakerName }) {
    const isNamed = hasSeveralSpeakers(transcript);
    const cues = toCues(transcript).map(({ startMs, endMs, lines, speakerId }, index) => {
      const voice = isNamed && speakerId !== null ? `<v ${escape(cleanLine(speakerName(speakerId)))}>` : '';
      const text = lines.map(escape).join('\n');
      return `${index + 1}\n${subtitleTime(startMs, '.')} --> ${subtitleTime(endMs, '.')}\n${voice}${text}\n`;
    });
    return ['WEBVTT\n', ...cues].join('\n');
  },
};
