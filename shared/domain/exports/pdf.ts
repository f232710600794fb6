import { wordOptions, type Exporter } from './exporter.ts';
import { toPage } from './html.ts';
import { toggle } from './options.ts';
import { outlineOptions, toOutline } from './outline.ts';

const options = { ...outlineOptions, header: toggle(true), coloursSpeakers: toggle(true), ...wordOptions };

/** The page of `html`, printed. */
export const pdf: Exporter<'pdf', typeof options> = {
  id: 'pdf',
  extension: '.pdf',
  mediaType: 'application/pdf',
  group: 'documents',
  options,
  write(transcript, facts, chosen) {
    const outline = toOutline(transcript, facts, chosen);
    return { kind: 'page', html: toPage(outline, null) };
  },
};
