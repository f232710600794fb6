import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';

/** A voice of the catalogue. `program` is its name in espeak-ng. */
export interface Voice {
  readonly id: string;
  readonly name: string;
  readonly language: SpeechLanguage;
  readonly gender: 'female' | 'male';
  readonly program: string;
}

export const speechModel = 'practice-espeak-ng';

const voice = (language: SpeechLanguage, name: string, gender: Voice['gender'], program: string): Voice => ({
  id: `voice_practice_${language}_${name.toLowerCase()}`,
  name,
  language,
  gender,
  program,
});

/** Two for each language. They sound like the machine that they are. */
export const voices: readonly Voice[] = [
  voice('uz', 'Lola', 'female', 'uz+f2'),
  voice('uz', 'Anvar', 'male', 'uz+m3'),
  voice('ru', 'Vera', 'female', 'ru+f2'),
  voice('ru', 'Pavel', 'male', 'ru+m3'),
  voice('en', 'Alice', 'female', 'en-us+f2'),
  voice('en', 'Oliver', 'male', 'en-gb+m3'),
];

export const languageNames: Readonly<Record<SpeechLanguage, string>> = {
  uz: 'Oʻzbekcha',
  ru: 'Русский',
  en: 'English',
};

export const findVoice = (id: string): Voice | null => voices.find((one) => one.id === id) ?? null;

/** Languages with a voice, in the order of the catalogue. */
export const spokenLanguages: readonly SpeechLanguage[] = speechLanguages.filter((language) =>
  voices.some((one) => one.language === language),
);
