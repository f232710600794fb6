import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { ClonedVoice } from '../clone/cloned-voices.ts';
import type { Services } from '../services.ts';
import { findVoice } from './voices.ts';

/** A voice as the program speaks with it. */
export interface SpokenVoice {
  readonly language: SpeechLanguage;
  readonly program: string;
  /** 0 to 99, in the program's units; absent: the voice's own. */
  readonly pitch?: number;
}

const highFrom = 150;
/** The usual pitch of the program's two voices, and how far its whole range reaches up or down. */
const usualHz = { high: 198, low: 104 };
const usualPitch = 50;
const pitchPerOctave = 62;
const variants: Readonly<Record<SpeechLanguage, string>> = { uz: 'uz', ru: 'ru', en: 'en-us' };

/** The program's voice at the pitch of the user: no clone, and the catalogue says so. */
function asSpoken({ language, pitchHz }: ClonedVoice): SpokenVoice {
  const hz = pitchHz ?? usualHz.low;
  const isHigh = hz >= highFrom;
  const octaves = Math.log2(hz / (isHigh ? usualHz.high : usualHz.low));
  const pitch = Math.max(0, Math.min(99, Math.round(usualPitch + octaves * pitchPerOctave)));
  return { language, program: `${variants[language]}${isHigh ? '+f2' : '+m3'}`, pitch };
}

/** A voice of the catalogue or of the account; null: there is no such voice, or no longer. */
export function findSpokenVoice(id: string, { clonedVoices }: Pick<Services, 'clonedVoices'>): SpokenVoice | null {
  const known = findVoice(id);
  if (known !== null) return known;
  const cloned = clonedVoices.find(id);
  return cloned === null ? null : asSpoken(cloned);
}

const notes: Readonly<Record<SpeechLanguage, string>> = {
  uz: 'mashq ovozi, nusxa emas',
  ru: 'учебный голос, не клон',
  en: 'practice voice, not a clone',
};

/** The name in the catalogue, which says that it is no clone. */
export const nameInCatalogue = ({ metadata, language }: ClonedVoice): string => `${metadata.name} (${notes[language]})`;
