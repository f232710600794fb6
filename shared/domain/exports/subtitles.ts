import type { TimedCue } from '../subtitles/cue.ts';
import { makeCues, type CueNaming } from '../subtitles/make-cues.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { cleanLine } from './clean-line.ts';
import { hasSeveralSpeakers, type ExportFacts } from './export-facts.ts';
import { profileOf, type cueOptions } from './exporter.ts';
import type { OptionsOf } from './options.ts';

type Naming = CueNaming['when'] | 'none';

/**
 * The cues every format of subtitles is written of. `speakers`: how the text of a cue names who speaks; formats that
 * have another place for a name ask for `none`. Times include the start offset.
 */
export function cuesOf(
  transcript: Transcript,
  { speakerName }: Pick<ExportFacts, 'speakerName'>,
  options: OptionsOf<typeof cueOptions>,
  speakers: Naming,
): readonly TimedCue[] {
  const names = new Map(transcript.speakers.map(({ id }) => [id, `${cleanLine(speakerName(id))}:`]));
  const naming =
    speakers === 'none' || !hasSeveralSpeakers(transcript)
      ? null
      : { when: speakers, prefixOf: (speakerId: string) => names.get(speakerId) ?? '' };
  const cues = makeCues(transcript, profileOf(options), naming);
  const { offsetMs } = options;
  if (offsetMs === 0) return cues;
  const moved = (part: { readonly startMs: number; readonly endMs: number }) => ({
    startMs: part.startMs + offsetMs,
    endMs: part.endMs + offsetMs,
  });
  return cues.map((cue) => ({
    ...cue,
    ...moved(cue),
    rows: cue.rows.map((row) => row.map((word) => ({ ...word, ...moved(word) }))),
  }));
}
