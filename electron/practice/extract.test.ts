import { expect, it } from 'vitest';
import { extractAnswer } from './extract.ts';

const transcript = `BEGIN TRANSCRIPTS
[recording] suhbat
[s1] 00:00:00: Assalomu alaykum. Ijara shartnomasi muddati tugagan. Garov puli qaytarilmadi.
[s2] 00:00:09: Sud majlisi dushanba kuni boʻladi. Uyning toʻlovi 12 million soʻm.
END TRANSCRIPTS`;
const answerTo = (question: string) => extractAnswer([`${transcript}\n\n${question}`], [], 1000).text.split('\n');

it('every sentence of a line is looked through, with any apostrophe, and only those that fit are quoted', () => {
  const notice = '[Mashq rejimida sunʼiy intellekt ishlamaydi: bular matningizdagi savolga mos gaplar.]';
  expect(answerTo('Garov puli')).toEqual([notice, 'Garov puli qaytarilmadi. [s1]']);
  expect(answerTo('dushanba kuni')).toEqual([notice, 'Sud majlisi dushanba kuni boʻladi. [s2]']);
  expect(answerTo("to'lovi")).toEqual([notice, 'Uyning toʻlovi 12 million soʻm. [s2]']);
});

it('the notice is in the language of the question, or of the text where a few words do not show theirs', () => {
  expect(answerTo('majlisi')[0]).toMatch(/^\[Mashq/);
  expect(answerTo('When is the majlisi?')[0]).toMatch(/^\[No AI/);
});
