import type { OptionValue } from '../../../../../shared/domain/exports/options.ts';
import { profileBounds, type SubtitleProfile } from '../../../../../shared/domain/subtitles/profiles.ts';

/** The caption rules among the options of a format; null for a format without captions. */
export function profileOf(options: Readonly<Record<string, OptionValue>>): SubtitleProfile | null {
  const isWhole = Object.keys(profileBounds).every((name) => typeof options[name] === 'number');
  return isWhole ? (options as unknown as SubtitleProfile) : null;
}
