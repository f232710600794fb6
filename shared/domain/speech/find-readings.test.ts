import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyReadings, findReadings, findUncertain } from './find-readings.ts';

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
    ['ru', '1 234,50 руб.', 'одна тысяча двести тридцать четыре рубля пятьдесят копеек.'],
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
    ['ru', 'Это стоит 12,5 долл.', 'Это стоит двенадцать целых пять десятых доллара.'],
    ['uz', '2024-yil 5-sinf', 'ikki ming yigirma toʻrtinchi yil beshinchi sinf'],
    ['uz', 'Narxi 1 250 000 soʻm, yaʼni 15%.', 'Narxi bir million ikki yuz ellik ming soʻm, yaʼni oʻn besh foiz.'],
    ['uz', '3,5 km va h.k.', 'uch butun oʻndan besh kilometr va hokazo.'],
    ['uz', '+998 90 123 45 67', 'plyus toʻqqiz yuz toʻqson sakkiz, toʻqson, yuz yigirma uch, qirq besh, oltmish yetti'],
    ['uz', '$5 mln va 100 ta', 'besh million dollar va yuz ta'],
    ['uz', '25.05.2024', 'ikki ming yigirma toʻrtinchi yil yigirma beshinchi may'],
    ['uz', 'Ўртача 12 киши', 'Ўртача ўн икки киши'],
    ['ru', '25 мая 2024 г. в 9:05', 'двадцать пятого мая две тысячи двадцать четвёртого года в девять ноль пять'],
    ['ru', '21 км, 2 км, 5 км', 'двадцать один километр, два километра, пять километров'],
    ['ru', 'Это стоит 1 500 руб., т.е. 3%', 'Это стоит одну тысячу пятьсот рублей, то есть три процента'],
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

  it.each([
    ['с 3 до 5 км', 'с трёх до пяти километров'],
    ['от 1 200 000 сумов до 5 млн руб.', 'от одного миллиона двухсот тысяч сумов до пяти миллионов рублей.'],
    ['около 21 км, до 1 минуты', 'около двадцати одного километра, до одной минуты'],
    ['через 1 мин., за 1 тыс. руб.', 'через одну минуту, за одну тысячу рублей.'],
    ['больше 40 человек, старше 18 лет', 'больше сорока человек, старше восемнадцати лет'],
    ['свыше 500 тыс. и более 290', 'свыше пятисот тысяч и более двухсот девяноста'],
    ['помог 5 городам, с 20 рублями', 'помог пяти городам, с двадцатью рублями'],
    ['в 3 городах, о 100 днях, на 12 языках', 'в трёх городах, о ста днях, на двенадцати языках'],
    ['между 5 и 10 км', 'между пятью и десятью километрами'],
    ['до 3,5 км', 'до трёх целых пяти десятых километра'],
    ['5 %, в 30 % случаев, на 5 % больше', 'пять процентов, в тридцати процентах случаев, на пять процентов больше'],
    ['5-7 км, 100–200 руб.', 'пять-семь километров, сто-двести рублей.'],
    ['40 м², 100 шт., 2 т', 'сорок квадратных метров, сто штук, две тонны'],
    ['1 или 2 стола, 2 новые книги, 1 неделю', 'один или два стола, две новые книги, одну неделю'],
    ['до −10 °C, было -5', 'до минус десяти градусов, было минус пять'],
    ['к 2030 г., с 2020 г.', 'к две тысячи тридцатому году, с две тысячи двадцатого года.'],
    ['бюджет 2024 г.', 'бюджет две тысячи двадцать четвёртого года.'],
    ['за 2024 г. и по 2025 г.', 'за две тысячи двадцать четвёртый год и по две тысячи двадцать пятый год.'],
    ['в 2024 году, с 1998 года', 'в две тысячи двадцать четвёртом году, с тысяча девятьсот девяносто восьмого года'],
    ['1990-е годы, в 90-х, 20-е место', 'тысяча девятьсот девяностые годы, в девяностых, двадцатое место'],
    ['в 2010–2015 гг.', 'в две тысячи десятом – две тысячи пятнадцатом годах.'],
    ['с 5 по 10 мая, 5–10 мая', 'с пятого по десятое мая, с пятого по десятое мая'],
    ['к 9 мая, по 31 декабря', 'к девятому мая, по тридцать первое декабря'],
    ['сегодня 25 мая; 8 марта — праздник', 'сегодня двадцать пятое мая; восьмое марта — праздник'],
    ['с 01.01.2024', 'с первого января две тысячи двадцать четвёртого года'],
    ['с 10:00 до 18:30, к 14:30', 'с десяти ноль ноль до восемнадцати тридцати, к четырнадцати тридцати'],
    ['в XIX в., конец XX в.', 'в девятнадцатом веке, конец двадцатого века.'],
    ['5-й день, в 5-й главе, на 3-м этаже', 'пятый день, в пятой главе, на третьем этаже'],
    ['на 2 этаже, 5 класс, 2 этажа', 'на втором этаже, пятый класс, два этажа'],
    ['к 5-му, 3-ю, 5-х', 'к пятому, третью, пятых'],
    ['с ул. Навои, по ул. Навои', 'с улицы Навои, по улице Навои'],
    ['в г. Ташкент, на пл. Амира Темура', 'в городе Ташкент, на площади Амира Темура'],
    ['См. рис. 5 на стр. 12', 'смотри рисунок пять на странице двенадцать'],
    ['США, СНГ, МВД и ЕС, НАТО', 'сэ шэ а, эс эн гэ, эм вэ дэ и е эс, НАТО'],
    ['к 9:00–9:30, в 9:00-9:30', 'к девяти ноль ноль – девяти тридцати, в девять ноль ноль – девять тридцать'],
    ['В 3-м кв. 2025 г.', 'В третьем квартале две тысячи двадцать пятого года.'],
    [
      'за III кв. и до 2 кв., кв. 5, 40 кв. м',
      'за третий квартал и до второго квартала, квартира пять, сорок квадратных метров',
    ],
    ['№№ 3, 4 и в №№3–5', 'номера три, четыре и в номерах три-пять'],
    ['доб. 12', 'добавочный двенадцать'],
    ['II мировая, I мировой войны, на XX съезде', 'вторая мировая, первой мировой войны, на XX съезде'],
    ['т. н. «серая зона», в т.н. зоне', 'так называемая «серая зона», в так называемой зоне'],
    ['т. н. II мировая, т. н. XX съезд', 'так называемая вторая мировая, так называемый XX съезд'],
    [
      'к т. н. Иванову, к т. н. элите, от т. н. эксперта',
      'к так называемому Иванову, к так называемой элите, от так называемого эксперта',
    ],
    ['т. н. новые русские и т. н. эксперт', 'так называемые новые русские и так называемый эксперт'],
    ['50/50, 70/30, 3/4', 'пятьдесят на пятьдесят, семьдесят на тридцать, три четвёртых'],
    ['5 кВт·ч, цена за кВт·ч', 'пять киловатт-часов, цена за киловатт-час'],
    ['2 мужчины, 1 мужчина, 1 область, 1 ночь', 'два мужчины, один мужчина, одна область, одна ночь'],
    [
      'номер 1 уже готов, глава 1, окно 1, № 1 это он',
      'номер один уже готов, глава одна, окно одно, номер один это он',
    ],
    ['в главе 1 говорится, глава 2 книги, глава 21', 'в главе один говорится, глава два книги, глава двадцать одна'],
    ['2 племянницы, 1 гостья, 1 имя, 1 имение', 'две племянницы, одна гостья, одно имя, одно имение'],
    [
      'в 1 школе, в 1 группе, в 1 комнате, в 1 городе',
      'в одной школе, в одной группе, в одной комнате, в одном городе',
    ],
    ['1–2 недели, 2 или 3 минуты, 1-2 часа', 'одна-две недели, две или три минуты, один-два часа'],
    ['Я помог им. Потом я ел рис.', 'Я помог им. Потом я ел рис.'],
    ['парк им. Навои, школа им. А. Темура', 'парк имени Навои, школа имени А. Темура'],
    ['С главы района, в V главе', 'С главы района, в пятой главе'],
    [
      '9:00-18:00, с 9:00–18:00',
      'с девяти ноль ноль до восемнадцати ноль ноль, с девяти ноль ноль до восемнадцати ноль ноль',
    ],
    ['25.05.24', 'двадцать пятого мая две тысячи двадцать четвёртого года'],
    ['10 000-15 000 руб., 5 000–6 000 человек', 'десять тысяч-пятнадцать тысяч рублей, пять тысяч-шесть тысяч человек'],
  ])('Russian numbers stand in the case that the sentence asks for: %s', (text, spoken) => {
    expect(read('ru', text)).toBe(spoken);
  });

  it.each([
    ['2024 yilda, 1500 yil oldin', 'ikki ming yigirma toʻrtinchi yilda, ming besh yuz yil oldin'],
    ['2020-2024-yillarda', 'ikki ming yigirma-ikki ming yigirma toʻrtinchi yillarda'],
    ['5-6-sinf, XIX–XX asrlar', 'besh-oltinchi sinf, oʻn toʻqqizinchi-yigirmanchi asrlar'],
    ['25 mayda, 5 marta', 'yigirma beshinchi mayda, besh marta'],
    ['5 kmdan 10 kmgacha', 'besh kilometrdan oʻn kilometrgacha'],
    ['5% ga, 50 ga, 40 ga', 'besh foizga, ellikka, qirqqa'],
    ['5ta, 100 ta', 'beshta, yuz ta'],
    ['soat 10:00 da, 14:30da', 'soat oʻnda, oʻn toʻrt oʻttizda'],
    ['№ 7 maktab, № 7-sonli qaror, № 7', 'yettinchi maktab, yettinchi sonli qaror, raqam yetti'],
    ['5-7 km, 5–7 ming soʻm', 'besh-yetti kilometr, besh-yetti ming soʻm'],
    ['-5 °C', 'minus besh daraja'],
    ['BMT va NASA', 'be em te va NASA'],
    ['100 000-150 000 soʻm', 'yuz ming-yuz ellik ming soʻm'],
    ['1.000.000 soʻm, 1.250.000,50', 'bir million soʻm, bir million ikki yuz ellik ming butun yuzdan ellik'],
    ['9:00-18:00, soat 9:00-17:40', 'soat toʻqqizdan oʻn sakkizgacha, soat toʻqqizdan oʻn yetti qirqqacha'],
    ['5-V sinf, V sinf', 'beshinchi V sinf, beshinchi sinf'],
    ['50 га, 2024 йил, XIX аср', 'элликка, икки минг йигирма тўртинчи йил, ўн тўққизинчи аср'],
    ['3G va 5G, 5 g', '3G va 5G, besh gramm'],
    ['№№ 3, 4; 50/50', 'raqamlar uch, toʻrt; ellikka ellik'],
    ['192.168.1.1 va 1.2.3', '192.168.1.1 va 1.2.3'],
  ])('Uzbek numbers take the endings that are typed after them: %s', (text, spoken) => {
    expect(read('uz', text)).toBe(spoken);
  });

  it.each([
    ['in 1998, in the 1990s', 'in nineteen ninety-eight, in the nineteen nineties'],
    ['1998–2004', 'nineteen ninety-eight to two thousand four'],
    ['$100-200, $1–2 million', 'one hundred to two hundred dollars, one to two million dollars'],
    ['9:00-18:00', 'nine o’clock to eighteen o’clock'],
    ['№№ 3, 4; 50/50', 'numbers three, four; fifty-fifty'],
    ['from 2026-03-05', 'from March fifth, twenty twenty-six'],
    ['5-7 km at -5 °C', 'five to seven kilometres at minus five degrees'],
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

  it('an address is read as the user says, as a whole only', () => {
    const list = [
      { written: 'example.uz', spoken: 'misol nuqta uz', matchCase: true },
      { written: 'a.b@c.com', spoken: 'a b kuchukcha c', matchCase: true },
      { written: 'nasa', spoken: 'nasa agentligi', matchCase: true },
    ];
    const text = 'example.uz. https://example.uz/5, a.b@c.com, nasa.com, example.uz/5';
    const readings = findReadings(text, 'uz', list);
    expect(applyReadings(text, readings)).toBe(
      'misol nuqta uz. https://example.uz/5, a b kuchukcha c, nasa.com, example.uz/5',
    );
    expect(findUncertain(text, readings)).toEqual(['https://example.uz/5,', 'nasa.com,', 'example.uz/5']);
  });

  it('what may be misread is named once: addresses, and capitals without a reading', () => {
    const text = 'NASA va BMT: https://ovoz.uz/a, a.b@c.com, NASA, 5 KG, XIX asr, Toshkent';
    expect(findUncertain(text, findReadings(text, 'uz'))).toEqual(['https://ovoz.uz/a,', 'a.b@c.com', 'NASA']);
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
