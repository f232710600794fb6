import type { CueWord, TimedCue } from './cue.ts';
import type { SubtitleProfile } from './profiles.ts';

/** Cues before their times are settled, each a place in every list; they stay near each other while they are many. */
export interface RoughCues {
  readonly startMs: number[];
  readonly endMs: number[];
  readonly letters: number[];
  readonly lines: (readonly string[])[];
  readonly rows: (readonly (readonly CueWord[])[])[];
  readonly prefixes: string[];
  readonly speakerIds: (string | null)[];
  readonly segmentIds: (readonly string[])[];
}

/** A cue stays on the screen at most so long after its last word, unless it would be too short to see. */
const lingerMs = 1000;

/**
 * Puts cues into the order of their beginnings, makes room for reading where there is some, keeps the gaps, and never
 * lets two cues share a moment.
 */
export function settleTimes(rough: RoughCues, profile: SubtitleProfile, durationMs: number): readonly TimedCue[] {
  const { minimumMs, maximumMs, gapMs, chainMs, charactersPerSecond } = profile;
  const count = rough.startMs.length;
  const order = Array.from({ length: count }, (_, at) => at);
  const isOrdered = rough.startMs.every((startMs, at) => at === 0 || (rough.startMs[at - 1] ?? 0) <= startMs);
  if (!isOrdered) order.sort((a, b) => (rough.startMs[a] ?? 0) - (rough.startMs[b] ?? 0));
  const starts = new Float64Array(count);
  for (let at = 0, earliest = 0; at < count; at += 1) {
    const startMs = Math.max(earliest, Math.round(rough.startMs[order[at] ?? 0] ?? 0));
    starts[at] = startMs;
    earliest = startMs + 1;
  }
  // Words without a length at the very end begin a moment earlier. More cues than milliseconds are no recording.
  const limitMs = Math.max(durationMs, count);
  for (let at = count - 1, latest = limitMs - 1; at >= 0 && (starts[at] ?? 0) > latest; at -= 1, latest -= 1)
    starts[at] = latest;
  return order.map((place, at) => {
    const startMs = starts[at] ?? 0;
    const spokenMs = Math.round(rough.endMs[place] ?? 0) - startMs;
    const neededMs = Math.ceil(((rough.letters[place] ?? 0) * 1000) / charactersPerSecond);
    const readMs = Math.min(neededMs, Math.max(0, spokenMs) + lingerMs);
    let endMs = startMs + Math.min(maximumMs, Math.max(spokenMs, minimumMs, readMs));
    if (at + 1 < count) {
      const next = starts[at + 1] ?? 0;
      const free = next - gapMs > startMs ? next - gapMs : next;
      if (endMs > free || (free - endMs <= chainMs - gapMs && free - startMs <= maximumMs)) endMs = free;
    }
    return {
      startMs,
      endMs: Math.max(startMs + 1, Math.min(endMs, limitMs)),
      lines: rough.lines[place] ?? [],
      rows: rough.rows[place] ?? [],
      prefix: rough.prefixes[place] ?? '',
      speakerId: rough.speakerIds[place] ?? null,
      segmentIds: rough.segmentIds[place] ?? [],
    };
  });
}
