/** The languages the service recognises and speaks (contract 1). */
export const speechLanguages = ['uz', 'ru', 'en'] as const;
export type SpeechLanguage = (typeof speechLanguages)[number];

/**
 * The languages of the interface. Never linked to the language of a recording. `uz-Cyrl` is Uzbek in Cyrillic letters,
 * derived from the Latin strings.
 */
export const interfaceLanguages = ['uz', 'uz-Cyrl', 'ru', 'en'] as const;
export type InterfaceLanguage = (typeof interfaceLanguages)[number];

/** The languages with written strings; a search in all of them needs no second alphabet. */
export const writtenLanguages = ['uz', 'ru', 'en'] as const satisfies readonly InterfaceLanguage[];

/**
 * The first supported language in a list of system tags: `uz-Cyrl-UZ` and `uz_UZ@cyrillic` are Uzbek in Cyrillic, every
 * other variant of a supported language is that language. Otherwise English.
 */
export function preferredLanguage(tags: readonly string[]): InterfaceLanguage {
  for (const tag of tags) {
    const written = writtenLanguages.find((language) => language === tag.toLowerCase().split(/[-_]/)[0]);
    if (written === 'uz' && /cyrl|cyrillic/i.test(tag)) return 'uz-Cyrl';
    if (written !== undefined) return written;
  }
  return 'en';
}
