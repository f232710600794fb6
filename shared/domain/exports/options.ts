import type { SpeechLanguage } from '../languages.ts';

/** What initial values may depend on. */
export interface OptionFacts {
  readonly language: SpeechLanguage;
  readonly isCyrillic: boolean;
  /** Whether the text was read from a file of subtitles. */
  readonly isFromSubtitles: boolean;
  /** Whether some of the recording is left out of its exported audio. */
  readonly hasCuts: boolean;
  /** What parts the text into paragraphs of a length to read, where nothing is chosen. */
  readonly dividedBy: 'speaker' | 'segment' | 'pause';
}

type Initial<T> = T | ((facts: OptionFacts) => T);

/** One option of a format. Forms, commands and validation are derived from it. */
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

/** Unvalidated options from a page, a file or a command. */
export type GivenOptions = Readonly<Record<string, OptionValue>>;

/** Options that the user changed; undefined: it has its initial value again. */
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
export const secondText = () => ({ kind: 'second', initial: '' }) as const;
export const toggle = (initial: Initial<boolean> = false) => ({ kind: 'switch', initial }) as const;
export const amount = (
  { min, max, step }: { readonly min: number; readonly max: number; readonly step: number },
  initial: Initial<number>,
) => ({ kind: 'number', min, max, step, initial }) as const;
/** A time in milliseconds, up to a day. */
export const time = () => ({ kind: 'time', min: 0, max: 86_400_000, step: 1, initial: 0 }) as const;

/** Whether a value is one that the option may have. */
export function isAllowed(spec: OptionSpec, value: unknown): value is OptionValue {
  if (spec.kind === 'switch') return typeof value === 'boolean';
  if (spec.kind === 'second') return typeof value === 'string' && value.length <= 40;
  if (spec.kind === 'choice') return typeof value === 'string' && spec.values.includes(value);
  return typeof value === 'number' && Number.isInteger(value) && value >= spec.min && value <= spec.max;
}

/** The name under which an option is stored for one language alone; under its own name it counts for all of them. */
export const inLanguage = (name: string, language: SpeechLanguage) => `${name}.${language}`;

/** The name of an option without the language that it is stored for. */
export const plainName = (key: string): string => key.split('.')[0] ?? key;

/** Validated options: everything missing, unknown or out of bounds has its initial value. */
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
