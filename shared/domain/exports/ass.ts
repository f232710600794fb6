import { cleanLine, colourNumber, colourOf } from './format-text.ts';
import { hasSeveralSpeakers } from './export-facts.ts';
import { cueOptions, fileOptions, namings, secondOptions, text, wordOptions, type Exporter } from './exporter.ts';
import { amount, choice } from './options.ts';
import { cuesOf } from './subtitles.ts';

const options = {
  ...cueOptions,
  speakers: choice([...namings, 'colour'], 'colour'),
  fontSize: amount({ min: 20, max: 120, step: 1 }, 54),
  ...secondOptions,
  ...wordOptions,
  ...fileOptions,
};

/** Braces start commands and a backslash a line break, so look-alikes replace them. */
const plain = (line: string): string => line.replaceAll('{', '(').replaceAll('}', ')').replaceAll('\\', '\u29f5');
/** A comma ends a field; names are in fields. */
const field = (name: string): string => plain(name).replaceAll(',', ' ').trim();

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
function assTime(hundredths: number): string {
  return `${String(Math.floor(hundredths / 360_000))}:${two((hundredths / 6000) % 60)}:${two((hundredths / 100) % 60)}.${two(hundredths % 100)}`;
}
/** `&HBBGGRR` of `#rrggbb`. */
const assColour = (colour: string): string =>
  `&H00${colour.slice(5, 7)}${colour.slice(3, 5)}${colour.slice(1, 3)}`.toUpperCase();

/** Advanced SubStation Alpha; a style for each speaker. */
export const ass: Exporter<'ass', typeof options> = {
  id: 'ass',
  extension: '.ass',
  mediaType: 'text/x-ssa',
  group: 'subtitles',
  options,
  write(transcript, facts, chosen) {
    const hasColours = chosen.speakers === 'colour' && hasSeveralSpeakers(transcript);
    const places = new Map(transcript.speakers.map(({ id }, place) => [id, place]));
    const styleOf = (name: string, colour: string) =>
      `Style: ${name},Arial,${String(chosen.fontSize)},${colour},&H000000FF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,3,1,2,60,60,54,1`;
    const styles = [
      styleOf('Default', '&H00FFFFFF'),
      ...(hasColours
        ? transcript.speakers.map((speaker, place) =>
            styleOf(`Speaker ${String(place + 1)}`, assColour(colourOf(colourNumber(speaker, place), 'video'))),
          )
        : []),
    ];
    const cues = cuesOf(transcript, facts, chosen);
    let last = 0;
    const events = cues.map(({ startMs, endMs, lines, speakerId }, at) => {
      // In hundredths of a second, two cues a millisecond apart must not start at the same time.
      const isApart = startMs >= (cues[at - 1]?.endMs ?? 0);
      const start = Math.max(isApart ? last : 0, Math.floor(startMs / 10));
      const end = Math.max(start + 1, Math.floor(endMs / 10));
      last = end;
      const style =
        hasColours && speakerId !== null ? `Speaker ${String((places.get(speakerId) ?? 0) + 1)}` : 'Default';
      const name = speakerId === null ? '' : field(cleanLine(facts.speakerName(speakerId)));
      return `Dialogue: 0,${assTime(start)},${assTime(end)},${style},${name},0,0,0,,${lines.map(plain).join('\\N')}`;
    });
    return text(
      `${[
        '[Script Info]',
        `Title: ${plain(cleanLine(facts.title))}`,
        'ScriptType: v4.00+',
        'PlayResX: 1920',
        'PlayResY: 1080',
        'WrapStyle: 2',
        'ScaledBorderAndShadow: yes',
        '',
        '[V4+ Styles]',
        'Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding',
        ...styles,
        '',
        '[Events]',
        'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
        ...events,
      ].join('\n')}\n`,
    );
  },
};
