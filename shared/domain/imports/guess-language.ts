import type { SpeechLanguage } from '../languages.ts';

/** Words that occur in any longer text, in Latin letters; Uzbek and English share none of them. */
const common = {
  uz: new Set(
    'va bu bilan uchun ham emas bir edi kerak men biz siz ular shu lekin endi qanday deb boʻldi yoʻq'.split(' '),
  ),
  en: new Set('the and of to is that it was you for with this have are they not but what from'.split(' ')),
};

/** By letters and common words; null when these don't decide it. All apostrophes count as the Uzbek one. */
export function guessLanguage(text: string): SpeechLanguage | null {
  const sample = text.slice(0, 20_000).toLowerCase();
  const count = (letters: RegExp) => sample.match(letters)?.length ?? 0;
  const [cyrillic, latin] = [count(/\p{Script=Cyrillic}/gu), count(/\p{Script=Latin}/gu)];
  if (cyrillic + latin < 8) return null;
  if (cyrillic > latin) {
    const [uzbek, russian] = [count(/[ўқғҳ]/gu), count(/[ыщ]/gu)];
    return uzbek === russian ? (uzbek === 0 ? 'ru' : 'uz') : uzbek > russian ? 'uz' : 'ru';
  }
  const words = sample.replaceAll(/[‘’'`ʼ´]/gu, 'ʻ').match(/[\p{L}ʻ]+/gu) ?? [];
  const found = (language: keyof typeof common) => words.filter((word) => common[language].has(word)).length;
  // No English word has these: oʻ and gʻ inside a word, and a q without a u.
  const uzbek = found('uz') + words.filter((word) => /[og]ʻ\p{L}|q(?!u)/u.test(word)).length;
  const english = found('en');
  return uzbek === english ? null : uzbek > english ? 'uz' : 'en';
}

/** What people write at either end of a name to name the language: `interview-uz`, `RU_meeting`, `lesson en 2`. */
const marks: Readonly<Record<string, SpeechLanguage>> = {
  uz: 'uz',
  uzb: 'uz',
  uzbek: 'uz',
  ru: 'ru',
  rus: 'ru',
  russian: 'ru',
  en: 'en',
  eng: 'en',
  english: 'en',
};

/** By a mark at either end or by letters of one language; null for most names. */
export function languageInName(name: string): SpeechLanguage | null {
  const plain = name
    .replace(/[.][^.]+$/u, '')
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[‘’'`ʼ´]/gu, 'ʻ');
  const parts = plain.split(/[^\p{L}ʻ]+/u).filter((part) => part !== '');
  const marked = marks[parts.at(-1) ?? ''] ?? marks[parts[0] ?? ''];
  if (marked !== undefined) return marked;
  if (/[ўқғҳ]/u.test(plain) || parts.some((part) => /[og]ʻ\p{L}/u.test(part))) return 'uz';
  return /[ыщ]/u.test(plain) ? 'ru' : null;
}
