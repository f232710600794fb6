import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyReadings, findReadings } from './find-readings.ts';

const read = (language: 'uz' | 'ru' | 'en', text: string) => applyReadings(text, findReadings(text, language));

describe('words that are not read as they are written', () => {
  it.each([
    ['uz', 'Yigʻilish 25-mayda, soat 14:30 da.', 'Yigʻilish yigirma beshinchi mayda, soat oʻn toʻrt oʻttizda.'],
    ['uz', 'Soat 10 da XIX asr haqida, MChJ', 'Soat oʻnda oʻn toʻqqizinchi asr haqida, masʼuliyati cheklangan jamiyat'],
    ['uz', 'Dr. Karimov', 'doktor Karimov'],
    [
      'ru',
      '21 кошка, 2 кошки, 22 стола, 1 окно, 11 кошек',
      'двадцать одна кошка, две кошки, двадцать два стола, одно окно, одиннадцать кошек',
    ],
    ['ru', '1 234,50 руб.', 'одна тысяча двести тридцать четыре рубля пятьдесят копеек'],
    ['ru', 'XIX век, в XX веке, конец XVIII века', 'девятнадцатый век, в двадцатом веке, конец восемнадцатого века'],
    ['uz', 'Tezligi 5 km/soat, 3/4 qismi', 'Tezligi soatiga besh kilometr, toʻrtdan uch qismi'],
    [
      'ru',
      'В 2024 г. было +10 °C, 21 чел., 1/2 и 2/3',
      'В две тысячи двадцать четвёртом году было плюс десять градусов, двадцать один человек, одна вторая и две третьих',
    ],
    ['ru', 'на ул. Навои, д. 5', 'на улице Навои, дом пять'],
    [
      'en',
      '$1.5M in St. Louis, 12 Main St. open 24/7',
      'one point five million dollars in Saint Louis, twelve Main Street open 24/7',
    ],
    ['en', '1/2, 3/4 and 2/3', 'one half, three quarters and two thirds'],
    ['en', 'It was $3.50.', 'It was three dollars fifty cents.'],
    ['ru', 'Это стоит 12,5 долл.', 'Это стоит двенадцать целых пять десятых доллара'],
    ['uz', '2024-yil 5-sinf', 'ikki ming yigirma toʻrtinchi yil beshinchi sinf'],
    ['uz', 'Narxi 1 250 000 soʻm, yaʼni 15%.', 'Narxi bir million ikki yuz ellik ming soʻm, yaʼni oʻn besh foiz.'],
    ['uz', '3,5 km va h.k.', 'uch butun oʻndan besh kilometr va hokazo'],
    ['uz', '+998 90 123 45 67', 'plyus toʻqqiz yuz toʻqson sakkiz, toʻqson, yuz yigirma uch, qirq besh, oltmish yetti'],
    ['uz', '$5 mln va 100 ta', 'besh million dollar va yuz ta'],
    ['uz', '25.05.2024', 'ikki ming yigirma toʻrtinchi yil yigirma beshinchi may'],
    ['uz', 'Ўртача 12 киши', 'Ўртача ўн икки киши'],
    ['ru', '25 мая 2024 г. в 9:05', 'двадцать пятого мая две тысячи двадцать четвёртого года в девять ноль пять'],
    ['ru', '21 км, 2 км, 5 км', 'двадцать один километр, два километра, пять километров'],
    ['ru', 'Это стоит 1 500 руб., т.е. 3%', 'Это стоит одна тысяча пятьсот рублей, то есть три процента'],
    ['ru', '5-й дом, 3-я улица, из 2-го', 'пятый дом, третья улица, из второго'],
    ['ru', '3,5 кг', 'три целых пять десятых килограмма'],
    ['ru', '21 мин', 'двадцать одна минута'],
    ['en', 'On May 25, 2024 at 10:00', 'On May twenty-fifth, twenty twenty-four at ten o’clock'],
    [
      'en',
      'It costs $1,250.50, e.g. 5th time',
      'It costs one thousand two hundred fifty dollars fifty cents, for example fifth time',
    ],
    ['en', 'pages 10–15 of room 007', 'pages ten to fifteen of room zero zero seven'],
  ] as const)('%s: %s', (language, text, spoken) => {
    expect(read(language, text)).toBe(spoken);
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

  it('phones, dates and centuries are read in English as people say them', () => {
    const read = (text: string) => applyReadings(text, findReadings(text, 'en'));
    expect(read('Call +1 202 555 0123.')).toBe('Call plus one, two zero two, five five five, zero one two three.');
    expect(read('on 25 Nov 2026')).toBe('on November twenty-fifth, twenty twenty-six');
    expect(read('the XIX century')).toBe('the nineteenth century');
    expect(read('12 500 2026')).not.toContain(',');
  });

  it('readings are in order, do not overlap, quote the text, and leave the rest alone, whatever the text is', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom('25-may', '1 000', '12:30', '$5', '5%', '№ 3', '+998 90 123 45 67', 'т.е.', '3,5 km', '5–7', ' '),
      fc.nat().map(String),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom('uz', 'ru', 'en'), (pieces, language) => {
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
      }),
      { numRuns: 500 },
    );
  });
});
