import type { TimeSpan, Transcript } from '../../../../shared/domain/transcript/transcript.ts';

/** A speaker as every part of the editor shows it. */
export interface ShownSpeaker {
  readonly id: string;
  /** From 1, in the order of the transcript; the colour follows it. */
  readonly number: number;
  /** 1 to 8. */
  readonly colour: number;
  readonly name: string;
  /** For narrow places: `UR` of "Usta Rahmatillo", `S2` of "Speaker 2". */
  readonly initials: string;
  readonly talkMs: number;
  /** Of all that is said, 0..1. */
  readonly share: number;
}

/** 1 to 8: the ninth speaker takes the first colour again. */
export const colourOf = (speakerNumber: number) => ((speakerNumber - 1) % 8) + 1;

/** The first letters of its first two words; oʻ and gʻ are one letter each, whatever apostrophe was typed. */
const initialsOf = (name: string): string =>
  (name.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}‘’'`ʻʼ]*/gu) ?? [])
    .slice(0, 2)
    .map((word) => (/^(?:[og][‘’'`ʻʼ]|.)/iu.exec(word)?.[0] ?? '').toUpperCase())
    .join('');

/** Speakers with how long each talks; `nameFor` gives the words for one that nobody has named. */
export function listSpeakers(
  { speakers, segments }: Pick<Transcript, 'speakers' | 'segments'>,
  nameFor: (speakerNumber: number) => string,
): readonly ShownSpeaker[] {
  const talk = new Map<string, number>();
  let total = 0;
  for (const { speakerId, startMs, endMs } of segments) {
    if (speakerId === null) continue;
    talk.set(speakerId, (talk.get(speakerId) ?? 0) + endMs - startMs);
    total += endMs - startMs;
  }
  return speakers.map(({ id, name, colour }, index) => {
    const talkMs = talk.get(id) ?? 0;
    const shown = name ?? nameFor(index + 1);
    return {
      id,
      number: index + 1,
      colour: colour ?? colourOf(index + 1),
      name: shown,
      initials: initialsOf(shown),
      talkMs,
      share: total === 0 ? 0 : talkMs / total,
    };
  });
}

/** The spans in which one speaker says nothing; none when they say nothing at all. */
export function spansWithout(
  { segments, durationMs }: Pick<Transcript, 'segments' | 'durationMs'>,
  speakerId: string,
): readonly TimeSpan[] {
  const own = segments.filter((segment) => segment.speakerId === speakerId);
  if (own.length === 0) return [];
  const spans: TimeSpan[] = [];
  let saidUntil = 0;
  for (const { startMs, endMs } of own) {
    if (startMs > saidUntil) spans.push({ startMs: saidUntil, endMs: startMs });
    saidUntil = Math.max(saidUntil, endMs);
  }
  return saidUntil < durationMs ? [...spans, { startMs: saidUntil, endMs: durationMs }] : spans;
}

/** What `listSpeakers` reads of a transcript, as a text that is the same while that is. */
export function spokenBy({ speakers, segments }: Transcript): string {
  const talk = new Map<string, number>();
  for (const { speakerId, startMs, endMs } of segments)
    if (speakerId !== null) talk.set(speakerId, (talk.get(speakerId) ?? 0) + endMs - startMs);
  return JSON.stringify([speakers, [...talk]]);
}

/** Which word times were given and which worked out: decides whether a legend or marks are needed. */
export function timingOf(transcript: Transcript): Timing {
  const known = timings.get(transcript) ?? findTiming(transcript);
  timings.set(transcript, known);
  return known;
}

/** The same for one question, which the first given time answers. */
export const isAllEstimated = ({ segments }: Transcript): boolean =>
  segments.every(({ words }) => words.every(({ isEstimated }) => isEstimated === true)) &&
  segments.some(({ words }) => words.length > 0);

type Timing = 'given' | 'some-estimated' | 'all-estimated';
const timings = new WeakMap<Transcript, Timing>();

function findTiming({ segments }: Transcript): Timing {
  let words = 0;
  let estimated = 0;
  for (const segment of segments) {
    for (const word of segment.words) {
      words += 1;
      if (word.isEstimated === true) estimated += 1;
    }
  }
  if (estimated === 0) return 'given';
  return estimated === words ? 'all-estimated' : 'some-estimated';
}
