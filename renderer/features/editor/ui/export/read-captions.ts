import { readSubtitles } from '../../../../../shared/domain/imports/read-subtitles.ts';
import type { ExportFormat } from '../../../../../shared/domain/exports/formats.ts';
import type { Cue } from '../../../../../shared/domain/subtitles/cue.ts';

/** A caption as the file has it. `colour`: of its letters, where the file says one. */
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

/** The events of an ASS file in the colours of their styles. */
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

/** Formats that are previewed as captions, parsed from the bytes of the file itself. */
export const captionReaders: Readonly<Partial<Record<ExportFormat, Reader>>> = {
  srt: plain,
  vtt: plain,
  'vtt-words': plain,
  ass: ofAss,
  ttml: ofTtml,
};
