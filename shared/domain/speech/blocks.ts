import { spellName } from '../text/uzbek-letters.ts';
import type { SpeechLanguage } from '../languages.ts';
import { matchWords } from '../text/match-words.ts';
import { countCharacters, splitSentences, withoutMarks, type SpeechSentence } from './split-text.ts';

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
const examineSentence = (text: string): ShownLanguage => ({
  language: detectLanguage(text),
  script: scriptOf(text),
});

/** How many sentences away a neighbour still shows what language a name or a number is in. */
const nearBy = 3;

/** More pairs of sentences than these, 4000 by 4000, are not compared: the text is another one. */
const mostPairs = 16_000_000;

const wordsOf = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== '');

export interface SpeechBlock {
  readonly id: string;
  readonly text: string;
  readonly endsParagraph: boolean;
  /** Null: as the document says. */
  readonly language: SpeechLanguage | null;
  /** Null: as the document says. */
  readonly voiceId: string | null;
  /** 0.5 to 2; null: as the document says. */
  readonly speed: number | null;
  /** Silence after the block in milliseconds; null: the document's. */
  readonly pauseMs: number | null;
  /** Silence after the block that the text asks for by a break tag; `pauseMs` takes precedence. */
  readonly breakMs?: number | null | undefined;
  /** A locked block keeps its audio until it is unlocked, even when voice or speed of the document change. */
  readonly isLocked: boolean;
  /** The text as read aloud where the user changed it; null: derived by the rules. */
  readonly readAs: string | null;
  readonly takeId: string | null;
  readonly takeIds: readonly string[];
  readonly slot?: { readonly startMs: number; readonly endMs: number } | null | undefined;
  readonly comment?: string | null | undefined;
}

export const keptTakes = 10;

export const withTake = (block: SpeechBlock, takeId: string): SpeechBlock => ({
  ...block,
  takeId,
  takeIds: block.takeIds.includes(takeId) ? block.takeIds : [...block.takeIds, takeId].slice(-keptTakes),
});

export interface SpeechDefaults {
  readonly language: SpeechLanguage;
  readonly voiceId: string;
  /** Sentences in another language get its voice; an empty one means that they are read like the rest. */
  readonly otherVoices: Readonly<Partial<Record<SpeechLanguage, string>>>;
  readonly speed: number;
}

/** What is asked of the service; the same four values are never paid for twice. `text`: as read aloud. */
export interface SpeechRequest {
  readonly text: string;
  readonly language: SpeechLanguage;
  readonly voiceId: string;
  readonly speed: number;
}

export const requestIdentity = ({ text, language, voiceId, speed }: SpeechRequest): string =>
  JSON.stringify([text.normalize('NFC'), language, voiceId, Number(speed.toFixed(2))]);

/** The service charges the words as they are read, and the same content once. */
export function chargedCharacters(requests: readonly SpeechRequest[]): number {
  const texts = new Map(requests.map((request) => [requestIdentity(request), request.text]));
  return [...texts.values()].reduce((sum, text) => sum + countCharacters(text), 0);
}

export function requestOf(
  block: Pick<SpeechBlock, 'text' | 'language' | 'voiceId' | 'readAs'>,
  defaults: SpeechDefaults,
  asRead: (text: string, language: SpeechLanguage) => string = (text) => text,
): SpeechRequest {
  const language = block.language ?? defaults.language;
  const usualVoice = language === defaults.language ? defaults.voiceId : (defaults.otherVoices[language] ?? '');
  return {
    text: spellName(
      language,
      block.readAs == null ? asRead(withoutMarks(block.text), language) : withoutMarks(block.readAs),
    ),
    language,
    voiceId: block.voiceId ?? usualVoice,
    // The speed that was chosen is made here, and costs nothing.
    speed: 1,
  };
}

/** Unchanged sentences keep their block; edited ones lose their take. `limit`: characters of a generation. */
export function updateBlocks(
  blocks: readonly SpeechBlock[],
  text: string,
  options: {
    readonly language: SpeechLanguage;
    readonly limit: number;
    readonly newId: () => string;
    readonly otherVoices?: SpeechDefaults['otherVoices'];
  },
): readonly SpeechBlock[] {
  const { language, otherVoices = {} } = options;
  const sentences = splitSentences(text, language, options.limit);
  const kept = matchWords(
    blocks.map((block) => block.text),
    sentences.map((sentence) => sentence.text),
    mostPairs,
  );
  const next: SpeechBlock[] = [];
  const edited = new Set<SpeechBlock>();
  let oldAt = 0;
  let newAt = 0;
  for (const [oldIndex, newIndex] of [...kept, [blocks.length, sentences.length] as const]) {
    const gone = blocks.slice(oldAt, oldIndex);
    const added = sentences.slice(newAt, newIndex);
    // Between two unchanged sentences, equal numbers of removed and added ones count as edited in place.
    const isInPlace = gone.length === added.length;
    const before = isInPlace ? gone : cutAnew(gone, added, options.newId);
    added.forEach((sentence, index) => {
      const block = before[index] ?? emptyBlock(options.newId());
      const changed: SpeechBlock = {
        ...block,
        text: sentence.text,
        endsParagraph: sentence.endsParagraph,
        breakMs: sentence.breakMs,
        takeId: null,
        readAs:
          isInPlace && block.readAs !== null
            ? mergeReading(withoutMarks(block.text), block.readAs, withoutMarks(sentence.text))
            : null,
        isLocked: false,
      };
      edited.add(changed);
      next.push(changed);
    });
    const unchanged = blocks[oldIndex];
    const sentence = sentences[newIndex];
    if (unchanged !== undefined && sentence !== undefined) {
      next.push(
        unchanged.endsParagraph === sentence.endsParagraph && (unchanged.breakMs ?? undefined) === sentence.breakMs
          ? unchanged
          : { ...unchanged, endsParagraph: sentence.endsParagraph, breakMs: sentence.breakMs },
      );
    }
    oldAt = oldIndex + 1;
    newAt = newIndex + 1;
  }
  if (Object.values(otherVoices).every((voice) => voice === '')) return next;
  const shown = shownLanguages(next, language);
  return next.map((block, at) => {
    const detected = shown[at] ?? null;
    if (!edited.has(block) || detected === null || detected === block.language) return block;
    if (detected === language) return block.language === null ? block : { ...block, language: null, voiceId: null };
    return (otherVoices[detected] ?? '') === '' ? block : { ...block, language: detected, voiceId: null };
  });
}

const lettersOf = (sentences: readonly { readonly text: string }[]): string =>
  sentences.map(({ text }) => withoutMarks(text).replaceAll(/\s+/gu, '')).join('');

function cutAnew(
  gone: readonly SpeechBlock[],
  added: readonly SpeechSentence[],
  newId: () => string,
): readonly SpeechBlock[] {
  const [first] = gone;
  const last = gone.at(-1);
  const letters = lettersOf(gone);
  if (first === undefined || last === undefined || letters !== lettersOf(added)) return [];
  const startMs = first.slot?.startMs;
  const endMs = last.slot?.endMs;
  let used = 0;
  const at = (from: number, to: number) => Math.round(from + ((to - from) * used) / letters.length);
  return added.map((sentence, index) => {
    const isFirst = index === 0;
    const slotStart = startMs === undefined || endMs === undefined ? null : at(startMs, endMs);
    used += lettersOf([sentence]).length;
    return {
      ...first,
      id: isFirst ? first.id : newId(),
      pauseMs: index === added.length - 1 ? last.pauseMs : null,
      comment: isFirst ? gone.flatMap(({ comment }) => comment ?? []).join(' ') || null : null,
      takeIds: isFirst ? [...new Set(gone.flatMap(({ takeIds }) => takeIds))].slice(-keptTakes) : [],
      slot: slotStart === null ? null : { startMs: slotStart, endMs: at(startMs ?? 0, endMs ?? 0) },
    };
  });
}

const emptyBlock = (id: string): SpeechBlock => ({
  id,
  text: '',
  endsParagraph: false,
  language: null,
  voiceId: null,
  speed: null,
  pauseMs: null,
  isLocked: false,
  readAs: null,
  takeId: null,
  takeIds: [],
});

const examined = new WeakMap<SpeechBlock, ShownLanguage>();
function shownBy(block: SpeechBlock): ShownLanguage {
  const shown = examined.get(block) ?? examineSentence(block.text);
  examined.set(block, shown);
  return shown;
}

const shownLanguages = (blocks: readonly SpeechBlock[], language: SpeechLanguage) =>
  detectLanguages(
    blocks.map((block) => ({ shown: shownBy(block), given: block.language })),
    language,
  );

/** Blocks that show another language than they will be read in, most first; `isWhole`: the text seems to be in it. */
export function foreignBlocks(
  blocks: readonly SpeechBlock[],
  { language, otherVoices }: Pick<SpeechDefaults, 'language' | 'otherVoices'>,
): readonly { readonly language: SpeechLanguage; readonly ids: readonly string[]; readonly isWhole: boolean }[] {
  const shown = shownLanguages(blocks, language);
  const found = blocks.flatMap((block, at) =>
    block.language === null && block.readAs === null && !block.isLocked
      ? [{ id: block.id, language: shown[at] ?? null }]
      : [],
  );
  const own = found.some((one) => one.language === language) || found.length < blocks.length;
  const others = new Set(found.flatMap((one) => (one.language === null ? [] : [one.language])));
  others.delete(language);
  return [...others]
    .filter((other) => otherVoices[other] !== '')
    .map((other) => ({ language: other, ids: found.flatMap((one) => (one.language === other ? [one.id] : [])) }))
    .toSorted((a, b) => b.ids.length - a.ids.length)
    .map((other, at) => ({ ...other, isWhole: !own && at === 0 && other.ids.length * 2 > found.length }));
}

export const withLanguage = (
  blocks: readonly SpeechBlock[],
  ids: ReadonlySet<string>,
  language: SpeechLanguage | null,
): readonly SpeechBlock[] => blocks.map((block) => (ids.has(block.id) ? { ...block, language, voiceId: null } : block));

export const textOfBlocks = (blocks: readonly SpeechBlock[]): string =>
  blocks
    .map(({ text, endsParagraph }) => text + (endsParagraph ? '\n\n' : ' '))
    .join('')
    .trimEnd();

/** The user's reading with the changed words; null where they are read in another way than written. */
export function mergeReading(before: string, readAs: string, after: string): string | null {
  const [old, read, now] = [wordsOf(before), wordsOf(readAs), wordsOf(after)];
  const readAt = new Map(matchWords(old, read));
  let from = 0;
  while (from < Math.min(old.length, now.length) && old[from] === now[from]) from += 1;
  let kept = 0;
  while (kept < Math.min(old.length, now.length) - from && old.at(-1 - kept) === now.at(-1 - kept)) kept += 1;
  const changed = old.length - kept - from;
  const previous = changed > 0 ? undefined : readAt.get(from - 1);
  const at = from === old.length ? read.length : previous === undefined ? readAt.get(from) : previous + 1;
  if (at === undefined) return null;
  for (let word = 0; word < changed; word += 1) if (readAt.get(from + word) !== at + word) return null;
  return [...read.slice(0, at), ...now.slice(from, now.length - kept), ...read.slice(at + changed)].join(' ');
}

/** -1: Uzbek; 1: the other language of the alphabet; 0: either. */
type Vote = -1 | 0 | 1;

type Script = 'latin' | 'cyrillic';

function scriptOf(text: string): Script | null {
  const plain = text.replaceAll(addresses, ' ');
  const cyrillic = plain.match(/\p{Script=Cyrillic}/gu)?.length ?? 0;
  const words = plain.match(/\p{Script=Latin}+/gu) ?? [];
  const latin = words.filter((word) => cyrillic === 0 || word === word.toLowerCase()).join('').length;
  return cyrillic + latin === 0 ? null : cyrillic > latin ? 'cyrillic' : 'latin';
}

/** Null where letters and words leave it open, as in a name or a number. Knows both alphabets of Uzbek. */
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

interface ShownLanguage {
  readonly language: SpeechLanguage | null;
  readonly script: Script | null;
}

/** What words leave open is decided by the alphabet and the nearest sentences in it; null: the text's own. */
function detectLanguages(
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
