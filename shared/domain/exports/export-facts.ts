import type { Transcript } from '../transcript/transcript.ts';

/** What an export says besides the transcript. */
export interface ExportFacts {
  readonly title: string;
  /** The day the text was made, as it is written in a header: `2026-11-22`. */
  readonly date: string;
  /** The name of a speaker for people: the given one, or "Speaker 2" in the language of the recording. */
  readonly speakerName: (speakerId: string) => string;
  /** The recording; null when it is not known any more. `url` is where it is on this computer. */
  readonly media: { readonly name: string; readonly url: string } | null;
  /** What stands under the first text of subtitles; null when nothing does. */
  readonly second: SecondText | null;
}

/** The same words in other letters, or another text of the recording, as it is to be given away. */
export type SecondText =
  | { readonly kind: 'letters'; readonly change: (word: string) => string }
  | { readonly kind: 'text'; readonly transcript: Transcript };

/** Whether speakers are worth naming. */
export const hasSeveralSpeakers = (transcript: Transcript): boolean => transcript.speakers.length > 1;
