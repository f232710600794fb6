export type Gender = 'masculine' | 'feminine';

export type RussianCase = 'nominative' | 'genitive' | 'dative' | 'accusative' | 'instrumental' | 'prepositional';
/** Forms of an ordinal. The cases are those of masculine and neuter nouns, `oblique` is that of feminine ones. */
export type OrdinalForm =
  | RussianCase
  | 'feminine'
  | 'oblique'
  | 'feminineAccusative'
  | 'neuter'
  | 'plural'
  | 'pluralGenitive';

export interface Around {
  readonly before: string;
  readonly after: string;
}

const governors: readonly (readonly [RussianCase, string])[] = [
  [
    'genitive',
    'от|до|из|изо|без|около|после|для|у|кроме|против|вместо|среди|порядка|свыше|более|менее|больше|меньше|старше|младше|моложе|выше|ниже|дороже|дешевле|дольше|длиннее|короче|тяжелее|легче|раньше|ранее|позже|позднее|ближе|дальше|течение|размере|количестве|возрасте|пределах|протяжении|объёме|с|со',
  ],
  ['dative', 'к|ко|благодаря|согласно|рав(?:ен|на|но|ны|няется)'],
  ['instrumental', 'между|над|перед|обладает|владеет'],
  ['prepositional', 'о|об|обо|при'],
  [
    'accusative',
    'через|за|спустя|про|в|во|на|сто(?:ит|ят|ил[аио]?)|состав(?:ляет|ляют|ил[аио]?|ит|ят)|весит|длится|длил[аио]сь',
  ],
];
/** Another number that the same word governs: "между 5 и 10", "от 5 или 6". */
const sameAgain = String.raw`(?:\d[\d.,:\u00a0]*(?:\s?[%\p{L}°]{1,9}\.?)?\s(?:и|или)\s)?`;
const patterns = governors.map(
  ([name, words]) => [name, new RegExp(String.raw`(?<![\p{L}\d-])(?:${words})\s${sameAgain}$`, 'iu')] as const,
);
/** Genitives that look like a dative or a prepositional case. */
const notDative = /^(?:реклам|драм|дам|ям|черепах|рубах)$/iu;

const firstWords = (text: string): readonly string[] =>
  /^\s((?:[а-яё]+\s?){1,2})/iu.exec(text)?.[1]?.trim().split(/\s/u) ?? [];

export function nounAfter(text: string): string {
  const [first = '', second = ''] = firstWords(text);
  const noun = /(?:[ыи]х|[ыи]е|[ыи]ми?|ого|его|ому|ему)$/iu.test(first) && second !== '' ? second : first;
  return /^(?:или|для|при|если|либо|они|мы|вы|до|по|на|из|ни|ли|и|с|в|к|о)$/iu.test(noun) ? '' : noun;
}

export function caseOf({ before, after }: Around): RussianCase {
  const noun = nounAfter(after);
  if (/[ая]ми$/iu.test(noun)) return 'instrumental';
  const governed = patterns.find(([, pattern]) => pattern.test(before))?.[0] ?? 'nominative';
  if (!notDative.test(noun)) {
    if (/[ая]х$/iu.test(noun) && /(?<!\p{L})(?:в|во|на|о|об|при|по)\s$/iu.test(before)) return 'prepositional';
    if (/.{3}[ая]м$/iu.test(noun)) return 'dative';
  }
  // "с 5 рублём": one thing is counted in the singular, and its noun shows it.
  if (governed === 'genitive' && /(?<!\p{L})со?\s$/iu.test(before) && /(?:[оеё]м|[оеё]й|ью)$/iu.test(noun))
    return 'instrumental';
  if (/(?<!\p{L})по\s$/iu.test(before) && /[ую]$/iu.test(noun)) return 'dative';
  return governed;
}

type Forms = readonly [genitive: string, dative: string, instrumental: string, prepositional: string];
const same = (word: string): Forms => [word, word, word, word];
const irregular: Readonly<Record<string, Forms>> = {
  ноль: ['нуля', 'нулю', 'нулём', 'нуле'],
  один: ['одного', 'одному', 'одним', 'одном'],
  одно: ['одного', 'одному', 'одним', 'одном'],
  одна: same('одной'),
  два: ['двух', 'двум', 'двумя', 'двух'],
  две: ['двух', 'двум', 'двумя', 'двух'],
  три: ['трёх', 'трём', 'тремя', 'трёх'],
  четыре: ['четырёх', 'четырём', 'четырьмя', 'четырёх'],
  восемь: ['восьми', 'восьми', 'восемью', 'восьми'],
  сорок: same('сорока'),
  девяносто: same('девяноста'),
  сто: same('ста'),
  тысяча: ['тысячи', 'тысяче', 'тысячей', 'тысяче'],
  тысячи: ['тысяч', 'тысячам', 'тысячами', 'тысячах'],
};
const indexOf = { genitive: 0, dative: 1, instrumental: 2, prepositional: 3 } as const;
const hundreds: Forms = ['сот', 'стам', 'стами', 'стах'];

function declineNumeral(word: string, to: keyof typeof indexOf): string {
  const at = indexOf[to];
  const known = irregular[word === 'тысяч' ? 'тысячи' : word];
  if (known !== undefined) return known[at];
  const hundred = { двести: 'два', триста: 'три', четыреста: 'четыре' }[word] ?? /^(.+)сот$/u.exec(word)?.[1];
  if (hundred !== undefined) return `${declineNumeral(hundred, to)}${hundreds[at]}`;
  const ten = /^(.+)десят$/u.exec(word)?.[1];
  if (ten !== undefined) return `${declineNumeral(ten, to)}${declineNumeral('десять', to)}`;
  if (word.endsWith('ь')) return `${word.slice(0, -1)}${to === 'instrumental' ? 'ью' : 'и'}`;
  const large = /^(милли(?:он|ард))(ов|а|)$/u.exec(word);
  if (large !== null)
    return large[2] === '' ? `${large[1]}${['а', 'у', 'ом', 'е'][at]}` : `${large[1]}${['ов', 'ам', 'ами', 'ах'][at]}`;
  // Parts of a fraction: "целая", "десятых".
  return word.replace(/ая$/u, 'ой').replace(/ых$/u, ['ых', 'ым', 'ыми', 'ых'][at] ?? '');
}

/** A cardinal in words, from its nominative: "двадцать одна" in the genitive is "двадцати одной". */
export function declineCardinal(nominative: string, to: RussianCase): string {
  if (to === 'nominative') return nominative;
  if (to === 'accusative')
    return nominative
      .replaceAll(/одна(?= |$)/gu, 'одну')
      .replaceAll(/тысяча(?= |$)/gu, 'тысячу')
      .replaceAll(/ая(?= |$)/gu, 'ую');
  return nominative
    .split(' ')
    .map((word) => declineNumeral(word, to))
    .join(' ');
}

/** A counted noun, from its forms after 1, 2 and 5: "километр в час" in the dative is "километру в час". */
export function declineNoun(
  forms: readonly [one: string, few: string, many: string],
  to: RussianCase,
  isOne: boolean,
): string {
  const [one, few, many] = forms;
  if (to === 'nominative' || one === few) return isOne ? one : many;
  if (to === 'genitive') return isOne ? few.replace(/ых /u, 'ого ') : many;
  // "квадратный метр"
  const adjective = /^(\S+)ый (.+)$/u.exec(one);
  if (adjective !== null) {
    const ending = isOne
      ? { accusative: 'ый', dative: 'ому', instrumental: 'ым', prepositional: 'ом' }[to]
      : { accusative: 'ые', dative: 'ым', instrumental: 'ыми', prepositional: 'ых' }[to];
    return `${adjective[1] ?? ''}${ending} ${declineNoun([adjective[2] ?? '', '', ''], to, isOne)}`;
  }
  const [, noun = '', rest = ''] = /^(\S+)(.*)$/u.exec(one) ?? [];
  // "площадь", "область"
  if (/[дт]ь$/u.test(noun))
    return `${noun.slice(0, -1)}${isOne ? { accusative: 'ь', dative: 'и', instrumental: 'ью', prepositional: 'и' }[to] : 'ям'}${rest}`;
  const isFeminine = /[ая]$/u.test(noun);
  const stem = /[аяь]$/u.test(noun) ? noun.slice(0, -1) : noun;
  const isSoft = /[яь]$/u.test(noun);
  if (!isOne)
    return `${stem}${isSoft ? 'я' : 'а'}${{ accusative: '', dative: 'м', instrumental: 'ми', prepositional: 'х' }[to]}${rest}`;
  if (to === 'accusative') return isFeminine ? `${stem}${isSoft ? 'ю' : 'у'}${rest}` : one;
  const ending = isFeminine
    ? { dative: 'е', instrumental: /[яжчшщц]$/u.test(isSoft ? 'я' : stem) ? 'ей' : 'ой', prepositional: 'е' }[to]
    : { dative: isSoft ? 'ю' : 'у', instrumental: isSoft ? 'ём' : 'ом', prepositional: 'е' }[to];
  return `${stem}${ending}${rest}`;
}

const hard: Readonly<Record<Exclude<OrdinalForm, 'nominative'>, string>> = {
  genitive: 'ого',
  dative: 'ому',
  accusative: '',
  instrumental: 'ым',
  prepositional: 'ом',
  feminine: 'ая',
  oblique: 'ой',
  feminineAccusative: 'ую',
  neuter: 'ое',
  plural: 'ые',
  pluralGenitive: 'ых',
};
const soft: typeof hard = {
  genitive: 'ьего',
  dative: 'ьему',
  accusative: '',
  instrumental: 'ьим',
  prepositional: 'ьем',
  feminine: 'ья',
  oblique: 'ьей',
  feminineAccusative: 'ью',
  neuter: 'ье',
  plural: 'ьи',
  pluralGenitive: 'ьих',
};

export function declineOrdinal(nominative: string, form: OrdinalForm): string {
  if (form === 'nominative' || form === 'accusative') return nominative;
  return `${nominative.slice(0, -2)}${(nominative.endsWith('третий') ? soft : hard)[form]}`;
}
