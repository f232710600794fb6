import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { applyReadings, findReadings, readingOf } from './find-readings.ts';
import { spellUzbek } from '../text/uzbek-letters.ts';

const read = (language: 'uz' | 'ru' | 'en', text: string) => applyReadings(text, findReadings(text, language));

describe('words that are not read as they are written', () => {
  it.each([
    ['uz', 'Yigʻilish 25-mayda, soat 14:30 da.', 'Yigʻilish yigirma beshinchi mayda, soat oʻn toʻrt oʻttizda.'],
    [
      'ru',
      'В 2024 г. было +10 °C, 21 чел., 1/2 и 2/3',
      'В две тысячи двадцать четвёртом году было плюс десять градусов, двадцать один человек, одна вторая и две третьих',
    ],
    ['uz', '+998 90 123 45 67', 'plyus toʻqqiz yuz toʻqson sakkiz, toʻqson, yuz yigirma uch, qirq besh, oltmish yetti'],
  ] as const)('%s: %s', (language, text, spoken) => {
    expect(read(language, text)).toBe(spoken);
  });

  it.each([
    ['от 1 200 000 сумов до 5 млн руб.', 'от одного миллиона двухсот тысяч сумов до пяти миллионов рублей.'],
    [
      'До 25.11.2026 г. и с 01.02.27 года',
      'До двадцать пятого ноября две тысячи двадцать шестого года и с первого февраля две тысячи двадцать седьмого года',
    ],
    ['в 2010–2015 гг.', 'в две тысячи десятом – две тысячи пятнадцатом годах.'],
    ['США, СНГ, МВД и ЕС, НАТО', 'сэ шэ а, эс эн гэ, эм вэ дэ и е эс, НАТО'],
  ])('Russian numbers stand in the case that the sentence asks for: %s', (text, spoken) => {
    expect(read('ru', text)).toBe(spoken);
  });

  it.each([
    ['2024 yilda, 1500 yil oldin', 'ikki ming yigirma toʻrtinchi yilda, ming besh yuz yil oldin'],
    ['9:00-18:00, soat 9:00-17:40', 'soat toʻqqizdan oʻn sakkizgacha, soat toʻqqizdan oʻn yetti qirqqacha'],
    ['192.168.1.1 va 1.2.3', '192.168.1.1 va 1.2.3'],
  ])('Uzbek numbers take the endings that are typed after them: %s', (text, spoken) => {
    expect(read('uz', text)).toBe(spoken);
  });

  it.each([
    ['$100-200, $1–2 million', 'one hundred to two hundred dollars, one to two million dollars'],
    ['from 2026-03-05', 'from March fifth, twenty twenty-six'],
  ])('English years and ranges are read as people say them: %s', (text, spoken) => {
    expect(read('en', text)).toBe(spoken);
  });

  it.each(['https://ovoz.uz/2024/5', 'info2@mail.uz', 'ovoz24.uz', 'COVID-19x', 'v2.5.1', 'A4'])(
    '%s stays as it is',
    (text) => {
      expect(read('uz', text)).toBe(text);
    },
  );

  it('the user’s own list comes first, as whole words', () => {
    const list = [{ written: 'BMT', spoken: 'Birlashgan Millatlar Tashkiloti', matchCase: true }];
    const text = 'BMT 5 marta; BMTning; bmt';
    expect(applyReadings(text, findReadings(text, 'uz', list))).toBe(
      'Birlashgan Millatlar Tashkiloti besh marta; BMTning; bmt',
    );
  });

  it.each([
    ["To'lqin 5 so'm", 'Toʻlqin 5 soʻm'],
    ['To‘lqin 5 so`m', 'Toʻlqin 5 soʻm'],
  ])('%s is read, and so charged, like %s, whichever apostrophe the list has', (typed, spelt) => {
    for (const written of ["To'lqin", 'Toʻlqin']) {
      const list = [{ written, spoken: 'birinchi toʻlqin', matchCase: true }];
      const [one, other] = [typed, spelt].map((text) =>
        spellUzbek(applyReadings(text, findReadings(text, 'uz', list))),
      );
      expect(one).toBe(other);
      expect(one).toBe('birinchi toʻlqin besh soʻm');
    }
  });

  it('a part of what is read otherwise is said as the whole of it is read', () => {
    const text = 'Chipta 5 ming, BMT uchun.';
    const readings = findReadings(text, 'uz', [{ written: 'BMT', spoken: 'be em te', matchCase: true }]);
    const at = (part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length });
    expect(readingOf(text, at('MT'), readings)).toMatchObject({ written: 'BMT', spoken: 'be em te' });
    expect(readingOf(text, at('5'), readings).spoken).toContain('besh');
    expect(readingOf(text, at('uchun'), readings)).toMatchObject({ written: 'uchun', spoken: 'uchun' });
  });

  it('readings are in order, do not overlap, quote the text, and leave the rest alone, whatever the text is', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom('25-may', '1 000', '12:30', '$5', '5%', '№ 3', '+998 90 123 45 67', 'т.е.', '3,5 km', '5–7', ' '),
      fc.nat().map(String),
    );
    forAllIn(500, fc.array(piece, { maxLength: 12 }), fc.constantFrom('uz', 'ru', 'en'), (pieces, language) => {
      const text = pieces.join('');
      const readings = findReadings(text, language);
      let at = 0;
      for (const { start, end, written } of readings) {
        expect(start).toBeGreaterThanOrEqual(at);
        expect(end).toBeGreaterThan(start);
        expect(text.slice(start, end)).toBe(written);
        at = end;
      }
      const outside = readings
        .toReversed()
        .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
      const back = applyReadings(
        text,
        readings.map((reading) => ({ ...reading, spoken: '' })),
      );
      expect(back).toBe(outside);
    });
  });
});
