import type { SpeechLanguage } from '../languages.ts';

const words: Readonly<Record<'uz' | 'en' | 'uzCyrillic' | 'ru', ReadonlySet<string>>> = {
  uz: new Set(
    `va bu bir bilan uchun emas ham edi bor men sen siz biz ular nima qanday qachon kim yoki lekin ammo agar deb salom
    juda kerak mumkin endi hozir bugun ertaga kecha keyin faqat har hamma shu oʻsha u esa yana tugadi assalomu alaykum
    rahmat xayr iltimos ha`.split(/\s+/),
  ),
  en: new Set(
    `the of and to is it you that this for with are was on as have has had not but from they we he she his her him be
    been an at by or if will would can could there their what which who when where how all one two three hello your my
    i our its do does did so no yes me please thank thanks good day here new one`.split(/\s+/),
  ),
  uzCyrillic: new Set(
    `ва бу бир билан учун эмас ҳам эди бор мен сен сиз биз улар нима қандай қачон ким ёки лекин аммо агар деб салом
    жуда керак мумкин энди ҳозир бугун эртага кеча кейин фақат ҳар ҳамма шу ўша эса яна ассалому алайкум раҳмат`.split(
      /\s+/,
    ),
  ),
  ru: new Set(
    `и в во на не это что с со по как из от за к ко у я он она оно мы вы они но а да нет его её их же бы был была было
    были для до при или так то если все всё ещё где когда кто нас вас мне тебе меня очень только уже можно нужно
    здравствуйте привет спасибо пожалуйста есть будет стоит этот эта мой ваш наш`.split(/\s+/),
  ),
};

const uzbekEnds = /(?:lar|larni|larda|lari|ning|dan|gan|dagi|ga|moqda|chi|lik|siz|miz|man|di|adi|ydi|sh)$/u;
const englishShape = /w|th|ck|ee|ea|ou|ough|(?:ing|ed|tion|ly|ment|ness|s)$|(?<!s)c(?!h)/u;
/** Only endings that Russian words don't have: "люди", "врачи" and "роман" are no Uzbek. */
const uzbekCyrillicEnds = /(?<!дол)(?:лар|ларни|ларда|лари)$|(?<!тре)нинг$|(?:даги|ибди|япти|миз)$/u;
const russianEnds =
  /(?:ть|ться|тся|ого|его|ому|ему|ой|ый|ий|ая|яя|ое|ее|ые|ие|ов|ев|ами|ями|ах|ях|ет|ют|ает|ит|ят|ние|ция|ость|ку|ла|ли|ло)$/u;

/** Abbreviations of Russian addresses: with their full stop they are no beginnings of Uzbek words. */
const russianAddress = /(?<!\p{L})(?:г|ул|д|кв|обл|просп)\.(?=\s|$|,)/u;
const addresses = /(?:https?:\/\/|www\.)\S+|\S+@\S+/gu;
const apostrophes = /[‘’'`´ʹʼ′]/gu;

/** `one`, `other`, or null for a word that could be either. */
type Vote = -1 | 0 | 1;

const latinVote = (word: string): Vote => {
  if (/[og]ʻ|q(?!u)/u.test(word) || words.uz.has(word)) return -1;
  if (words.en.has(word)) return 1;
  const [isUzbek, isEnglish] = [uzbekEnds.test(word), englishShape.test(word)];
  return isUzbek === isEnglish ? 0 : isUzbek ? -1 : 1;
};
const cyrillicVote = (word: string): Vote => {
  if (/[ўқғҳ]/u.test(word) || words.uzCyrillic.has(word)) return -1;
  if (/[ыщ]/u.test(word) || words.ru.has(word)) return 1;
  const [isUzbek, isRussian] = [uzbekCyrillicEnds.test(word), russianEnds.test(word)];
  return isUzbek === isRussian ? 0 : isUzbek ? -1 : 1;
};

type Script = 'latin' | 'cyrillic';

/** The alphabet of most letters; Latin names among Cyrillic words ("Microsoft") don't count. */
function scriptOf(text: string): Script | null {
  const plain = text.replaceAll(addresses, ' ');
  const cyrillic = plain.match(/\p{Script=Cyrillic}/gu)?.length ?? 0;
  const words = plain.match(/\p{Script=Latin}+/gu) ?? [];
  const latin = words.filter((word) => cyrillic === 0 || word === word.toLowerCase()).join('').length;
  return cyrillic + latin === 0 ? null : cyrillic > latin ? 'cyrillic' : 'latin';
}

/**
 * The language that the letters and words of a sentence show; null where they leave it open, as in a name or a number.
 * Uzbek is recognised in both of its alphabets.
 */
export function detectLanguage(text: string): SpeechLanguage | null {
  const plain = text.normalize('NFC').replaceAll(addresses, ' ').replaceAll(apostrophes, 'ʻ').toLowerCase();
  const isCyrillic = scriptOf(text) === 'cyrillic';
  const found = plain.match(isCyrillic ? /\p{Script=Cyrillic}+/gu : /\p{Script=Latin}[\p{Script=Latin}ʻ]*/gu) ?? [];
  const votes = found.map((word) => (isCyrillic ? cyrillicVote : latinVote)(word));
  if (isCyrillic && russianAddress.test(plain)) votes.push(1);
  const [uzbek, other] = [votes.filter((vote) => vote === -1).length, votes.filter((vote) => vote === 1).length];
  // One word among many is not enough: it may be a name.
  const least = found.length > 4 ? 2 : 1;
  if (uzbek >= least && uzbek > other) return 'uz';
  return other >= least && other > uzbek ? (isCyrillic ? 'ru' : 'en') : null;
}

/** What a sentence shows by itself: the language of its words, and the alphabet of most of its letters. */
export interface ShownLanguage {
  readonly language: SpeechLanguage | null;
  readonly script: Script | null;
}

export const examineSentence = (text: string): ShownLanguage => ({
  language: detectLanguage(text),
  script: scriptOf(text),
});

/** How many sentences away a neighbour still shows what language a name or a number is in. */
const nearBy = 3;

/**
 * The language of each sentence of a text in `language`; null where nothing speaks against the text's own. What the words
 * of a sentence leave open is decided by its alphabet and by the nearest sentences in the same one. `given`: the language
 * that was chosen for it.
 */
export function detectLanguages(
  sentences: readonly { readonly shown: ShownLanguage; readonly given: SpeechLanguage | null }[],
  language: SpeechLanguage,
): readonly (SpeechLanguage | null)[] {
  // Only words are a sign for their neighbours, or a choice for one sentence would go on from neighbour to neighbour.
  const sure = sentences.map(({ shown, given }) => (shown.language === null ? null : (given ?? shown.language)));
  const hasLatin = sentences.some(({ shown }, at) => shown.script === 'latin' && sure[at] !== null);
  return sentences.map(({ shown: { language: own, script }, given }, at) => {
    if (own !== null || given !== null) return own ?? given;
    for (let by = 1; by <= nearBy; by += 1) {
      for (const near of [at - by, at + by]) {
        const found = sure[near] ?? null;
        const isAlike = script === null || sentences[near]?.shown.script === script;
        if (found !== null && isAlike) return found;
      }
    }
    // A text that is Cyrillic altogether may be Uzbek; no English voice reads Cyrillic.
    return script === 'cyrillic' && (language === 'en' || (language === 'uz' && hasLatin)) ? 'ru' : null;
  });
}
