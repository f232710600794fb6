import type { Failure } from '../../result/failure.ts';
import type { SpeechLanguage } from '../languages.ts';

export interface SpeechVoice {
  readonly id: string;
  readonly name: string;
  readonly languages: readonly string[];
  readonly gender: string | null;
  readonly isOwn: boolean;
  readonly description: string | null;
  readonly palette: string | null;
}

export interface VoiceCatalogue {
  readonly voices: readonly SpeechVoice[];
  readonly languages: readonly string[];
  /** False: the service reports that it can't speak at the moment, like practice without a speech program. */
  readonly canSpeak: boolean;
  readonly readAtMs: number;
  /** Why it could not be read now; null for a current list. */
  readonly failure: Failure | null;
}

export interface VoiceMarks {
  readonly favourites: readonly string[];
  readonly recent: readonly string[];
}

/** The moods of the legacy API's built-in voice, as its live speech names them (contract 4.14, 4.15). */
const legacyMoods = ['neutral', 'cheerful', 'happy', 'sad'] as const;
type LegacyMood = (typeof legacyMoods)[number];
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
const legacyVoices: readonly LegacyVoiceChoice[] = legacyMoods.map((mood) => ({
  id: `${prefix}${mood}`,
  mood,
  languages: mood === 'neutral' ? ['uz', 'ru', 'en'] : ['uz'],
}));

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

export const legacyVoiceOf = (voiceId: string): LegacyVoiceChoice | null =>
  legacyVoices.find(({ id }) => id === voiceId) ?? null;

export const isLegacyVoice = (voiceId: string): boolean => voiceId.startsWith(prefix);
