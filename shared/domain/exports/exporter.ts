import { transcriptScripts } from '../transcript/in-script.ts';
import type { TimeSpan, Transcript } from '../transcript/transcript.ts';
import {
  amount,
  choice,
  inLanguage,
  secondText,
  time,
  toggle,
  type OptionFacts,
  type OptionSpecs,
  type OptionsOf,
} from './options.ts';
import type { ExportFacts } from './export-facts.ts';
import type { Outline } from './outline.ts';
import { profileBounds, standardProfile, type SubtitleProfile } from '../subtitles/profiles.ts';

/** The result of a format: the file itself, or the input of a writer for documents or audio. */
export type ExportDocument =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'outline'; readonly outline: Outline }
  | { readonly kind: 'page'; readonly html: string }
  /** Parts of the recording; `durationMs` is all of it. */
  | {
      readonly kind: 'audio';
      readonly spans: readonly TimeSpan[];
      readonly durationMs: number;
      readonly encoding: AudioEncoding;
    };

/** The encoding of audio. `bitRate`: thousands of bits a second; null is what speech needs. */
export interface AudioEncoding {
  readonly bitRate: number | null;
  readonly isMono: boolean;
}

/** How formats are grouped where they are offered. */
export const exportGroups = ['subtitles', 'documents', 'data', 'editing', 'audio'] as const;
export type ExportGroup = (typeof exportGroups)[number];

/** A format declares itself; a new one is a new file and a line in `exporters.ts`. */
export interface Exporter<Id extends string = string, Specs extends OptionSpecs = OptionSpecs> {
  readonly id: Id;
  readonly extension: `.${string}`;
  readonly mediaType: string;
  readonly group: ExportGroup;
  readonly options: Specs;
  /** Lines end with LF, and there is no byte order mark: both are options that are applied afterwards. */
  write(transcript: Transcript, facts: ExportFacts, options: OptionsOf<Specs>): ExportDocument;
}

export const text = (written: string): ExportDocument => ({ kind: 'text', text: written });

/** Options of every format: the alphabet, and whether hesitations are left out. */
export const wordOptions = {
  script: choice(transcriptScripts),
  omitsFillers: toggle(),
};
/** Formats of plain text. */
export const fileOptions = { byteOrderMark: toggle(), lineEnds: choice(['lf', 'crlf']) };

/** Options of subtitles: the rules of a profile, number by number. */
export const cueOptions = {
  // What was read from subtitles is cut into captions already.
  cuesFrom: choice(['sentences', 'segments'], ({ isFromSubtitles }) => (isFromSubtitles ? 'segments' : 'sentences')),
  charactersPerLine: amount(
    profileBounds.charactersPerLine,
    ({ language, isCyrillic }) => standardProfile(language, isCyrillic).charactersPerLine,
  ),
  charactersPerSecond: amount(
    profileBounds.charactersPerSecond,
    ({ language, isCyrillic }) => standardProfile(language, isCyrillic).charactersPerSecond,
  ),
  linesPerCue: amount(profileBounds.linesPerCue, standardProfile('en').linesPerCue),
  splitsAtSentences: toggle(true),
  minimumMs: amount(profileBounds.minimumMs, standardProfile('en').minimumMs),
  maximumMs: amount(profileBounds.maximumMs, standardProfile('en').maximumMs),
  gapMs: amount(profileBounds.gapMs, standardProfile('en').gapMs),
  chainMs: amount(profileBounds.chainMs, standardProfile('en').chainMs),
  mends: toggle(),
  offsetMs: time(),
  // Captions belong to the audio that is exported beside them.
  followsCuts: toggle(({ hasCuts }) => hasCuts),
};

/** The limits that are not the same in all languages. */
export const languageLimits = ['charactersPerLine', 'charactersPerSecond'] as const;

/** The name under which a typed option of captions is stored: a limit that differs by language counts for that one. */
export const storedName = (name: string, { language }: Pick<OptionFacts, 'language'>): string =>
  (languageLimits as readonly string[]).includes(name) ? inLanguage(name, language) : name;

/** A second language or alphabet, cue by cue: under the first, or alone in a file with the same cues. */
export const secondOptions = {
  second: secondText(),
  tracks: choice(['both', 'second']),
};

export const profileOf = (options: OptionsOf<typeof cueOptions>): SubtitleProfile => options;

/** Whose names captions have, and when; without a prefix everybody's, with the label of a speaker without a name. */
export const namings = ['none', 'named-first', 'named-change', 'named-every', 'first', 'change', 'every'] as const;

/** How subtitles name speakers: "Speaker 1" is nobody's name, so no viewer needs it. */
export const namingOption = choice(namings, 'named-change');
