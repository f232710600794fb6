import {
  cueOptions,
  fileOptions,
  namingOption,
  secondOptions,
  text,
  wordOptions,
  namings,
  choice,
  amount,
  toggle,
  hasSeveralSpeakers,
  type Exporter,
  type OptionsOf,
  type ExportFacts,
} from './exporter.ts';
import { cuesOf } from './subtitles.ts';
import { subtitleTime, cleanLine, colourNumber, colourOf, escapeXml } from './format-text.ts';
import type { TimedCue } from '../subtitles/cue.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { writtenLanguage } from '../transcript/in-script.ts';

/** The lines of a caption with marks around italics; one pair is around all words in a row. */
function inItalics(
  { lines, rows }: TimedCue,
  escape: (line: string) => string,
  [begin, end]: readonly [string, string],
  lineBreak = '\n',
): string {
  const words = rows.flat();
  if (!words.some(({ isItalic }) => isItalic)) return lines.map(escape).join(lineBreak);
  let at = 0;
  return rows
    .map((row, place) => {
      const said = row.map(({ text: word }) => word).join(' ');
      const line = lines[place] ?? '';
      const written = row.map((word) => {
        const isFirst = word.isItalic === true && words[at - 1]?.isItalic !== true;
        const isLast = word.isItalic === true && words[at + 1]?.isItalic !== true;
        at += 1;
        return `${isFirst ? begin : ''}${escape(word.text)}${isLast ? end : ''}`;
      });
      return escape(line.slice(0, Math.max(0, line.length - said.length))) + written.join(' ');
    })
    .join(lineBreak);
}

const srtOptions = { ...cueOptions, speakers: namingOption, ...secondOptions, ...wordOptions, ...fileOptions };

/** SRT has no escapes: arrows would read as time lines and brackets as markup, so look-alikes replace them. */
export const plainForSrt = (line: string): string =>
  line.includes('<') || line.includes('{') || line.includes('>')
    ? line
        .replaceAll('-->', '→')
        .replaceAll(/<(?=[a-z/!?])/giu, '‹')
        .replaceAll(/\{(?=\\)/gu, '(')
    : line;

export const srt: Exporter<'srt', typeof srtOptions> = {
  id: 'srt',
  extension: '.srt',
  mediaType: 'application/x-subrip',
  group: 'subtitles',
  options: srtOptions,
  write: (transcript, facts, chosen) =>
    text(
      cuesOf(transcript, facts, chosen)
        .map((cue, index) => {
          const times = `${subtitleTime(cue.startMs, ',')} --> ${subtitleTime(cue.endMs, ',')}`;
          return `${String(index + 1)}\n${times}\n${inItalics(cue, plainForSrt, ['<i>', '</i>'])}\n`;
        })
        .join('\n'),
    ),
};

const vttOptions = {
  ...cueOptions,
  // A voice span names the speaker in every cue, and the player decides whether to show it.
  speakers: choice([...namings, 'voice'], 'voice'),
  ...secondOptions,
  ...wordOptions,
  ...fileOptions,
};

const escapeVtt = (line: string): string =>
  /[&<>]/u.test(line) ? line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : line;

function writeVtt(
  transcript: Transcript,
  facts: ExportFacts,
  chosen: OptionsOf<typeof vttOptions>,
  linesOf: (cue: TimedCue) => readonly string[],
): string {
  const isVoiced = chosen.speakers === 'voice' && hasSeveralSpeakers(transcript);
  const cues = cuesOf(transcript, facts, chosen).map((cue, index) => {
    const { startMs, endMs, speakerId } = cue;
    const voice = isVoiced && speakerId !== null ? `<v ${escapeVtt(cleanLine(facts.speakerName(speakerId)))}>` : '';
    const times = `${subtitleTime(startMs, '.')} --> ${subtitleTime(endMs, '.')}`;
    return `${String(index + 1)}\n${times}\n${voice}${linesOf(cue).join('\n')}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

export const vtt: Exporter<'vtt', typeof vttOptions> = {
  id: 'vtt',
  extension: '.vtt',
  mediaType: 'text/vtt',
  group: 'subtitles',
  options: vttOptions,
  write: (transcript, facts, chosen) =>
    text(writeVtt(transcript, facts, chosen, (cue) => [inItalics(cue, escapeVtt, ['<i>', '</i>'])])),
};

export const vttWords: Exporter<'vtt-words', typeof vttOptions> = {
  id: 'vtt-words',
  extension: '.words.vtt',
  mediaType: 'text/vtt',
  group: 'subtitles',
  options: vttOptions,
  write: (transcript, facts, chosen) => text(writeVtt(transcript, facts, chosen, wordLines)),
};

function wordLines({ startMs, endMs, lines, rows }: TimedCue): readonly string[] {
  let last = startMs;
  return rows.map((row, at) => {
    const said = row.map(({ text: word }) => word).join(' ');
    const name = (lines[at] ?? '').slice(0, Math.max(0, (lines[at] ?? '').length - said.length));
    const words = row.map(({ text: word, startMs: wordMs }) => {
      if (wordMs <= last || wordMs >= endMs) return escapeVtt(word);
      last = wordMs;
      return `<${subtitleTime(wordMs, '.')}>${escapeVtt(word)}`;
    });
    return escapeVtt(name) + words.join(' ');
  });
}

const assOptions = {
  ...cueOptions,
  speakers: choice([...namings, 'colour'], 'colour'),
  fontSize: amount({ min: 20, max: 120, step: 1 }, 54),
  ...secondOptions,
  ...wordOptions,
  ...fileOptions,
};

/** Braces start commands and a backslash a line break, so look-alikes replace them. */
const plainForAss = (line: string): string => line.replaceAll('{', '(').replaceAll('}', ')').replaceAll('\\', '\u29f5');
/** A comma ends a field; names are in fields. */
const assField = (name: string): string => plainForAss(name).replaceAll(',', ' ').trim();

const twoDigits = (value: number): string => String(Math.floor(value)).padStart(2, '0');
function assTime(hundredths: number): string {
  return `${String(Math.floor(hundredths / 360_000))}:${twoDigits((hundredths / 6000) % 60)}:${twoDigits((hundredths / 100) % 60)}.${twoDigits(hundredths % 100)}`;
}
/** `&HBBGGRR` of `#rrggbb`. */
const assColour = (colour: string): string =>
  `&H00${colour.slice(5, 7)}${colour.slice(3, 5)}${colour.slice(1, 3)}`.toUpperCase();

export const ass: Exporter<'ass', typeof assOptions> = {
  id: 'ass',
  extension: '.ass',
  mediaType: 'text/x-ssa',
  group: 'subtitles',
  options: assOptions,
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
    const events = cues.map((cue, at) => {
      const { startMs, endMs, speakerId } = cue;
      // In hundredths of a second, two cues a millisecond apart must not start at the same time.
      const isApart = startMs >= (cues[at - 1]?.endMs ?? 0);
      const start = Math.max(isApart ? last : 0, Math.floor(startMs / 10));
      const end = Math.max(start + 1, Math.floor(endMs / 10));
      last = end;
      const style =
        hasColours && speakerId !== null ? `Speaker ${String((places.get(speakerId) ?? 0) + 1)}` : 'Default';
      const name = speakerId === null ? '' : assField(cleanLine(facts.speakerName(speakerId)));
      return `Dialogue: 0,${assTime(start)},${assTime(end)},${style},${name},0,0,0,,${inItalics(cue, plainForAss, ['{\\i1}', '{\\i0}'], '\\N')}`;
    });
    return text(
      `${[
        '[Script Info]',
        `Title: ${plainForAss(cleanLine(facts.title))}`,
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

const ttmlOptions = {
  ...cueOptions,
  speakers: choice([...namings, 'colour'], 'named-change'),
  ...secondOptions,
  ...wordOptions,
};

export const ttml: Exporter<'ttml', typeof ttmlOptions> = {
  id: 'ttml',
  extension: '.ttml',
  mediaType: 'application/ttml+xml',
  group: 'subtitles',
  options: ttmlOptions,
  write(transcript, facts, chosen) {
    const isNamed = hasSeveralSpeakers(transcript);
    const hasColours = chosen.speakers === 'colour' && isNamed;
    const places = new Map(transcript.speakers.map(({ id }, place) => [id, place]));
    const agents = isNamed
      ? transcript.speakers.map(
          ({ id }, place) =>
            `      <ttm:agent xml:id="a${String(place + 1)}" type="person"><ttm:name type="full">${escapeXml(cleanLine(facts.speakerName(id)))}</ttm:name></ttm:agent>`,
        )
      : [];
    const styles = hasColours
      ? transcript.speakers.map(
          (speaker, place) =>
            `      <style xml:id="c${String(place + 1)}" style="s" tts:color="${colourOf(colourNumber(speaker, place), 'video')}"/>`,
        )
      : [];
    const cues = cuesOf(transcript, facts, chosen).map((cue, at) => {
      const { startMs, endMs, speakerId } = cue;
      const said = inItalics(cue, escapeXml, ['<span tts:fontStyle="italic">', '</span>'], '<br/>');
      const place = speakerId === null ? undefined : places.get(speakerId);
      const number = place === undefined ? '' : String(place + 1);
      const style = hasColours && place !== undefined ? ` style="c${number}"` : '';
      const agent = isNamed && place !== undefined ? ` ttm:agent="a${number}"` : '';
      return `      <p xml:id="p${String(at + 1)}" begin="${subtitleTime(startMs, '.')}" end="${subtitleTime(endMs, '.')}"${style}${agent}>${said}</p>`;
    });
    return text(
      `${[
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" ttp:timeBase="media" xml:lang="${writtenLanguage(transcript)}">`,
        '  <head>',
        '    <metadata>',
        `      <ttm:title>${escapeXml(cleanLine(facts.title))}</ttm:title>`,
        ...agents,
        '    </metadata>',
        '    <styling>',
        '      <style xml:id="s" tts:color="#ffffff" tts:backgroundColor="#000000c0" tts:textAlign="center" tts:fontFamily="proportionalSansSerif" tts:fontSize="100%"/>',
        ...styles,
        '    </styling>',
        '    <layout>',
        '      <region xml:id="bottom" style="s" tts:origin="10% 70%" tts:extent="80% 22%" tts:displayAlign="after"/>',
        '    </layout>',
        '  </head>',
        '  <body region="bottom">',
        '    <div>',
        ...cues,
        '    </div>',
        '  </body>',
        '</tt>',
      ].join('\n')}\n`,
    );
  },
};

const lrcOptions = { ...cueOptions, speakers: namingOption, hasWordTimes: toggle(), ...wordOptions, ...fileOptions };

const lrcTime = (ms: number): string =>
  `${twoDigits(ms / 60_000)}:${twoDigits((ms / 1000) % 60)}.${twoDigits((ms / 10) % 100)}`;
/** Square brackets start a tag and angle brackets a time. */
const plainForLrc = (line: string): string =>
  line.replaceAll('[', '(').replaceAll(']', ')').replaceAll('<', '‹').replaceAll('>', '›');

export const lrc: Exporter<'lrc', typeof lrcOptions> = {
  id: 'lrc',
  extension: '.lrc',
  mediaType: 'text/plain',
  group: 'subtitles',
  options: lrcOptions,
  write(transcript, facts, chosen) {
    const cues = cuesOf(transcript, facts, chosen);
    const lines = cues.flatMap(({ startMs, endMs, lines: shown, rows }, at) => {
      const said = chosen.hasWordTimes
        ? rows
            .flat()
            .map((word) => `<${lrcTime(word.startMs)}>${plainForLrc(word.text)}`)
            .join(' ')
        : plainForLrc(shown.join(' '));
      const next = cues[at + 1]?.startMs ?? Number.POSITIVE_INFINITY;
      // A line is shown until the next one; silence is an empty line.
      return [`[${lrcTime(startMs)}]${said}`, ...(next - endMs >= 2000 ? [`[${lrcTime(endMs)}]`] : [])];
    });
    const head = [
      `[ti:${plainForLrc(cleanLine(facts.title))}]`,
      `[length:${lrcTime(transcript.durationMs).slice(0, -3)}]`,
    ];
    return text(`${[...head, ...lines].join('\n')}\n`);
  },
};
