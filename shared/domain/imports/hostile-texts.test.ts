import { beforeAll, expect, it } from 'vitest';
import { textOfMarkdown, textOfSubtitles, textOfWordXml } from '../speech/import-text.ts';
import { readTranscriptFile } from './read-transcript-file.ts';

const letterCount = 120_000;
const fill = (part: string): string => part.repeat(Math.ceil(letterCount / part.length)).slice(0, letterCount);
const times = '00:00:01,000 --> 00:00:02,000\n';
const speech = (text: string) => textOfSubtitles(`1\n${times}${text}`);
const subtitles = (text: string) => readTranscriptFile(`1\n${times}${text}`);

const cpuMs = (run: () => unknown): number => {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1000;
};
let usualMs = 0;
beforeAll(() => {
  const usual = fill(`1\n${times}Salom, <i>doʻstlar</i>.\n\n`);
  usualMs = cpuMs(() => [speech(usual), subtitles(usual), textOfMarkdown(usual), textOfWordXml(usual)]);
});

it.each<[kind: string, read: (text: string) => unknown, texts: readonly string[]]>([
  ['subtitles for speech', speech, ['a\n', '<', '<c ', '<v ', '{\\', times].map(fill)],
  ['subtitles', subtitles, ['a\n', '<c ', '<v ', '<v.a', '{\\', times].map(fill).concat(`<v${fill(' ')}`)],
  [
    'Markdown',
    textOfMarkdown,
    ['*a ', '**a ', '~~a ', '`a ', '_a ', ' _a', '[', '![', '[a](', '![a](', '<', '<a ', ' #']
      .map(fill)
      .concat(`|${fill(' ')}`, `${fill(' ')}x`, `a${fill(' ')}x`, `a\n${fill(' ')}b`),
  ],
  ['a Word document', textOfWordXml, ['<', '<w:del ', '<w:br ', '<w:tab ', '<w:tab /', '<w:t '].map(fill)],
  [
    'ASS',
    (text) => readTranscriptFile(`[Events]\n${text}`),
    [
      ...['[', ' ', ',', 'a:', 'Format: ', '[a]\n', 'Dialogue: 0,'].map(fill),
      ...['{', '{\\', '\\i1', '{\\i1}'].map((part) => `Dialogue: 0,0:00:01.00,0:00:02.00,,,,,,,${fill(part)}`),
    ],
  ],
  [
    'TTML',
    (text) => readTranscriptFile(`<tt>${text}`),
    ['<', '<p', '<p>', '<p ', '<!--', '<a="', '</p', '&#', '-->']
      .map(fill)
      .concat(...['a', 'a="', "a='", 'a ', 'a:', 'a:a', ' '].map((part) => `<p ${fill(part)}>`)),
  ],
  ['a transcript of ours', readTranscriptFile, [`t\n2026-11-22 · 0:19\n${fill('a, ')}\n${fill('A: b\n')}`]],
])('%s that only begins things takes about what speech of its size takes', (_, read, texts) => {
  for (const text of texts)
    expect(cpuMs(() => read(text)) / usualMs, JSON.stringify(text.slice(0, 12))).toBeLessThan(5);
});
