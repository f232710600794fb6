import type { ReceivedSegment } from '../transcript/received.ts';
import { whoSpeaks } from './speaker-labels.ts';

/** The paragraphs of a text; `title` is that of the header that our own documents may have. */
interface ReadParagraphs {
  readonly title: string | null;
  readonly segments: readonly ReceivedSegment[];
}

const stamp = /^[[(]?(?:(\d{1,3}):)?(\d{1,2}):(\d{2})(?:[.,]\d{1,3})?[\])]?\s+(?=\S)/u;
const named = /^((?:\p{Lu}|\p{N}+-\p{L})[\p{L}\p{M}\p{N}ʻʼ’'. -]{0,40}):\s+(?=\S)/u;
/** Days as a header has them: in the words of its language, and in digits in files of earlier versions. */
const day = String.raw`(?:\d{4}-\p{L}+ \d{1,2}-\p{L}+|\d{1,2} \p{L}+ \d{4}(?: г\.)?|\d{4}-\d{2}-\d{2})`;
/** The second line of our header: day, length and recording. */
const dayAndLength = new RegExp(String.raw`^${day} · (?:\d+:)?\d+:\d{2}(?: · |$)`, 'u');
/** A time and a name as our own Markdown has them; programs and people write names like that too. */
const markedBeginning = /^(?:`([\d:]+)` )?(?:\*\*([^*]+:)\*\* )?/u;

/**
 * Paragraphs with optional time and name in front, like those of our own plain text and Markdown. Anything can stand
 * before a colon, so a name stays in the text unless the whole text is a transcript.
 */
export function readParagraphs(text: string): ReadParagraphs {
  const lines = withoutMarks(
    text
      .replace(/^\ufeff/u, '')
      .split(/\r\n|\r|\n/u)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );
  const [title = '', second = '', third = ''] = lines;
  if (!dayAndLength.test(second)) {
    const found = lines.map(readLine);
    return { title: null, segments: isTranscript(found) ? withSpeakers(found) : found.map(({ segment }) => segment) };
  }
  const names = new Set<string | undefined>(third.split(', '));
  const isNamed = lines.slice(3).some((line) => names.has(readLine(line).name));
  const found = lines.slice(isNamed ? 3 : 2).map(readLine);
  return {
    title: title.replace(/^# /u, ''),
    segments: withSpeakers(
      found.map((line) => (isNamed && names.has(line.name) ? line : { ...line, name: undefined })),
    ),
  };
}

/** Lines of Markdown as those of plain text. */
function withoutMarks(lines: readonly string[]): readonly string[] {
  const isMarkdown = lines.some((line) => markedBeginning.exec(line)?.[0] !== '');
  if (!isMarkdown) return lines;
  return lines.map((line) =>
    line
      .replace(markedBeginning, (_, time?: string, name?: string) =>
        [time, name].map((part) => (part === undefined ? '' : `${part} `)).join(''),
      )
      .replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1'),
  );
}

interface ReadLine {
  /** With the name in its text. */
  readonly segment: ReceivedSegment;
  readonly name: string | undefined;
}

function readLine(line: string): ReadLine {
  const [found = '', hours = '0', minutes = '0', seconds = '0'] = stamp.exec(line) ?? [];
  const said = line.slice(found.length);
  const startMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return {
    segment: { text: said, words: [], ...(found === '' ? {} : { startMs }) },
    name: named.exec(said)?.[1],
  };
}

/** Several people are named: before nearly each paragraph, or from the first one on in a text with times. */
function isTranscript(lines: readonly ReadLine[]): boolean {
  const names = lines.flatMap(({ name }) => name ?? []);
  return new Set(names).size > 1 && (isTimed(lines) || names.length >= lines.length * 0.9);
}

const isTimed = (lines: readonly ReadLine[]): boolean =>
  lines[0]?.name !== undefined && lines.every(({ segment }) => segment.startMs !== undefined);

const withSpeakers = (lines: readonly ReadLine[]): readonly ReceivedSegment[] => {
  const speakers = whoSpeaks(lines.map(({ name }) => name));
  return lines.map(({ segment, name }, at) => {
    const speaker = speakers[at] ?? null;
    const text = name === undefined ? segment.text : segment.text.replace(named, '');
    return { ...segment, text, ...(speaker === null ? {} : { speaker }) };
  });
};
