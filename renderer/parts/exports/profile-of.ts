import { queryOptions } from '@tanstack/react-query';
import type { ChangedOptions, OptionFacts, OptionValue } from '../../../shared/domain/exports/exporter.ts';
import {
  presets,
  profileBounds,
  standardProfile,
  type SubtitleProfile,
} from '../../../shared/domain/subtitles/profiles.ts';
import type { NamedProfile } from '../../../shared/domain/subtitles/profile-file.ts';
import type { StudioClient } from '../../bridge/client.ts';
import { valueOrThrow } from '../../bridge/request-error.ts';

type Options = Readonly<Record<string, OptionValue>>;

export interface CaptionChoice {
  readonly options: Options;
  readonly facts: OptionFacts;
  readonly change: (changed: ChangedOptions) => void;
}

export const numbersOfProfile = [...Object.keys(profileBounds), 'splitsAtSentences'] as (keyof SubtitleProfile)[];

const isProfile = (options: Readonly<Record<string, unknown>>): options is Record<string, unknown> & SubtitleProfile =>
  Object.keys(profileBounds).every((name) => typeof options[name] === 'number');

export function profileOf(options: Options): SubtitleProfile | null {
  const rules = Object.fromEntries(numbersOfProfile.map((name) => [name, options[name]]));
  return isProfile(rules) ? rules : null;
}

/** No number is chosen, so each text has those of its language. */
export const standardRules: ChangedOptions = Object.fromEntries(numbersOfProfile.map((name) => [name, undefined]));

export const isSameProfile = (profile: SubtitleProfile, options: Options): boolean =>
  numbersOfProfile.every((name) => profile[name] === options[name]);

export const guidesFor = ({ language, isCyrillic }: OptionFacts) => ({
  standard: standardProfile(language, isCyrillic),
  ...presets,
});

export function findProfile(
  options: Options,
  facts: OptionFacts,
  own: readonly NamedProfile[],
): { readonly guide: keyof ReturnType<typeof guidesFor> } | { readonly own: NamedProfile } | null {
  const guides = guidesFor(facts);
  const ids = Object.keys(guides) as (keyof typeof guides)[];
  const guide = ids.find((id) => isSameProfile(guides[id], options));
  if (guide !== undefined) return { guide };
  const mine = own.find(({ profile }) => isSameProfile(profile, options));
  return mine === undefined ? null : { own: mine };
}

export const profilesQuery = (studio: StudioClient) =>
  queryOptions({
    queryKey: ['subtitle-profiles'],
    queryFn: () => valueOrThrow(studio.request('exports.profiles', {})),
    retry: false,
  });
