import type { Transcript } from '../transcript/transcript.ts';

/** What an export says besides the transcript. */
export interface ExportFacts {
  readonly title: string;
  /** The name of a speaker for people: the given one, or "Speaker 2" in the language of the recording. */
  readonly speakerName: (speakerId: string) => string;
}

/** A format declares itself; a new one is a new file and a line in `exporters.ts`. */
export interface Exporter<Id extends string> {
  readonly id: Id;
  readonly extension: `.${string}`;
  /** The whole file as text, lines ended by LF. */
  readonly write: (transcript: Transcript, facts: ExportFacts) => string;
}

/** Whether speakers are worth naming. */
export const hasSeveralSpeakers = (transcript: Transcript): boolean => transcript.speakers.length > 1;
