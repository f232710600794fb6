import { fileOptions, text, wordOptions, type Exporter } from './exporter.ts';
import { outlineOptions, toOutline } from './outline.ts';

const options = { ...outlineOptions, ...wordOptions, ...fileOptions };

/** Plain text: one paragraph for each turn of a speaker, or for each segment when speakers are not distinguished. */
export const txt: Exporter<'txt', typeof options> = {
  id: 'txt',
  extension: '.txt',
  mediaType: 'text/plain',
  group: 'documents',
  options,
  write(transcript, facts, chosen) {
    const { title, header, blocks } = toOutline(transcript, facts, chosen);
    const head = chosen.header ? [`${[title, ...header].join('\n')}\n`] : [];
    const body = blocks.map((block) => {
      if (block.kind === 'heading') return `${block.text}\n`;
      const time = block.time === null ? '' : `[${block.time}] `;
      return `${time}${block.speaker === null ? '' : `${block.speaker.name}: `}${block.text}\n`;
    });
    return text([...head, ...body].join('\n'));
  },
};
