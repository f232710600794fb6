/** The languages the service hears and speaks (contract 1). */
export const speechLanguages = ['uz', 'ru', 'en'] as const;
export type SpeechLanguage = (typeof speechLanguages)[number];

/**
 * The languages of the interface. Never linked to the language of a recording. `uz-Cyrl` is Uzbek in Cyrillic letters,
 * made from the Latin words.
 */
export const interfaceLanguages = ['uz', 'uz-Cyrl', 'ru', 'en'] as const;
export type InterfaceLanguage = (typeof interfaceLanguages)[number];

/** The languages somebody wrote words in; what is looked up in all of them needs no second alphabet. */
export const writtenLanguages = ['uz', 'ru', 'en'] as const satisfies readonly InterfaceLanguage[];

/**
 * The language of the interface that a list of system tags asks for first: `uz-Cyrl-UZ` and `uz_UZ@cyrillic` are Uzbek
 * in Cyrillic, every other kind of a language we speak is that language. English when none is ours.
 */
export function preferredLanguage(tags: readonly string[]): InterfaceLanguage {
  for (const tag of tags) {
    const written = writtenLanguages.find((language) => language === tag.toLowerCase().split(/[-_]/)[0]);
    if (written === 'uz' && /cyrl|cyrillic/i.test(tag)) return 'uz-Cyrl';
    if (written !== undefined) return written;
  }
  return 'en';
}
