/** Credits are counted in whole hundred-millionths (contract 8), so nothing is lost by rounding. */
export const unitsPerCredit = 100_000_000;

export const toUnits = (credits: number): number => Math.round(credits * unitsPerCredit);
export const toCredits = (units: number): number => units / unitsPerCredit;
/** The debited amount: a started credit counts as one. */
export const wholeCredits = (units: number): number => Math.ceil(units / unitsPerCredit);

/** How many credits a thousandth of a dollar buys; the real conversion is in the catalogue of models. */
export const creditsPerUsd = 1000;
export const toCostMicros = (units: number): number => Math.round((toCredits(units) / creditsPerUsd) * 1_000_000);

/** Prices of practice mode, in credits: round numbers that make sums easy to check. */
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
