import { z } from 'zod';
import { lazySchema } from '../lazy-schema.ts';
import { speechLanguages, type SpeechLanguage } from '../languages.ts';
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
import { readParagraphs } from './read-paragraphs.ts';
import { findCues } from './read-subtitles.ts';

/** The content of a text file; `language` if the file states it. */
export interface ReadTranscript {
  readonly received: ReceivedTranscript;
  readonly language: SpeechLanguage | null;
  /** Null: the file name is used. */
  readonly title: string | null;
  readonly kind: 'subtitles' | 'json' | 'text';
  /** What the places of `problems` are numbers of. */
  readonly countedIn: ImportCount;
  /** Captions that are not in `received` as they are in the file, or can't keep their times, in its order. */
  readonly problems: readonly ImportProblem[];
}

/**
 * The transcript in a file of subtitles, JSON (ours, or that of programs that write `segments` with seconds) or plain
 * text. Null when it contains nothing readable. Never throws.
 */
export function readTranscriptFile(text: string): ReadTranscript | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  // Square brackets may hold the time of a paragraph. A text that begins like JSON and can't be parsed is damaged, or
  // data of another program, and not speech.
  if (/^(?:\{|\[\s*(?:[[{"\]]|$))/u.test(trimmed)) return readJson(trimmed);
  const { cues, leftOut } = findCues(text);
  if (cues.length === 0) {
    const { title, segments } = readParagraphs(text);
    return { received: { text: '', segments }, language: null, title, kind: 'text', countedIn: 'lines', problems: [] };
  }
  const captions = cues.flatMap(({ line: place, lines, startMs, endMs, speaker }): PlacedSegment[] => {
    const said = cleanTypedText(lines.join('\n'));
    const name = cleanSpokenText(speaker ?? '');
    return said === ''
      ? []
      : [{ place, segment: { text: said, startMs, endMs, words: [], ...(name === '' ? {} : { speaker: name }) } }];
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

/** Empty where none returns, or none is more frequent than the others. */
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
