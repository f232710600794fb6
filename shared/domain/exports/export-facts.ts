import type { Transcript } from '../transcript/transcript.ts';

/** What an export contains besides the transcript. */
export interface ExportFacts {
  readonly title: string;
  /** When the text was made: a header has the day of it. */
  readonly madeAtMs: number;
  /** The displayed name of a speaker: the given one, or "Speaker 2" in the language of the recording. */
  readonly speakerName: (speakerId: string) => string;
  /** The file that the text was made of: the recording, or the text file that was imported. */
  readonly sourceName?: string;
  /** The recording; null when it is not known. `url` is its location on this computer. */
  readonly media: { readonly name: string; readonly url: string } | null;
  /** Subtitles without a recording: nothing says when that ends, so the last one may end later. */
  readonly isOpenEnded?: boolean;
  /** The second text of subtitles, under the first; null for none. */
  readonly second: SecondText | null;
}

/** The same words in the other alphabet, or another text of the recording, without what was cut or redacted. */
export type SecondText =
  | { readonly kind: 'letters'; readonly change: (word: string) => string }
  | { readonly kind: 'text'; readonly transcript: Transcript };

/** Whether speakers are worth naming. */
export const hasSeveralSpeakers = ({ speakers }: Pick<Transcript, 'speakers'>): boolean => speakers.length > 1;
