import { findProblems, type FoundProblem } from '../subtitles/check-cues.ts';
import type { Cue, TimedCue } from '../subtitles/cue.ts';
import type { SubtitleProfile } from '../subtitles/profiles.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { Exporter } from './exporter.ts';
import type { GivenOptions } from './options.ts';
import { checkFacts, fileProfile, mendCues, ownCues } from './subtitles.ts';
import { prepareFor, type WritingFacts } from './write-export.ts';

interface Checked {
  readonly cues: readonly TimedCue[];
  readonly found: readonly FoundProblem[];
}

/** The captions of a file and their problems. */
interface CheckedCaptions {
  readonly profile: SubtitleProfile;
  /** Without the automatic fixes, and with them; the same captions in the same places. */
  readonly plain: Checked;
  readonly mended: Checked;
  /** As they will be written, but before they are moved by the start offset: one of the two. */
  readonly written: Checked;
  readonly offsetMs: number;
}

/**
 * Makes and checks the captions that a file would have, for every place that shows problems. Null for a format that has
 * no captions.
 */
export function checkCaptions(
  exporter: Exporter,
  transcript: Transcript,
  given: GivenOptions,
  writing: WritingFacts,
): CheckedCaptions | null {
  if (!('charactersPerLine' in exporter.options)) return null;
  const { shown, options, facts } = prepareFor(exporter, transcript, given, writing);
  const chosen = options as unknown as Parameters<typeof ownCues>[2];
  const profile = fileProfile(chosen, facts);
  const rules = checkFacts(shown, facts, profile);
  const checked = (cues: readonly TimedCue[]): Checked => ({ cues, found: findProblems(cues, rules) });
  const plain = checked(ownCues(shown, facts, { ...chosen, mends: false }, profile));
  const mended = checked(mendCues(plain.cues, rules, chosen));
  return { profile, plain, mended, written: chosen.mends ? mended : plain, offsetMs: chosen.offsetMs };
}

/** The problems of a format's captions, before and after the automatic fixes. */
export interface SubtitleCheck {
  readonly cueCount: number;
  /** The problems of the captions as they will be written, with the times that the file has. */
  readonly problems: readonly (FoundProblem & Pick<Cue, 'startMs' | 'endMs' | 'lines'>)[];
  /** How many problems there are without the automatic fixes, and with them. */
  readonly unmendedCount: number;
  readonly mendedCount: number;
}

/** What `checkCaptions` found, in a form that can be sent. */
export function checkSubtitles(...checked: Parameters<typeof checkCaptions>): SubtitleCheck | null {
  const found = checkCaptions(...checked);
  if (found === null) return null;
  const { plain, mended, written, offsetMs } = found;
  return {
    cueCount: written.cues.length,
    problems: written.found.flatMap((problem) => {
      const cue = written.cues[problem.cue];
      if (cue === undefined) return [];
      return [{ ...problem, startMs: cue.startMs + offsetMs, endMs: cue.endMs + offsetMs, lines: cue.lines }];
    }),
    unmendedCount: plain.found.length,
    mendedCount: mended.found.length,
  };
}
