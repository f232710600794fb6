import type { InterfaceLanguage } from '../../../../shared/domain/languages.ts';
import { scriptOf, type TranscriptScript } from '../../../../shared/domain/transcript/in-script.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';

/** The other alphabet of an Uzbek transcript, and whether it is chosen. What is stored stays in its own. */
export interface Letters {
  readonly other: 'latin' | 'cyrillic';
  readonly isOther: boolean;
}

/** Null for a transcript that is written in one alphabet only. */
export function lettersOf(transcript: Transcript, chosen: TranscriptScript): Letters | null {
  const own = scriptOf(transcript);
  if (own === null) return null;
  const other = own === 'latin' ? 'cyrillic' : 'latin';
  return { other, isOther: chosen === other };
}

/** What to choose so that the other letters are shown, or those that are stored. */
export const scriptFor = (letters: Letters | null, isOther: boolean): TranscriptScript =>
  letters !== null && isOther ? letters.other : 'as-written';

/** The language tag of the words in the letters that were chosen. */
export const langOf = ({ language }: Transcript, letters: Letters | null, isOther: boolean): InterfaceLanguage =>
  letters !== null && isOther === (letters.other === 'cyrillic') ? 'uz-Cyrl' : language;
