/** Credits are counted in whole hundred-millionths of a credit (contract 8), so nothing is lost by rounding. */
export const unitsPerCredit = 100_000_000;

export const toUnits = (credits: number): number => Math.round(credits * unitsPerCredit);
export const toCredits = (units: number): number => units / unitsPerCredit;
/** What is debited: a begun credit counts as one. */
export const wholeCredits = (units: number): number => Math.ceil(units / unitsPerCredit);

/** What a thousandth of a dollar buys; the real conversion is told by the catalogue of models. */
export const creditsPerUsd = 1000;
export const toCostMicros = (units: number): number => Math.round((toCredits(units) / creditsPerUsd) * 1_000_000);

/** Prices of practice mode, in credits: plain numbers that make sums easy to check. */
export const prices = {
  ttsPerCharacter: 1,
  /** For each begun minute. */
  sttPerMinute: 60,
  sttSpeakersPerMinute: 30,
  /** For each begun second of a file. */
  isolationPerSecond: 1,
} as const;

export const sttUnits = (durationMs: number, includeSpeakers: boolean): number =>
  toUnits(Math.ceil(durationMs / 60_000) * (prices.sttPerMinute + (includeSpeakers ? prices.sttSpeakersPerMinute : 0)));
