/** The languages the service hears and speaks (service-api 1). */
export const speechLanguages = ['uz', 'ru', 'en'] as const;
export type SpeechLanguage = (typeof speechLanguages)[number];

/** The languages of the interface. Never linked to the language of a recording. */
export const interfaceLanguages = ['uz', 'ru', 'en'] as const;
export type InterfaceLanguage = (typeof interfaceLanguages)[number];
