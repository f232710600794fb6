import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toUzbekCyrillic, toUzbekLatin } from './transliterate-uzbek.ts';

/** Pairs that hold in both directions. */
const pairs: readonly (readonly [rule: string, latin: string, cyrillic: string])[] = [
  ['oʻ and gʻ', 'Oʻzbekiston toʻgʻri', 'Ўзбекистон тўғри'],
  ['sh, ch, and the mark that keeps s and h apart', 'Shahar choyi, Isʼhoq', 'Шаҳар чойи, Исҳоқ'],
  ['q, h, x, j', 'Qahramon xalq hajmi', 'Қаҳрамон халқ ҳажми'],
  ['ya, yu, yo', 'yangi yulduz dunyo tayyor boʻlyapti', 'янги юлдуз дунё тайёр бўляпти'],
  ['yoʻ is й and ў', 'yoʻl, Yoʻq', 'йўл, Йўқ'],
  ['e at the beginning, after a vowel, inside', 'Endi eʼlon, poema, kecha', 'Энди эълон, поэма, кеча'],
  [
    'ye at the beginning, after a vowel, after a consonant',
    'Yetti pleyer, obyekt, premyera',
    'Етти плеер, объект, премьера',
  ],
  ['the mark between letters', 'maʼlum sanʼat meʼyor qalʼa', 'маълум санъат меъёр қалъа'],
  ['ц where Russian has it, t and s where they meet', 'militsiya aksiya stansiya ketsa', 'милиция акция станция кетса'],
  ['loanwords', 'sentabr, oktabr, kompyuter, sirk, rayon', 'сентябрь, октябрь, компьютер, цирк, район'],
  [
    'loanwords with endings',
    'sentabrda kompyuteringizdagi rollari rolik',
    'сентябрда компьютерингиздаги роллари ролик',
  ],
  ['capitals', 'Shoir SHOIR YOʻL MAʼNO Yangi YANGI OKTABR', 'Шоир ШОИР ЙЎЛ МАЪНО Янги ЯНГИ ОКТЯБРЬ'],
  ['quotes are not letters', "'kitob' «yoʻl»", "'китоб' «йўл»"],
  [
    'a quote that closes a quotation is no letter either',
    "'qachon kelding' dedi, 'video', ‘blog’",
    "'қачон келдинг' деди, 'видео', ‘блог’",
  ],
];

describe('Uzbek in two alphabets', () => {
  it.each(pairs)('%s', (_, latin, cyrillic) => {
    expect(toUzbekCyrillic(latin)).toBe(cyrillic);
    expect(toUzbekLatin(cyrillic)).toBe(latin);
  });

  it('takes every apostrophe that people type', () => {
    for (const mark of "ʻʼ'’‘`´ʹ′") {
      expect(toUzbekCyrillic(`O${mark}zbek tog${mark} ma${mark}no`)).toBe('Ўзбек тоғ маъно');
    }
  });

  it('reads letters that only Russian words have', () => {
    expect(toUzbekLatin('щётка, сыр, Конституция, цирк, Батальон')).toBe('shyotka, sir, Konstitutsiya, sirk, Batalyon');
  });

  it.each([
    ['{{count}} ta fayl, {{name}}', '{{count}} та файл, {{name}}'],
    ['https://api.example.uz/v1/yozuv ochildi', 'https://api.example.uz/v1/yozuv очилди'],
    ['info@ovoz.uz, www.ovoz.uz', 'info@ovoz.uz, www.ovoz.uz'],
    ['Ctrl+C yoki Enter, F6, endi End', 'Ctrl+C ёки Enter, F6, энди End'],
    ['Ovoz Studio va ovoz', 'Ovoz Studio ва овоз'],
    ['MP3, M4A, SRT, JSONda, MP3ni, WebM', 'MP3, M4A, SRT, JSONда, MP3ни, WebM'],
    ['API kaliti, APIdan, IP', 'API калити, APIдан, IP'],
    ['yozuv-1.mp3 va .srt', 'yozuv-1.mp3 ва .srt'],
    ['--language va OVOZ_API_KEY', '--language ва OVOZ_API_KEY'],
    ['Windows, Wi-Fi, Müller, café', 'Windows, Wi-Fi, Müller, café'],
    ['Русский ва oʻzbek', 'Русский ва ўзбек'],
  ])('leaves alone what has no Uzbek spelling: %s', (latin, cyrillic) => {
    expect(toUzbekCyrillic(latin)).toBe(cyrillic);
  });

  const syllables = fc.constantFrom(
    ...'bo ra la shi cha oʻ gʻi qa ha xo ja ya yu yo yoʻ ye e ni maʼ sanʼ is ta tsa ng vu ze di fa ku aksiya'.split(
      ' ',
    ),
  );
  const word = fc.array(syllables, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
  const cased = fc
    .tuple(word, fc.constantFrom('small', 'Title', 'LOUD'))
    .map(([text, look]) =>
      look === 'small' ? text : look === 'LOUD' ? text.toUpperCase() : (text[0] ?? '').toUpperCase() + text.slice(1),
    );

  it('loses nothing of an Uzbek word on its way to Cyrillic and back', () => {
    // "nʼyo" is the old spelling of "nyo", and a single letter does not show whether the word is in capitals.
    const isPlain = (text: string) => !/[^aeiouʻ]ʼy/i.test(text) && toUzbekCyrillic(text).length > 1;
    fc.assert(
      fc.property(fc.array(cased.filter(isPlain), { minLength: 1, maxLength: 4 }), (list) => {
        const text = list.join(' ');
        expect(toUzbekLatin(toUzbekCyrillic(text))).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps every placeholder and never fails, whatever surrounds it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.stringMatching(/^[a-z]{1,8}$/),
        fc.string(),
        (left, name, right) => {
          const text = `${left.replaceAll(/[{}]/g, '')} {{${name}}} ${right.replaceAll(/[{}]/g, '')}`;
          expect(toUzbekCyrillic(text)).toContain(`{{${name}}}`);
          expect(toUzbekLatin(text)).toContain(`{{${name}}}`);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
