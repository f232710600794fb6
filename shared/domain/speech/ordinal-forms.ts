import type { OrdinalForm } from './spell-numbers.ts';

/** Which form of an ordinal the ending typed after a Russian number stands for. */
export const russianEndings: Readonly<Record<string, OrdinalForm>> = {
  й: 'nominative',
  ый: 'nominative',
  ой: 'nominative',
  я: 'feminine',
  ая: 'feminine',
  е: 'neuter',
  ое: 'neuter',
  го: 'genitive',
  ого: 'genitive',
  м: 'prepositional',
  ом: 'prepositional',
};

/** XIX as a number; null for other letters. */
function readRoman(written: string): bigint | null {
  if (!/^(?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/u.test(written)) return null;
  const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100 };
  const digits = Array.from(written, (letter) => values[letter] ?? 0);
  return BigInt(digits.reduce((sum, value, at) => sum + (value < (digits[at + 1] ?? 0) ? -value : value), 0));
}
/** Russian letters that look like Roman digits are often typed in their place. */
export const roman = '[IVXLCХС]{1,7}';
export const inRoman = (written: string) => readRoman(written.replaceAll('Х', 'X').replaceAll('С', 'C'));

/** The ending of a Russian noun after 1 shows its gender: "21 кошка", "1 окно", "1 стол". */
export const afterOne = (noun: string): OrdinalForm =>
  /[ая]$/iu.test(noun) ? 'feminine' : /[оеё]$/iu.test(noun) ? 'neuter' : 'nominative';
