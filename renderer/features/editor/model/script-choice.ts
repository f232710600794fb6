import type { InterfaceLanguage } from '../../../../shared/domain/languages.ts';
import { scriptOf, type TranscriptScript } from '../../../../shared/domain/transcript/in-script.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';

/** The other alphabet of an Uzbek transcript, and whether it is selected. The stored text keeps its own. */
export interface ScriptChoice {
  readonly other: 'latin' | 'cyrillic';
  readonly isOther: boolean;
}

/** Null for a transcript with only one alphabet. */
export function scriptChoiceOf(transcript: Transcript, chosen: TranscriptScript): ScriptChoice | null {
  const own = scriptOf(transcript);
  if (own === null) return null;
  const other = own === 'latin' ? 'cyrillic' : 'latin';
  return { other, isOther: chosen === other };
}

/** The setting that shows the other alphabet, or the stored one. */
export const scriptSetting = (choice: ScriptChoice | null, isOther: boolean): TranscriptScript =>
  choice !== null && isOther ? choice.other : 'as-written';

/** The script that a transcript is shown in when this one is chosen. */
export const shownScript = (transcript: Transcript, chosen: TranscriptScript): TranscriptScript => {
  const choice = scriptChoiceOf(transcript, chosen);
  return scriptSetting(choice, choice?.isOther ?? false);
};

/** The language tag of the words in the selected alphabet. */
export const langOf = ({ language }: Transcript, choice: ScriptChoice | null, isOther: boolean): InterfaceLanguage =>
  choice !== null && isOther === (choice.other === 'cyrillic') ? 'uz-Cyrl' : language;
