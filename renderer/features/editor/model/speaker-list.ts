import type { TimeSpan, Transcript } from '../../../../shared/domain/transcript/transcript.ts';

export interface ShownSpeaker {
  readonly id: string;
  readonly number: number;
  readonly colour: number;
  readonly name: string;
  /** For narrow places: `UR` of "Usta Rahmatillo", `S2` of "Speaker 2". */
  readonly initials: string;
  readonly talkMs: number;
  readonly share: number;
}

/** Those with a key and a colour of their own. */
export const speakerNumbers = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** 1 to 8: the ninth speaker takes the first colour again. */
export const colourOf = (speakerNumber: number) => ((speakerNumber - 1) % 8) + 1;

const initialsOf = (name: string): string =>
  (name.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}‘’'`ʻʼ]*/gu) ?? [])
    .slice(0, 2)
    .map((word) => (/^(?:[og][‘’'`ʻʼ]|.)/iu.exec(word)?.[0] ?? '').toUpperCase())
    .join('');

export function listSpeakers(
  { speakers, segments }: Pick<Transcript, 'speakers' | 'segments'>,
  nameFor: (speakerNumber: number) => string,
): readonly ShownSpeaker[] {
  const talk = talkOf(segments);
  const total = [...talk.values()].reduce((sum, ms) => sum + ms, 0);
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
  return JSON.stringify([speakers, [...talkOf(segments)]]);
}

/** How long each speaker talks, in milliseconds. */
function talkOf(segments: Transcript['segments']): ReadonlyMap<string, number> {
  const talk = new Map<string, number>();
  for (const { speakerId, startMs, endMs } of segments)
    if (speakerId !== null) talk.set(speakerId, (talk.get(speakerId) ?? 0) + endMs - startMs);
  return talk;
}

export function timingOf(transcript: Transcript): Timing {
  const known = timings.get(transcript) ?? findTiming(transcript);
  timings.set(transcript, known);
  return known;
}

type Timing = 'given' | 'some-estimated' | 'all-estimated';
const timings = new WeakMap<Transcript, Timing>();

function findTiming({ segments }: Transcript): Timing {
  let words = 0;
  let estimated = 0;
  for (const segment of segments)
    for (const word of segment.words) {
      words += 1;
      if (word.isEstimated === true) estimated += 1;
    }
  if (estimated === 0) return 'given';
  return estimated === words ? 'all-estimated' : 'some-estimated';
}
