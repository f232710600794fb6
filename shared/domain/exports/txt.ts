import { cleanLine } from './clean-line.ts';
import { hasSeveralSpeakers, type Exporter } from './exporter.ts';

/** Plain text: one paragraph for each turn of a speaker, or for each segment when nobody is told apart. */
export const txt: Exporter<'txt'> = {
  id: 'txt',
  extension: '.txt',
  write(transcript, { speakerName }) {
    const isNamed = hasSeveralSpeakers(transcript);
    const paragraphs: { readonly speakerId: string | null; text: string }[] = [];
    for (const { speakerId, text } of transcript.segments) {
      const line = cleanLine(text);
      if (line === '') continue;
      const last = paragraphs.at(-1);
      if (isNamed && last !== undefined && last.speakerId === speakerId) last.text += ` ${line}`;
      else paragraphs.push({ speakerId, text: line });
    }
    return paragraphs
      .map(
        ({ speakerId, text }) =>
          `${isNamed && speakerId !== null ? `${cleanLine(speakerName(speakerId))}: ` : ''}${text}\n`,
      )
      .join('\n');
  },
};
