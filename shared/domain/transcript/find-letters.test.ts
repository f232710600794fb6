import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SpeechLanguage } from '../languages.ts';
import { toUzbekCyrillic, toUzbekLatin } from '../text/transliterate-uzbek.ts';
import { findMatches, replaceMatches, type TextQuery } from './find-text.ts';
import { toTranscript } from './from-received.ts';
import { query } from '../../../tests/support/text-query.ts';

const transcriptOf = (text: string, language: SpeechLanguage) =>
  toTranscript({ text: '', segments: [{ text, speaker: 'a', words: [] }] }, { language, durationMs: 9000 });

function found(text: string, wanted: TextQuery, language: SpeechLanguage = 'uz') {
  const result = findMatches(transcriptOf(text, language), wanted, () => 0);
  return result.ok ? result.value.map(({ from, to }) => text.slice(from, to)) : result.error;
}

function replaced(text: string, wanted: TextQuery, replacement: string, language: SpeechLanguage = 'uz') {
  const transcript = transcriptOf(text, language);
  const result = findMatches(transcript, wanted, () => 0);
  return result.ok ? [...replaceMatches(transcript, result.value, wanted, replacement).values()][0] : result.error;
}

describe('what is found in Uzbek', () => {
  it.each(['yetti', 'етти', 'йетти', 'YETTI'])('is all of yetti, written as %s', (typed) => {
    for (const isWholeWord of [false, true]) {
      const wanted = query(typed, { isWholeWord });
      expect(found('Men yetti yoshimda', wanted)).toEqual(['yetti']);
      expect(found('Мен етти ёшимда', wanted)).toEqual(['етти']);
      expect(replaced('Men yetti yoshimda', wanted, 'sakkiz')).toBe('Men sakkiz yoshimda');
    }
  });

  it('tells ye from e, and ё from е', () => {
    expect(found('Eng katta yeng', query('yeng'))).toEqual(['yeng']);
    expect(found('Eng katta', query('yeng'))).toEqual([]);
    expect(found('Eng katta', query('енг'))).toEqual([]);
    expect(found('Eng katta', query('энг'))).toEqual(['Eng']);
    expect(found('Эр ер ёр', query('ер'))).toEqual(['ер']);
    expect(found('Er yer yor', query('ёр'))).toEqual(['yor']);
  });

  it('is a part of a word in the other alphabet too, and never a part of a letter', () => {
    expect(found('ketdi', query('ет'))).toEqual(['et']);
    expect(found('poyezd, yetti', query('езд'))).toEqual(['yezd']);
    expect(found('поезд', query('yezd'))).toEqual(['езд']);
    expect(found('militsiya', query('ция'))).toEqual(['tsiya']);
    expect(found('bosh va bos', query('бос'))).toEqual(['bos']);
    expect(found('uyat, uy', query('уй'))).toEqual(['uy']);
    expect(found('ёш, yosh', query('osh'))).toEqual(['osh']);
    expect(found('togʻ', query('тоғ'))).toEqual(['togʻ']);
    expect(found('апрель', query('aprel'))).toEqual(['апрель']);
    expect(found('апрель', query('апрель'))).toEqual(['апрель']);
  });

  it('is ш for sh, and сҳ for sʼh', () => {
    expect(found('Isʼhoq, bosh', query('ш'))).toEqual(['sh']);
    expect(found('Isʼhoq, bosh', query('сҳ'))).toEqual(['sʼh']);
    expect(found('Исҳоқ, бош', query('sh'))).toEqual(['ш']);
    expect(found('Исҳоқ, бош', query("s'h"))).toEqual(['сҳ']);
    expect(found('Исҳоқ, Is’hoq', query('ishoq'))).toEqual(['Исҳоқ', 'Is’hoq']);
  });

  it('is a word that Latin spells by rules of its own', () => {
    expect(found('сентябрда', query('sentabrda'))).toEqual(['сентябрда']);
    expect(found('sentabrda', query('сентябрда'))).toEqual(['sentabrda']);
    expect(found('бюджет', query('budjet'))).toEqual(['бюджет']);
  });

  const syllable = fc.constantFrom(
    ...'a o u e ya yu yo ye sha cho choʻ gʻi oʻ toʻ ye tse tsi bo ben yet er qa sho xu ho boy may sʼho maʼ jur ziya'.split(
      ' ',
    ),
    ...'sentabr yer yangi yoʻl yetti obyekt konsert aprel poyezd budjet eng ekin sanʼat meʼyor Yevropa tabiiy'.split(
      ' ',
    ),
  );
  const latin = fc.array(syllable, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
  const word = fc
    .tuple(latin, fc.boolean(), fc.constantFrom('small', 'Title', 'LOUD'))
    .filter(([text]) => text.length > 2)
    .map(([text, isCyrillic, letters]) => {
      const written = isCyrillic ? toUzbekCyrillic(text) : text;
      if (letters === 'LOUD') return written.toUpperCase();
      return letters === 'Title' ? written.slice(0, 1).toUpperCase() + written.slice(1) : written;
    });
  const around = fc.constantFrom('', 'Men ', '“', 'bir, ', 'Ва ', '5 ');

  it('is exactly any word, as it is written and in the other alphabet', () => {
    fc.assert(
      fc.property(word, around, around, fc.boolean(), (written, before, after, isWholeWord) => {
        const text = `${before}${written} ${after}`.trim();
        for (const typed of [written, toUzbekLatin(written), toUzbekCyrillic(written)]) {
          const wanted = query(typed, { isWholeWord });
          expect([typed, found(text, wanted)]).toEqual([typed, [written]]);
          expect(replaced(text, wanted, '#')).toBe(text.replace(written, '#'));
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a replacement', () => {
  it.each([
    ['Keldi usta!', 'usta!', "o'g'il!", 'Keldi oʻgʻil!'],
    ['Keldi usta!', 'usta', 'o’g‘il', 'Keldi oʻgʻil!'],
    ['Keldi usta!', 'usta', 'sanʼat', 'Keldi sanʼat!'],
    ['Keldi usta!', 'usta', "san`at 'o'g'il'", "Keldi sanʼat 'oʻgʻil'!"],
    ['Keldi usta!', 'usta', '‘Paxtakor’', 'Keldi ‘Paxtakor’!'],
    ['Keldi usta!', 'usta', "'Men' dedi ota-o'g'il", "Keldi 'Men' dedi ota-oʻgʻil!"],
    ['togri', 'gri', "'g'ri", 'toʻgʻri'],
  ])('has the apostrophes of Uzbek Latin as in typing: in %s, %s becomes %s', (text, words, replacement, written) => {
    expect(replaced(text, query(words), replacement)).toBe(written);
  });

  it('spells what is typed around the groups of a pattern, and leaves the groups and the words around it', () => {
    const pattern = (text: string) => query(text, { isPattern: true });
    expect(replaced("go'sht togri", pattern('(o)g(ri)'), "$1'g'$2")).toBe("go'sht toʻgʻri");
    expect(replaced('U bor', pattern('(bor)'), "'$1' de'di")).toBe("U 'bor' deʼdi");
    expect(replaced("U 'bor' dedi", pattern("('bor') dedi"), "$1 de'di")).toBe("U 'bor' deʼdi");
  });

  it('stays as it is in other languages and in Cyrillic', () => {
    expect(replaced('the dog', query('dog'), "dog's", 'en')).toBe("the dog's");
    expect(replaced('Келди уста', query('уста'), "o'g'il")).toBe("Келди o'g'il");
  });
});

describe('what is found in Russian', () => {
  it.each([
    ['ёлка', 'елка'],
    ['Щётка', 'щетка'],
    ['Её', 'ее'],
    ['ЕЁ', 'её'],
    ['елка', 'ёлка'],
    ['ёлка'.normalize('NFD'), 'елка'],
  ])('is %s, written as %s', (written, typed) => {
    expect(found(`У нас ${written} есть`, query(typed), 'ru')).toEqual([written]);
    expect(found(`У нас ${written} есть`, query(typed, { isWholeWord: true }), 'ru')).toEqual([written]);
  });

  it('is no е for a ё where case matters', () => {
    expect(found('ёлка', query('елка', { matchesCase: true }), 'ru')).toEqual([]);
    expect(found('ёлка', query('ёлка', { matchesCase: true }), 'ru')).toEqual(['ёлка']);
  });

  it('is a word in Latin letters too', () => {
    for (const typed of ['esli', 'yesli']) expect(found('А если', query(typed), 'ru')).toEqual(['если']);
    for (const typed of ['yolka', 'elka']) expect(found('Вот ёлка', query(typed), 'ru')).toEqual(['ёлка']);
  });

  it('is another word only where there is none that is written so', () => {
    expect(found('мать и мат', query('мать'), 'ru')).toEqual(['мать']);
    expect(found('мать и мат', query('мат', { isWholeWord: true }), 'ru')).toEqual(['мат']);
    expect(found('подъезд', query('подезд'), 'ru')).toEqual(['подъезд']);
  });
});

it('finds English words with apostrophes and with an initial ye', () => {
  expect(found('The dog, the dog’s', query('dog'), 'en')).toEqual(['dog', 'dog']);
  expect(found('Yes, he does', query('yes'), 'en')).toEqual(['Yes']);
});
