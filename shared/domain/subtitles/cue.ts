/** One subtitle: its lines, shown from `startMs` to `endMs`. */
export interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly lines: readonly string[];
  readonly speakerId: string | null;
}

/** A word of a cue with its time in the recording. */
export interface CueWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Set when its time is an estimate, which may be moved. */
  readonly isEstimated?: true;
  /** When it is really said, of a word that was moved to give a typed sentence time. */
  readonly saidMs?: number;
}

/**
 * A cue made from timed words: `rows` has the words of each line, without the name of the speaker; `segmentIds` names the
 * segments that they are from, in order.
 */
export interface TimedCue extends Cue {
  readonly rows: readonly (readonly CueWord[])[];
  /** The name in front of the words of its first line, for example `Dilnoza:`; empty for none. */
  readonly prefix: string;
  readonly segmentIds: readonly string[];
  /**
   * The words in the lines of the segment, where the segment is a caption but is not written as it is: a line break of its
   * own is lost, or it became several captions, of which the first one has these.
   */
  readonly ownRows?: readonly (readonly CueWord[])[];
}

/** Whether a line is what somebody answers in a dialogue. A hyphen before a digit is a minus. */
export const hasTurnDash = (line: string): boolean => /^(?:[—–]|-(?!\p{N}))/u.test(line);

/** The number of characters that a viewer has to read: letters, spaces and punctuation of all lines. */
export const lettersOf = ({ lines }: Pick<Cue, 'lines'>): number =>
  lines.reduce((sum, line) => sum + line.length, Math.max(0, lines.length - 1));

/** Characters a viewer has to read in each second it is shown. */
export const readingSpeedOf = (cue: Omit<Cue, 'speakerId'>): number =>
  (lettersOf(cue) * 1000) / Math.max(1, cue.endMs - cue.startMs);
