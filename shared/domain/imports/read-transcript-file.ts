import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../languages.ts';
import { lazySchema } from '../lazy-schema.ts';
import { receivedText } from '../transcript/from-received.ts';
import type { ReceivedSegment, ReceivedTranscript } from '../transcript/received.ts';
import { cleanSpokenText, cleanTypedText } from '../transcript/spoken-text.ts';
import {
  findChangedTimes,
  findMoved,
  type ImportProblem,
  type ImportCount,
  type PlacedSegment,
} from './import-problems.ts';
import { findCues } from './read-subtitles.ts';
import { whoSpeaks } from './speaker-labels.ts';
import { isAss, isTtml } from './styled-subtitles.ts';

const stamp = /^[[(]?(?:(\d{1,3}):)?(\d{1,2}):(\d{2})(?:[.,]\d{1,3})?[\])]?\s+(?=\S)/u;
const named = /^((?:\p{Lu}|\p{N}+-\p{L})[\p{L}\p{M}\p{N}ʻʼ’'. -]{0,40}):\s+(?=\S)/u;

const day = String.raw`(?:\d{4}-\p{L}+ \d{1,2}-\p{L}+|\d{1,2} \p{L}+ \d{4}(?: г\.)?|\d{4}-\d{2}-\d{2})`;

/** The second line of our header: day, length and recording. */
const dayAndLength = new RegExp(String.raw`^${day} · (?:\d+:)?\d+:\d{2}(?: · |$)`, 'u');

/** A time and a name as our own Markdown has them; programs and people write names like that too. */
const markedBeginning = /^(?:`([\d:]+)` )?(?:\*\*([^*]+:)\*\* )?/u;
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

export interface ReadTranscript {
  readonly received: ReceivedTranscript;
  readonly language: SpeechLanguage | null;
  readonly title: string | null;
  readonly kind: 'subtitles' | 'json' | 'text';
  readonly countedIn: ImportCount;
  readonly problems: readonly ImportProblem[];
}

/** Subtitles, JSON (ours, or `segments` with seconds) or plain text; null when nothing is readable. Never throws. */
export function readTranscriptFile(text: string): ReadTranscript | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  // A text that begins like JSON and can't be parsed is damaged or other data, and not speech.
  if (/^(?:\{|\[\s*(?:[[{"\]]|$))/u.test(trimmed)) return readJson(trimmed);
  const { cues, leftOut } = findCues(text);
  if (cues.length === 0) {
    if (isAss(text) || isTtml(text)) return null;
    const { title, segments } = readParagraphs(text);
    return { received: { text: '', segments }, language: null, title, kind: 'text', countedIn: 'lines', problems: [] };
  }
  const captions = cues.flatMap(({ line: place, lines, startMs, endMs, speaker, italics }): PlacedSegment[] => {
    const said = cleanTypedText(lines.join('\n'));
    const name = cleanSpokenText(speaker ?? '');
    if (said === '') return [];
    const more = { ...(name === '' ? {} : { speaker: name }), ...(italics.size === 0 ? {} : { italics }) };
    return [{ place, segment: { text: said, startMs, endMs, words: [], ...more } }];
  });
  if (captions.length === 0) return null;
  const taken = new Set(captions.map(({ place }) => place));
  const takenCues = cues.filter(({ line }) => taken.has(line));
  // YouTube writes one position behind the times of every caption, which says nothing about any of them.
  const usualPosition = mostFrequent(takenCues.map(({ position }) => position));
  const problems: readonly ImportProblem[] = [
    ...leftOut.map((place) => ({ kind: 'unreadable', place }) as const),
    ...cues.flatMap(({ line }) => (taken.has(line) ? [] : [{ kind: 'empty', place: line } as const])),
    ...findChangedTimes(captions),
    ...findMoved(captions),
    ...takenCues.flatMap(({ line, hasMarks }) => (hasMarks ? [{ kind: 'marks', place: line } as const] : [])),
    ...takenCues.flatMap(({ line, position }) =>
      position !== '' && position !== usualPosition ? [{ kind: 'position', place: line } as const] : [],
    ),
  ];
  const numberOf = new Map(cues.map(({ line, number }) => [line, number]));
  const numbered = problems.map((problem): ImportProblem => {
    const caption = numberOf.get(problem.place);
    return caption === undefined ? problem : { ...problem, caption };
  });
  return {
    received: { text: '', segments: captions.map(({ segment }) => segment) },
    language: null,
    title: null,
    kind: 'subtitles',
    countedIn: 'lines',
    problems: numbered.toSorted((a, b) => a.place - b.place),
  };
}

function mostFrequent(all: readonly string[]): string {
  const counts = [...Map.groupBy(all, (one) => one)].map(([value, { length }]) => ({ value, length }));
  const [first, second] = counts.toSorted((a, b) => b.length - a.length);
  return first === undefined || first.length === 1 || first.length === second?.length ? '' : first.value;
}

const time = z.number().finite().nonnegative();
const ours = lazySchema(() =>
  z.object({
    format: z.literal('ovoz-studio-transcript'),
    title: z.string().max(500).optional(),
    language: z.string(),
    durationMs: time,
    speakers: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
    segments: z.array(
      z.object({
        speakerId: z.string().nullable(),
        startMs: time,
        endMs: time,
        text: z.string(),
        words: z.array(z.object({ text: z.string(), startMs: time, endMs: time })),
      }),
    ),
  }),
);
const inSeconds = { start: time.optional(), end: time.optional() };
const others = lazySchema(() =>
  z.object({
    language: z.string().optional(),
    duration: time.optional(),
    segments: z.array(
      z.object({
        ...inSeconds,
        text: z.string(),
        speaker: z.union([z.string(), z.number()]).nullish(),
        words: z.array(z.object({ ...inSeconds, word: z.string().optional(), text: z.string().optional() })).optional(),
      }),
    ),
  }),
);

const languageOf = (name: string | undefined): SpeechLanguage | null =>
  speechLanguages.find((known) => known === name?.slice(0, 2).toLowerCase()) ?? null;

function readJson(text: string): ReadTranscript | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const own = ours().safeParse(json);
  if (own.success) {
    const { title, language, durationMs, speakers, segments } = own.data;
    const names = new Map(speakers.map(({ id, name }) => [id, name ?? id]));
    return {
      kind: 'json',
      countedIn: 'segments',
      problems: [],
      title: title ?? null,
      language: languageOf(language),
      received: {
        text: '',
        durationMs,
        segments: segments.map(({ speakerId, ...segment }) => ({
          ...segment,
          ...(speakerId === null ? {} : { speaker: names.get(speakerId) ?? speakerId }),
        })),
      },
    };
  }
  const other = others().safeParse(json);
  if (!other.success || other.data.segments.length === 0) return null;
  const { language, duration } = other.data;
  const segments = other.data.segments.map(({ start, end, text: said, speaker, words = [] }) => ({
    text: said.trim(),
    ...timesOf(start, end),
    ...(speaker === undefined || speaker === null ? {} : { speaker: String(speaker) }),
    words: words.map((word) => ({ text: (word.word ?? word.text ?? '').trim(), ...timesOf(word.start, word.end) })),
  }));
  return {
    kind: 'json',
    countedIn: 'segments',
    problems: problemsOf(segments),
    title: null,
    language: languageOf(language),
    received: {
      text: '',
      ...(duration === undefined ? {} : { durationMs: Math.round(duration * 1000) }),
      segments,
    },
  };
}

/** The segments that are left out or whose times can't stay, by their numbers. A text without any time has no wrong one. */
function problemsOf(segments: readonly ReceivedSegment[]): readonly ImportProblem[] {
  const numbered = segments.map((segment, at): PlacedSegment => ({ place: at + 1, segment }));
  const { said = [], empty = [] } = Object.groupBy(numbered, ({ segment }) =>
    cleanTypedText(receivedText(segment)) === '' ? 'empty' : 'said',
  );
  const isTimed = segments.some((one) => [one, ...one.words].some(({ startMs }) => startMs !== undefined));
  return [
    ...empty.map(({ place }) => ({ kind: 'empty', place }) as const),
    ...(isTimed ? [...findChangedTimes(said), ...findMoved(said)] : []),
  ].toSorted((a, b) => a.place - b.place);
}

const timesOf = (start: number | undefined, end: number | undefined) => ({
  ...(start === undefined ? {} : { startMs: Math.round(start * 1000) }),
  ...(end === undefined ? {} : { endMs: Math.round(end * 1000) }),
});

interface ReadParagraphs {
  readonly title: string | null;
  readonly segments: readonly ReceivedSegment[];
}

/** With optional time and name in front; a name stays in the text unless the whole is a transcript. */
function readParagraphs(text: string): ReadParagraphs {
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
