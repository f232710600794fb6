import type { OptionValue } from '../../../../../shared/domain/exports/exporter.ts';
import { mutedSpans } from '../../../../../shared/domain/transcript/edit-marks.ts';
import { readSubtitles } from '../../../../../shared/domain/imports/read-subtitles.ts';
import type { ExportFormat } from '../../../../../shared/domain/exports/formats.ts';
import type { Cue } from '../../../../../shared/domain/subtitles/cue.ts';
import { timeWithCuts, timeWithoutCuts } from '../../../../../shared/domain/exports/prepare.ts';
import type { TimeSpan, Transcript } from '../../../../../shared/domain/transcript/transcript.ts';

export interface Caption extends Cue {
  readonly colour: string | null;
}

type Reader = (text: string) => readonly Caption[];

const plain: Reader = (text) => readSubtitles(text).map((cue) => ({ ...cue, speakerId: cue.speaker, colour: null }));

/** `h:mm:ss.cc` and `hh:mm:ss.mmm`, in milliseconds. */
const msOf = (time: string): number =>
  Math.round(time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000);

function* found(pattern: RegExp, text: string): Generator<readonly string[]> {
  for (const [, ...groups] of text.matchAll(pattern)) yield groups.map((group) => group ?? '');
}

const ofAss: Reader = (text) => {
  const colours = new Map<string, string>();
  for (const [name = '', blue = '', green = '', red = ''] of found(
    /^Style: ([^,]*),[^,]*,[^,]*,&H00(..)(..)(..),/gmu,
    text,
  ))
    colours.set(name, `#${red}${green}${blue}`);
  return [...found(/^Dialogue: \d+,([^,]+),([^,]+),([^,]*),(?:[^,]*,){5}(.*)$/gmu, text)].map(
    ([start = '', end = '', style = '', said = '']) => ({
      startMs: msOf(start),
      endMs: msOf(end),
      lines: said.split('\\N'),
      speakerId: null,
      colour: colours.get(style) ?? null,
    }),
  );
};

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const readEntities = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|apos);/gu, (whole, name: string) => entities[name] ?? whole);

/** The paragraphs of Timed Text. The preview may end in the middle, which no XML reader accepts. */
const ofTtml: Reader = (text) => {
  const colours = new Map(
    [...found(/<style xml:id="(\w+)"[^>]* tts:color="([^"]+)"/gu, text)].map(([id, c]) => [id, c]),
  );
  return [...found(/<p [^>]*?begin="([^"]+)" end="([^"]+)"(?: style="(\w+)")?[^>]*>(.*?)<\/p>/gu, text)].map(
    ([begin = '', end = '', style = '', said = '']) => ({
      startMs: msOf(begin),
      endMs: msOf(end),
      lines: said.split('<br/>').map(readEntities),
      speakerId: null,
      colour: colours.get(style) ?? null,
    }),
  );
};

export const captionReaders: Readonly<Partial<Record<ExportFormat, Reader>>> = {
  srt: plain,
  vtt: plain,
  'vtt-words': plain,
  ass: ofAss,
  ttml: ofTtml,
};

/** A file of captions may begin at another time than the recording, and leave out what was cut. In milliseconds. */
export function captionTimes(transcript: Transcript, { offsetMs, followsCuts }: Readonly<Record<string, OptionValue>>) {
  const cuts = followsCuts === true ? mutedSpans(transcript) : [];
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
