import type { OptionValue } from '../../../../../shared/domain/exports/exporter.ts';
import { findCues, readSubtitles } from '../../../../../shared/domain/imports/read-subtitles.ts';
import type { ExportFormat } from '../../../../../shared/domain/exports/formats.ts';
import type { Cue } from '../../../../../shared/domain/subtitles/cue.ts';
import { timeWithCuts, timeWithoutCuts, leftOut } from '../../../../../shared/domain/exports/prepare.ts';
import type { TimeSpan, Transcript } from '../../../../../shared/domain/transcript/transcript.ts';

export interface Caption extends Cue {
  readonly colour: string | null;
}

type Reader = (text: string) => readonly Caption[];

const plain: Reader = (text) => readSubtitles(text).map((cue) => ({ ...cue, speakerId: cue.speaker, colour: null }));

const coloured =
  (styles: RegExp, colourOf: (written: readonly string[]) => string): Reader =>
  (text) => {
    const colours = new Map([...text.matchAll(styles)].map(([, name = '', ...written]) => [name, colourOf(written)]));
    return findCues(text).cues.map(({ startMs, endMs, lines, style = '' }) => ({
      startMs,
      endMs,
      lines,
      speakerId: null,
      colour: colours.get(style) ?? null,
    }));
  };

const ofAss = coloured(
  /^Style: ([^,]*),[^,]*,[^,]*,&H00(..)(..)(..),/gmu,
  ([blue = '', green = '', red = '']) => `#${red}${green}${blue}`,
);
const ofTtml = coloured(/<style xml:id="(\w+)"[^>]* tts:color="([^"]+)"/gu, ([colour = '']) => colour);

export const captionReaders: Readonly<Partial<Record<ExportFormat, Reader>>> = {
  srt: plain,
  vtt: plain,
  'vtt-words': plain,
  ass: ofAss,
  ttml: ofTtml,
};

/** A file of captions may begin at another time than the recording, and leave out what was cut. In milliseconds. */
export function captionTimes(
  transcript: Transcript,
  { offsetMs, followsCuts, redactedAudio }: Readonly<Record<string, OptionValue>>,
) {
  const cuts = followsCuts === true ? leftOut(transcript, redactedAudio) : [];
  const moved = typeof offsetMs === 'number' ? offsetMs : 0;
  const withoutCuts = timeWithoutCuts(cuts);
  const withCuts = timeWithCuts(cuts);
  return {
    inFile: (recordingMs: number): number => withoutCuts(recordingMs) + moved,
    // A caption ends before what is cut after it.
    inRecording: ({ startMs, endMs }: TimeSpan): TimeSpan => ({
      startMs: withCuts(startMs - moved),
      endMs: withCuts(endMs - moved - 1) + 1,
    }),
  };
}
