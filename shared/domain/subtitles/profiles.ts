import type { SpeechLanguage } from '../languages.ts';

export interface SubtitleProfile {
  readonly charactersPerLine: number;
  readonly linesPerCue: number;
  readonly charactersPerSecond: number;
  readonly minimumMs: number;
  readonly maximumMs: number;
  readonly gapMs: number;
  /** A gap up to this long is closed to exactly `gapMs`; 0 leaves gaps as the speech has them. */
  readonly chainMs: number;
  readonly splitsAtSentences: boolean;
}

export const profileBounds = {
  charactersPerLine: { min: 12, max: 80, step: 1 },
  linesPerCue: { min: 1, max: 3, step: 1 },
  charactersPerSecond: { min: 8, max: 40, step: 1 },
  minimumMs: { min: 200, max: 5000, step: 50 },
  maximumMs: { min: 1000, max: 20_000, step: 100 },
  gapMs: { min: 0, max: 1000, step: 1 },
  chainMs: { min: 0, max: 3000, step: 50 },
} as const satisfies Record<
  Exclude<keyof SubtitleProfile, 'splitsAtSentences'>,
  { min: number; max: number; step: number }
>;

const netflix: SubtitleProfile = {
  charactersPerLine: 42,
  linesPerCue: 2,
  charactersPerSecond: 20,
  minimumMs: 833,
  maximumMs: 7000,
  // Two frames of 24 a second, which the guide wants between all captions.
  gapMs: 83,
  chainMs: 500,
  splitsAtSentences: true,
};

export const presets = {
  'netflix-en': netflix,
  'netflix-ru': { ...netflix, charactersPerLine: 39, charactersPerSecond: 17 },
  bbc: { ...netflix, charactersPerLine: 37, charactersPerSecond: 17, minimumMs: 900, gapMs: 0, chainMs: 1000 },
  youtube: { ...netflix, charactersPerSecond: 21, minimumMs: 1000, gapMs: 0, chainMs: 300 },
  shorts: {
    ...netflix,
    charactersPerLine: 24,
    charactersPerSecond: 25,
    minimumMs: 700,
    maximumMs: 5000,
    gapMs: 0,
    chainMs: 300,
    splitsAtSentences: true,
  },
} as const satisfies Record<string, SubtitleProfile>;

/** The default: lines of Cyrillic are wider, so fewer letters fit. */
export const standardProfile = (language: SpeechLanguage, isCyrillic = language === 'ru'): SubtitleProfile => ({
  ...netflix,
  charactersPerLine: isCyrillic ? 39 : 42,
  charactersPerSecond: language === 'en' ? 20 : 17,
});
