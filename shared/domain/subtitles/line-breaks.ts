import type { SpeechLanguage } from '../languages.ts';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Prepositions, conjunctions, articles and negations: they stay with the following word. */
const leanOnNext: Readonly<Record<SpeechLanguage, ReadonlySet<string>>> = {
  ru: setOf(
    'в во на с со к ко о об обо у из изо от ото до за по под подо над надо при про без безо для через между перед передо около после среди ради сквозь вокруг против кроме вместо из-за из-под не ни и а но или либо что чтобы как если когда хотя потому пока где который которая которое которые',
  ),
  en: setOf(
    'a an the of to in on at by for with from into onto over under about as and or but nor if that than because when while who which my your his her its our their this these those not no mr mrs ms dr prof st',
  ),
  uz: setOf(
    'va ammo lekin biroq yoki hamda bir bu shu oʻsha eng juda har hech agar chunki balki goʻyo ва аммо лекин бироқ ёки ҳамда бир бу шу ўша энг жуда ҳар ҳеч агар чунки балки гўё',
  ),
};

/** Particles and postpositions: they stay with the preceding word. */
const leanOnPrevious: Readonly<Record<SpeechLanguage, ReadonlySet<string>>> = {
  ru: setOf('же бы ли б ж'),
  en: setOf("'s n't"),
  uz: setOf(
    'ham esa edi edilar ekan emish emas uchun bilan kabi singari kerak mumkin lozim shart bor yoʻq deb deya mi chi ku da boʻlsa haqida toʻgʻrisida boʻyicha orqali tufayli sababli sari qadar koʻra keyin soʻng oldin beri ҳам эса эди эдилар экан эмиш эмас учун билан каби сингари керак мумкин лозим шарт бор йўқ деб дея ми чи ку да бўлса ҳақида тўғрисида бўйича орқали туфайли сабабли сари қадар кўра кейин сўнг олдин бери',
  ),
};

const number = /^[$€£№#]?\d+(?:[.,:/]\d+)*$/u;
const initial = /^\p{Lu}\.$/u;
const titles = /^(?:mr|mrs|ms|dr|prof|st|г|гг|ул|им|т|тов|akad|dots)\.$/iu;
const sentenceEnd = /[.!?…]["'»”)\]]*$/u;
const clauseEnd = /[,;:]["'»”)\]]*$|[—–]$/u;
const dash = /^[—–-]$/u;
const plain = /^[\p{L}\p{N}.,!?:;…—–«»“”"'()%-]+$/u;

/** What ends with a word; the full stop of initials and titles ends nothing. */
export function endOf(word: string): 'sentence' | 'clause' | null {
  // Most words end with a letter, and this is called for every word.
  if (/\p{L}$/u.test(word)) return null;
  if (sentenceEnd.test(word)) return initial.test(word) || titles.test(word) ? null : 'sentence';
  return clauseEnd.test(word) ? 'clause' : null;
}

const core = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll(/[‘’'`´ʼ]/gu, 'ʻ')
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

export const neverBreak = 1000;

export interface WordFacts {
  /** Only letters, figures and marks of writing: it is written as it is. */
  readonly isPlain: boolean;
  readonly end: 'sentence' | 'clause' | null;
  readonly isDash: boolean;
  /** A number, an initial or a title, which belongs to the following word. */
  readonly isBound: boolean;
  readonly isUnit: boolean;
  readonly leansOnNext: boolean;
  readonly leansOnPrevious: boolean;
}

function factsOf(word: string, language: SpeechLanguage): WordFacts {
  const bare = core(word);
  return {
    isPlain: plain.test(word),
    end: endOf(word),
    isDash: dash.test(word),
    isBound: number.test(word) || initial.test(word) || titles.test(word),
    isUnit: /^[%°‰]/u.test(word),
    leansOnNext: leanOnNext[language].has(bare),
    leansOnPrevious: leanOnPrevious[language].has(bare),
  };
}

/** Looking at a word takes long, and speech is made of a few thousand words; so many are kept of each language. */
const mostKnown = 20_000;
const known: Readonly<Record<SpeechLanguage, Map<string, WordFacts>>> = { uz: new Map(), ru: new Map(), en: new Map() };

export function wordLooker(language: SpeechLanguage): (word: string) => WordFacts {
  const own = known[language];
  return (word) => {
    let facts = own.get(word);
    if (facts === undefined) {
      if (own.size >= mostKnown) own.clear();
      own.set(word, (facts = factsOf(word, language)));
    }
    return facts;
  };
}

/** `neverBreak` or more where the language forbids a break; negative where a reader expects one. */
export function costBetween(first: WordFacts, next: WordFacts): number {
  // A dash between two parts of a sentence ends the line; one that starts direct speech begins it.
  if (next.isDash && first.end !== 'sentence') return neverBreak;
  if (first.isDash) return -4;
  if (first.isBound || next.isUnit) return neverBreak;
  if (first.end === 'sentence') return -12;
  if (first.end === 'clause') return -8;
  if (first.leansOnNext || next.leansOnPrevious) return neverBreak;
  return next.leansOnNext ? -4 : 0;
}

export type BreakCost = (before: string, after: string) => number;

export function breakRules(language: SpeechLanguage): BreakCost {
  const look = wordLooker(language);
  return (before, after) => costBetween(look(before), look(after));
}

type LineSpans = readonly (readonly [from: number, to: number])[];

export const countBadBreaks = (lines: LineSpans, costs: readonly number[]): number =>
  lines.slice(0, -1).filter(([, to]) => (costs[to - 1] ?? 0) >= neverBreak).length;

/** As few lines as necessary, of similar length; `costs[i]` is that of a break after word i. */
export function breakIntoLines(
  words: readonly string[],
  costs: readonly number[],
  limit: number,
  linesPerCue: number,
): LineSpans {
  let whole = words.length - 1;
  for (const word of words) whole += word.length;
  if (whole <= limit || words.length < 2 || linesPerCue === 1) return [[0, words.length]];
  const middle = inTwo(words, costs, limit, whole);
  const inFew: LineSpans = [
    [0, middle],
    [middle, words.length],
  ];
  if (middle > 0 && (linesPerCue < 3 || countBadBreaks(inFew, costs) === 0)) return inFew;
  const lengths = [0];
  for (const word of words) lengths.push((lengths.at(-1) ?? 0) + word.length + 1);
  const lengthOf = (from: number, to: number) => (lengths[to] ?? 0) - (lengths[from] ?? 0) - 1;
  const most = middle > 0 ? linesPerCue : Math.max(linesPerCue, words.length);
  for (let count = 3; count <= most; count += 1) {
    const ideal = (whole - count + 1) / count;
    const found = cheapest(words.length, count, (from, to) => {
      const length = lengthOf(from, to);
      if (length > limit && to - from > 1) return null;
      const after = to < words.length ? (costs[to - 1] ?? 0) : 0;
      // Of two lines the lower one may be longer, because it is read last.
      return after + Math.abs(length - ideal) * (to < words.length && length > ideal ? 1.2 : 1);
    });
    if (found !== null && (middle === 0 || countBadBreaks(found, costs) === 0)) return found;
  }
  return middle > 0 ? inFew : [[0, words.length]];
}

/** How many words the first of two lines has; 0 when two lines can't hold them. Nearly all cues have two. */
function inTwo(words: readonly string[], costs: readonly number[], limit: number, whole: number): number {
  const ideal = (whole - 1) / 2;
  let best = Number.POSITIVE_INFINITY;
  let found = 0;
  let upper = -1;
  for (let to = 1; to < words.length; to += 1) {
    upper += (words[to - 1] ?? '').length + 1;
    const lower = whole - upper - 1;
    if (upper > limit && to > 1) break;
    if (lower > limit && words.length - to > 1) continue;
    // The lower line may be the longer one: it is read last.
    const price = (costs[to - 1] ?? 0) + Math.abs(upper - ideal) * (upper > ideal ? 1.2 : 1) + Math.abs(lower - ideal);
    if (price < best) {
      best = price;
      found = to;
    }
  }
  return found;
}

function cheapest(length: number, count: number, price: (from: number, to: number) => number | null): LineSpans | null {
  const width = length + 1;
  /** The lowest sum for the words from each place on in so many lines, and where the first of these lines ends. */
  const sums = new Float64Array(width * (count + 1)).fill(Number.POSITIVE_INFINITY);
  const ends = new Int32Array(width * (count + 1));
  sums[length] = 0;
  for (let left = 1; left <= count; left += 1)
    for (let from = length - left; from >= count - left; from -= 1) {
      const firstEnd = left === 1 ? length : from + 1;
      const own = left * width + from;
      for (let to = firstEnd; to <= length - left + 1; to += 1) {
        const cost = price(from, to);
        // Lines only grow from here.
        if (cost === null) break;
        const sum = cost + (sums[(left - 1) * width + to] ?? 0);
        if (sum < (sums[own] ?? 0)) [sums[own], ends[own]] = [sum, to];
      }
    }
  if (sums[count * width] === Number.POSITIVE_INFINITY) return null;
  const found: (readonly [number, number])[] = [];
  for (let left = count, from = 0; left > 0; left -= 1) {
    const to = ends[left * width + from] ?? length;
    found.push([from, to]);
    from = to;
  }
  return found;
}
