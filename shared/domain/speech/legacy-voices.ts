import type { SpeechLanguage } from '../languages.ts';
import type { SpeechVoice } from './voices.ts';

/** The moods of the legacy API's built-in voice, as its live speech names them (contract 4.14, 4.15). */
const legacyMoods = ['neutral', 'cheerful', 'happy', 'sad'] as const;
export type LegacyMood = (typeof legacyMoods)[number];
/** As its form names them. */
export const legacyFormMoods = {
  neutral: 'Neutral',
  cheerful: 'Cheerful',
  happy: 'Happy',
  sad: 'Sad',
} as const satisfies Readonly<Record<LegacyMood, string>>;

const prefix = 'legacy:';

/** A mood is offered like a voice, under an id that no voice of the current API has. */
export interface LegacyVoiceChoice {
  readonly id: string;
  readonly mood: LegacyMood;
  readonly languages: readonly SpeechLanguage[];
}

/** The moods belong to Uzbek speech; other languages have the neutral voice only. */
export const legacyVoices: readonly LegacyVoiceChoice[] = legacyMoods.map((mood) => ({
  id: `${prefix}${mood}`,
  mood,
  languages: mood === 'neutral' ? ['uz', 'ru', 'en'] : ['uz'],
}));

/** They as they are listed, with the words of `speak.legacyVoices`. */
export const listLegacyVoices = (say: (key: LegacyMood | 'about') => string): readonly SpeechVoice[] =>
  legacyVoices.map(({ id, mood, languages }) => ({
    id,
    languages,
    name: say(mood),
    description: say('about'),
    gender: null,
    isOwn: false,
    palette: null,
  }));

/** The legacy voice with this id; null: it is one of the current API. */
export const legacyVoiceOf = (voiceId: string): LegacyVoiceChoice | null =>
  legacyVoices.find(({ id }) => id === voiceId) ?? null;

/** Whether an id names a legacy voice, known or not. */
export const isLegacyVoice = (voiceId: string): boolean => voiceId.startsWith(prefix);
