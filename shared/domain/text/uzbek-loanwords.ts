/** Latin omits ь and writes ц as s or ts, so these are listed; the first of several spellings is the current one. */
const loanwords: readonly (readonly [latin: string, cyrillic: string])[] = [
  ['yanvar', 'январь'],
  ['fevral', 'февраль'],
  ['aprel', 'апрель'],
  ['iyun', 'июнь'],
  ['iyul', 'июль'],
  ['sentabr', 'сентябрь'],
  ['sentyabr', 'сентябрь'],
  ['oktabr', 'октябрь'],
  ['oktyabr', 'октябрь'],
  ['noyabr', 'ноябрь'],
  ['dekabr', 'декабрь'],
  ['abzats', 'абзац'],
  ['akvarel', 'акварель'],
  ['albom', 'альбом'],
  ['ansambl', 'ансамбль'],
  ['avtomobil', 'автомобиль'],
  ['balzam', 'бальзам'],
  ['batalyon', 'батальон'],
  ['bilyard', 'бильярд'],
  ['budjet', 'бюджет'],
  ['bulvar', 'бульвар'],
  ['detal', 'деталь'],
  ['dotsent', 'доцент'],
  ['fakultet', 'факультет'],
  ['festival', 'фестиваль'],
  ['film', 'фильм'],
  ['filtr', 'фильтр'],
  ['intervyu', 'интервью'],
  ['inventar', 'инвентарь'],
  ['kabel', 'кабель'],
  ['kalendar', 'календарь'],
  ['kalkulyator', 'калькулятор'],
  ['kompyuter', 'компьютер'],
  ['konsert', 'концерт'],
  ['lager', 'лагерь'],
  ['litsenziya', 'лицензия'],
  ['litsey', 'лицей'],
  ['matritsa', 'матрица'],
  ['mayonez', 'майонез'],
  ['mayor', 'майор'],
  ['mebel', 'мебель'],
  ['medal', 'медаль'],
  ['model', 'модель'],
  ['multfilm', 'мультфильм'],
  ['multimedia', 'мультимедиа'],
  ['neft', 'нефть'],
  ['nol', 'ноль'],
  ['ofitser', 'офицер'],
  ['palto', 'пальто'],
  ['panel', 'панель'],
  ['parol', 'пароль'],
  ['patsient', 'пациент'],
  ['pavilyon', 'павильон'],
  ['pensiya', 'пенсия'],
  ['pensioner', 'пенсионер'],
  ['profil', 'профиль'],
  ['protsent', 'процент'],
  ['protsess', 'процесс'],
  ['protsessor', 'процессор'],
  ['pult', 'пульт'],
  ['rayon', 'район'],
  ['retsept', 'рецепт'],
  ['rol', 'роль'],
  ['sement', 'цемент'],
  ['sent', 'цент'],
  ['sentner', 'центнер'],
  ['senzura', 'цензура'],
  ['sex', 'цех'],
  ['shampun', 'шампунь'],
  ['sikl', 'цикл'],
  ['silindr', 'цилиндр'],
  ['sirk', 'цирк'],
  ['sirkul', 'циркуль'],
  ['sitata', 'цитата'],
  ['sivilizatsiya', 'цивилизация'],
  ['sotsial', 'социал'],
  ['spektakl', 'спектакль'],
  ['syezd', 'съезд'],
  ['tunnel', 'туннель'],
  ['vals', 'вальс'],
  ['vebhuk', 'вебхук'],
  ['yogurt', 'йогурт'],
];

/** Suffixes of Uzbek nouns; a stem followed by anything else is another word ("rol" in "rolik"). */
const endings =
  /^(?:lash[a-zʻʼ]*|(?:lar|lik|li|siz|cha|chi|dagi|imiz|ingiz|miz|ngiz|im|ing|ning|ni|i|si|ga|dan|da|dir|mi|ham|gacha|dek|day|u)*)$/;

export const isNounEnding = (latin: string): boolean => endings.test(latin);

interface Split {
  readonly stem: string;
  readonly length: number;
}

const cyrillicStems: ReadonlyMap<string, string> = new Map(loanwords);
const latinStems = new Map<string, string>();
for (const [latin, cyrillic] of loanwords) {
  if (latinStems.has(cyrillic)) continue;
  latinStems.set(cyrillic, latin);
  // Cyrillic drops the soft sign before a suffix: сентябрь, сентябрда.
  if (cyrillic.endsWith('ь')) latinStems.set(cyrillic.slice(0, -1), latin);
}

export function findLatinLoanword(word: string): Split | null {
  for (let length = word.length; length > 2; length -= 1) {
    const stem = cyrillicStems.get(word.slice(0, length));
    const ending = word.slice(length);
    if (stem === undefined || !isNounEnding(ending)) continue;
    return { stem: ending === '' ? stem : stem.replace(/ь$/, ''), length };
  }
  return null;
}

/** In lower case, or null. `toLatin` spells the suffix by the general rules. */
export function findCyrillicLoanword(word: string, toLatin: (ending: string) => string): Split | null {
  for (let length = word.length; length > 2; length -= 1) {
    const stem = latinStems.get(word.slice(0, length));
    if (stem !== undefined && isNounEnding(toLatin(word.slice(length)))) return { stem, length };
  }
  return null;
}
