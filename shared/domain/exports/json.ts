import type { Exporter } from './exporter.ts';

/** Everything the transcript holds. Times are integer milliseconds; `version` grows when a field changes its meaning. */
export const json: Exporter<'json'> = {
  id: 'json',
  extension: '.json',
  write(transcript, { title, speakerName }) {
    const speakers = transcript.speakers.map(({ id }) => ({ id, name: speakerName(id) }));
    const document = { format: 'ovoz-studio-transcript', version: 1, title, ...transcript, speakers };
    return `${JSON.stringify(document, null, 2)
      .replaceAll('<', '\\u003c')
      .replaceAll('\u2028', '\\u2028')
      .replaceAll('\u2029', '\\u2029')}\n`;
  },
};
