import type { Transcript } from '../domain/transcript/transcript.ts';
import { asArray, pickFrom, unwrap } from './json-access.ts';

const revisionNames = ['revision', 'version', 'editor_revision', 'editorRevision'];

const asRevision = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** The revision in a detail or in the answer to an edit; null without one (assumptions: editor-body). */
export const readRevision = (body: unknown): number | null => pickFrom(unwrap(body), revisionNames, asRevision) ?? null;

/** Whether a body contains the segments that an edit replaces. */
export const hasSegments = (body: unknown): boolean =>
  unwrap(body).some((source) => (asArray(source['segments'])?.length ?? 0) > 0);

/**
 * A whole text as an edit of the one with this revision (assumptions: editor-body). Segments and words have the shape
 * that the contract shows for the results of live transcription (2.10).
 */
export const writeEditorBody = (revision: number, { segments, speakers }: Transcript): object => ({
  revision,
  segments: segments.map(({ speakerId, startMs, endMs, text, words }, ordinal) => {
    const at = speakers.findIndex(({ id }) => id === speakerId);
    return {
      ordinal,
      start_ms: startMs,
      end_ms: endMs,
      text,
      ...(at < 0 ? {} : { speaker: speakers[at]?.name ?? `SPEAKER_${String(at).padStart(2, '0')}` }),
      words: words.map((word, place) => ({
        ordinal: place,
        start_ms: word.startMs,
        end_ms: word.endMs,
        text: word.text,
      })),
    };
  }),
});
