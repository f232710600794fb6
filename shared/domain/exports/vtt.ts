import type { TimedCue } from '../subtitles/cue.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { cleanLine } from './format-text.ts';
import { hasSeveralSpeakers, type ExportFacts } from './export-facts.ts';
import { cueOptions, fileOptions, namings, secondOptions, text, wordOptions, type Exporter } from './exporter.ts';
import { choice, type OptionsOf } from './options.ts';
import { cuesOf } from './subtitles.ts';
import { subtitleTime } from './subtitle-time.ts';

const options = {
  ...cueOptions,
  // A voice span names the speaker in every cue, and the player decides whether to show it.
  speakers: choice([...namings, 'voice'], 'voice'),
  ...secondOptions,
  ...wordOptions,
  ...fileOptions,
};

const escape = (line: string): string =>
  /[&<>]/u.test(line) ? line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : line;

function write(
  transcript: Transcript,
  facts: ExportFacts,
  chosen: OptionsOf<typeof options>,
  linesOf: (cue: TimedCue) => readonly string[],
): string {
  const isVoiced = chosen.speakers === 'voice' && hasSeveralSpeakers(transcript);
  const cues = cuesOf(transcript, facts, chosen).map((cue, index) => {
    const { startMs, endMs, speakerId } = cue;
    const voice = isVoiced && speakerId !== null ? `<v ${escape(cleanLine(facts.speakerName(speakerId)))}>` : '';
    const times = `${subtitleTime(startMs, '.')} --> ${subtitleTime(endMs, '.')}`;
    return `${String(index + 1)}\n${times}\n${voice}${linesOf(cue).join('\n')}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** WebVTT subtitles; speakers as voice spans when there are several. */
export const vtt: Exporter<'vtt', typeof options> = {
  id: 'vtt',
  extension: '.vtt',
  mediaType: 'text/vtt',
  group: 'subtitles',
  options,
  write: (transcript, facts, chosen) => text(write(transcript, facts, chosen, ({ lines }) => lines.map(escape))),
};

/** WebVTT with the time of each word, for players that show words as they are said. */
export const vttWords: Exporter<'vtt-words', typeof options> = {
  id: 'vtt-words',
  extension: '.words.vtt',
  mediaType: 'text/vtt',
  group: 'subtitles',
  options,
  write: (transcript, facts, chosen) => text(write(transcript, facts, chosen, wordLines)),
};

/** A time precedes each word that begins inside the cue and after the previous word. */
function wordLines({ startMs, endMs, lines, rows }: TimedCue): readonly string[] {
  let last = startMs;
  return rows.map((row, at) => {
    const said = row.map(({ text: word }) => word).join(' ');
    const name = (lines[at] ?? '').slice(0, Math.max(0, (lines[at] ?? '').length - said.length));
    const words = row.map(({ text: word, startMs: wordMs }) => {
      if (wordMs <= last || wordMs >= endMs) return escape(word);
      last = wordMs;
      return `<${subtitleTime(wordMs, '.')}>${escape(word)}`;
    });
    return escape(name) + words.join(' ');
  });
}
