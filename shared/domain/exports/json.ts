import { text, wordOptions, type Exporter } from './exporter.ts';

const options = { script: wordOptions.script };

/**
 * Everything in the transcript; `docs/transcript-json.md` describes it. `version` grows when a field changes its
 * meaning.
 */
export const json: Exporter<'json', typeof options> = {
  id: 'json',
  extension: '.json',
  mediaType: 'application/json',
  group: 'data',
  options,
  write(transcript, { title, speakerName }) {
    const speakers = transcript.speakers.map((speaker) => ({ ...speaker, name: speakerName(speaker.id) }));
    const { language, durationMs, segments, cuts = [] } = transcript;
    const document = {
      format: 'ovoz-studio-transcript',
      version: 1,
      title,
      language,
      durationMs,
      speakers,
      ...(cuts.length === 0 ? {} : { cuts }),
      segments,
    };
    return text(
      `${JSON.stringify(document, null, 2)
        .replaceAll('<', '\\u003c')
        .replaceAll('\u2028', '\\u2028')
        .replaceAll('\u2029', '\\u2029')}\n`,
    );
  },
};
