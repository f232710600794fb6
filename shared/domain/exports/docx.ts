import { wordOptions, type Exporter } from './exporter.ts';
import { toggle } from './options.ts';
import { outlineOptions, toOutline } from './outline.ts';

const options = { ...outlineOptions, header: toggle(true), coloursSpeakers: toggle(true), ...wordOptions };

/** A document for Word and similar programs; the writer creates it from the outline. */
export const docx: Exporter<'docx', typeof options> = {
  id: 'docx',
  extension: '.docx',
  mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  group: 'documents',
  options,
  write(transcript, facts, chosen) {
    const outline = toOutline(transcript, facts, chosen);
    return { kind: 'outline', outline };
  },
};
