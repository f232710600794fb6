import { cleanLine } from './format-text.ts';
import { cueOptions, fileOptions, namingOption, text, wordOptions, type Exporter } from './exporter.ts';
import { toggle } from './options.ts';
import { cuesOf } from './subtitles.ts';

const options = { ...cueOptions, speakers: namingOption, hasWordTimes: toggle(), ...wordOptions, ...fileOptions };

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
const lrcTime = (ms: number): string => `${two(ms / 60_000)}:${two((ms / 1000) % 60)}.${two((ms / 10) % 100)}`;
/** Square brackets start a tag and angle brackets a time. */
const plain = (line: string): string =>
  line.replaceAll('[', '(').replaceAll(']', ')').replaceAll('<', '‹').replaceAll('>', '›');

/** Lyrics: one time and one line; music players show them while they play. */
export const lrc: Exporter<'lrc', typeof options> = {
  id: 'lrc',
  extension: '.lrc',
  mediaType: 'text/plain',
  group: 'subtitles',
  options,
  write(transcript, facts, chosen) {
    const cues = cuesOf(transcript, facts, chosen);
    const lines = cues.flatMap(({ startMs, endMs, lines: shown, rows }, at) => {
      const said = chosen.hasWordTimes
        ? rows
            .flat()
            .map((word) => `<${lrcTime(word.startMs)}>${plain(word.text)}`)
            .join(' ')
        : plain(shown.join(' '));
      const next = cues[at + 1]?.startMs ?? Number.POSITIVE_INFINITY;
      // A line is shown until the next one; silence is an empty line.
      return [`[${lrcTime(startMs)}]${said}`, ...(next - endMs >= 2000 ? [`[${lrcTime(endMs)}]`] : [])];
    });
    const head = [`[ti:${plain(cleanLine(facts.title))}]`, `[length:${lrcTime(transcript.durationMs).slice(0, -3)}]`];
    return text(`${[...head, ...lines].join('\n')}\n`);
  },
};
