import { transcriptScripts } from '../transcript/in-script.ts';
import type { TimeSpan, Transcript } from '../transcript/transcript.ts';
import { profileBounds, standardProfile, type SubtitleProfile } from '../subtitles/profiles.ts';
import type { SpeechLanguage } from '../languages.ts';

export interface OptionFacts {
  readonly language: SpeechLanguage;
  readonly isCyrillic: boolean;
  readonly isFromSubtitles: boolean;
  readonly hasCuts: boolean;
  /** What parts the text into paragraphs of a length to read, where nothing is chosen. */
  readonly dividedBy: 'speaker' | 'segment' | 'pause';
}

type Initial<T> = T | ((facts: OptionFacts) => T);

export type OptionSpec =
  | { readonly kind: 'choice'; readonly values: readonly string[]; readonly initial: Initial<string> }
  | { readonly kind: 'switch'; readonly initial: Initial<boolean> }
  /** The id of another text of the same recording, `letters` for the same text in its other alphabet, or nothing. */
  | { readonly kind: 'second'; readonly initial: Initial<string> }
  | {
      readonly kind: 'number' | 'time';
      readonly min: number;
      readonly max: number;
      readonly step: number;
      readonly initial: Initial<number>;
    };

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export type OptionValue = string | number | boolean;

export type GivenOptions = Readonly<Record<string, OptionValue>>;

export type ChangedOptions = Readonly<Record<string, OptionValue | undefined>>;

export type OptionsOf<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends { readonly kind: 'choice'; readonly values: readonly (infer V)[] }
    ? V
    : Specs[Name] extends { readonly kind: 'switch' }
      ? boolean
      : Specs[Name] extends { readonly kind: 'number' | 'time' }
        ? number
        : Specs[Name] extends { readonly kind: 'second' }
          ? string
          : OptionValue;
};

export const choice = <const V extends readonly [string, ...string[]]>(
  values: V,
  initial: Initial<V[number]> = values[0],
) => ({ kind: 'choice', values, initial }) as const;
const secondText = () => ({ kind: 'second', initial: '' }) as const;
export const toggle = (initial: Initial<boolean> = false) => ({ kind: 'switch', initial }) as const;
export const amount = (
  { min, max, step }: { readonly min: number; readonly max: number; readonly step: number },
  initial: Initial<number>,
) => ({ kind: 'number', min, max, step, initial }) as const;
/** A time in milliseconds, up to a day. */
export const time = () => ({ kind: 'time', min: 0, max: 86_400_000, step: 1, initial: 0 }) as const;

export function isAllowed(spec: OptionSpec, value: unknown): value is OptionValue {
  if (spec.kind === 'switch') return typeof value === 'boolean';
  if (spec.kind === 'second') return typeof value === 'string' && value.length <= 40;
  if (spec.kind === 'choice') return typeof value === 'string' && spec.values.includes(value);
  return typeof value === 'number' && Number.isInteger(value) && value >= spec.min && value <= spec.max;
}

/** The name under which an option is stored for one language alone; under its own name it counts for all of them. */
const inLanguage = (name: string, language: SpeechLanguage) => `${name}.${language}`;

export const plainName = (key: string): string => key.split('.')[0] ?? key;

export function readOptions<Specs extends OptionSpecs>(
  specs: Specs,
  given: GivenOptions,
  facts: OptionFacts,
): OptionsOf<Specs> {
  const options: Record<string, OptionValue> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const stored = [inLanguage(name, facts.language), name].filter((key) => Object.hasOwn(given, key));
    const value = stored.map((key) => given[key]).find((one) => isAllowed(spec, one));
    const { initial } = spec;
    options[name] = value !== undefined ? value : typeof initial === 'function' ? initial(facts) : initial;
  }
  return options as OptionsOf<Specs>;
}

export interface ExportFacts {
  readonly title: string;
  readonly madeAtMs: number;
  /** The displayed name of a speaker: the given one, or "Speaker 2" in the language of the recording. */
  readonly speakerName: (speakerId: string) => string;
  readonly sourceName?: string;
  /** The recording; null when it is not known. `url` is its location on this computer. */
  readonly media: { readonly name: string; readonly url: string } | null;
  /** Subtitles without a recording: nothing says when that ends, so the last one may end later. */
  readonly isOpenEnded?: boolean;
  /** What is redacted of the recording, cut or not. */
  readonly redacted: readonly TimeSpan[];
  /** The second text of subtitles, under the first; null for none. */
  readonly second: SecondText | null;
}

export type SecondText =
  | { readonly kind: 'letters'; readonly change: (word: string) => string }
  | { readonly kind: 'text'; readonly transcript: Transcript };

/** Also one who is not the speaker of everything. */
export const hasSeveralSpeakers = ({ speakers, segments }: Pick<Transcript, 'speakers' | 'segments'>): boolean =>
  speakers.length > 1 || (speakers.length === 1 && segments.some(({ speakerId }) => speakerId === null));

export interface Outline {
  readonly title: string;
  readonly header: readonly string[];
  /** BCP 47. */
  readonly language: string;
  readonly blocks: readonly OutlineBlock[];
  /** Whether the title and the header are written, and names in colours. */
  readonly hasHeader: boolean;
  readonly hasColours: boolean;
}

export type OutlineBlock =
  | { readonly kind: 'heading'; readonly text: string; readonly startMs: number }
  | OutlineParagraph;

export interface OutlineParagraph {
  readonly kind: 'paragraph';
  readonly startMs: number;
  readonly time: string | null;
  /** Null where nobody is named. `place`: index in the list of speakers. `colour`: 1 to 8. */
  readonly speaker: { readonly name: string; readonly place: number; readonly colour: number } | null;
  readonly words: readonly { readonly text: string; readonly startMs: number }[];
  readonly text: string;
}

export const covers = ['silence', 'bleep'] as const;
export type AudioCover = (typeof covers)[number];

/** A part of the recording in exported audio; `cover`: what is heard instead of it, for as long. */
export interface HeardSpan extends TimeSpan {
  readonly cover?: AudioCover;
}

export type ExportDocument =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'outline'; readonly outline: Outline }
  | { readonly kind: 'page'; readonly html: string }
  | {
      readonly kind: 'audio';
      readonly spans: readonly HeardSpan[];
      readonly durationMs: number;
      readonly encoding: AudioEncoding;
    }
  | {
      readonly kind: 'video';
      readonly spans: readonly HeardSpan[];
      /** What is not heard where a key frame brings it back. */
      readonly covered: readonly HeardSpan[];
      readonly durationMs: number;
    };

/** The encoding of audio. `bitRate`: thousands of bits a second; null is what speech needs. */
export interface AudioEncoding {
  readonly bitRate: number | null;
  readonly isMono: boolean;
}

export const exportGroups = ['subtitles', 'documents', 'data', 'editing', 'audio', 'video'] as const;
export type ExportGroup = (typeof exportGroups)[number];

/** A format declares itself; a new one is an entry in `exporters.ts`. */
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

export const wordOptions = { script: choice(transcriptScripts), omitsFillers: toggle() };
export const fileOptions = { byteOrderMark: toggle(), lineEnds: choice(['lf', 'crlf']) };

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
  redactedAudio: choice(['cut', ...covers]),
};

export const languageLimits = ['charactersPerLine', 'charactersPerSecond'] as const;

/** The name under which a typed option of captions is stored: a limit that differs by language counts for that one. */
export const storedName = (name: string, { language }: Pick<OptionFacts, 'language'>): string =>
  (languageLimits as readonly string[]).includes(name) ? inLanguage(name, language) : name;

export const secondOptions = { second: secondText(), tracks: choice(['both', 'second']) };

export const profileOf = (options: OptionsOf<typeof cueOptions>): SubtitleProfile => options;

/** Whose names captions have, and when; without a prefix everybody's, with the label of a speaker without a name. */
export const namings = ['none', 'named-first', 'named-change', 'named-every', 'first', 'change', 'every'] as const;

/** How subtitles name speakers: "Speaker 1" is nobody's name, so no viewer needs it. */
export const namingOption = choice(namings, 'named-change');
