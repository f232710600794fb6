import { timeWithCuts, timeWithoutCuts } from '../../../../shared/domain/exports/prepare.ts';
import type { OptionValue } from '../../../../shared/domain/exports/options.ts';
import type { TimeSpan, Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { unheardSpans } from '../../../../shared/domain/transcript/unheard-spans.ts';

/** A file of captions may begin at another time than the recording, and leave out what was cut. In milliseconds. */
export interface CaptionTimes {
  /** The time that the file has for a moment of the recording. */
  readonly inFile: (recordingMs: number) => number;
  /** Where in the recording a caption of the file is. */
  readonly inRecording: (inFile: TimeSpan) => TimeSpan;
}

/** The times of a file that is written with these options. */
export function captionTimes(
  transcript: Transcript,
  { offsetMs, followsCuts }: Readonly<Record<string, OptionValue>>,
): CaptionTimes {
  const cuts = followsCuts === true ? unheardSpans(transcript) : [];
  const moved = typeof offsetMs === 'number' ? offsetMs : 0;
  const withoutCuts = timeWithoutCuts(cuts);
  const withCuts = timeWithCuts(cuts);
  return {
    inFile: (recordingMs) => withoutCuts(recordingMs) + moved,
    // A caption ends before what is cut after it.
    inRecording: ({ startMs, endMs }) => ({
      startMs: withCuts(startMs - moved),
      endMs: withCuts(endMs - moved - 1) + 1,
    }),
  };
}
