/** The languages the service recognises and speaks (contract 1). */
export const speechLanguages = ['uz', 'ru', 'en'] as const;
export type SpeechLanguage = (typeof speechLanguages)[number];

/** Never linked to the language of a recording. `uz-Cyrl` is derived from the Latin strings. */
export const interfaceLanguages = ['uz', 'uz-Cyrl', 'ru', 'en'] as const;
export type InterfaceLanguage = (typeof interfaceLanguages)[number];

/** The languages with written strings; a search in all of them needs no second alphabet. */
export const writtenLanguages = ['uz', 'ru', 'en'] as const satisfies readonly InterfaceLanguage[];

/** `uz-Cyrl-UZ` and `uz_UZ@cyrillic` are Uzbek in Cyrillic; other variants are their language, else English. */
export function preferredLanguage(tags: readonly string[]): InterfaceLanguage {
  for (const tag of tags) {
    const written = writtenLanguages.find((language) => language === tag.toLowerCase().split(/[-_]/)[0]);
    if (written === 'uz' && /cyrl|cyrillic/i.test(tag)) return 'uz-Cyrl';
    if (written !== undefined) return written;
  }
  return 'en';
}
