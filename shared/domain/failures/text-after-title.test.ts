import { expect, it } from 'vitest';
import { interfaceLanguages } from '../languages.ts';
import { toUzbekCyrillic } from '../text/transliterate-uzbek.ts';
import { textAfterTitle } from './text-after-title.ts';

it.each([
  ['en', 'API key not accepted', 'Your API key was not accepted. It may be wrong.', 'It may be wrong.'],
  ['en', 'Disk is full', 'Your disk is full. Nothing has been lost.', 'Nothing has been lost.'],
  ['ru', 'API-ключ не принят', 'Ваш API-ключ не принят. Файлы ждут.', 'Файлы ждут.'],
  ['uz', 'API kaliti qabul qilinmadi', 'API kalitingiz qabul qilinmadi. Fayllar kutmoqda.', 'Fayllar kutmoqda.'],
] as const)('%s: "%s" is not said twice', (language, title, text, expected) => {
  expect(textAfterTitle(title, text, language)).toBe(expected);
});

it('is not said twice in the other letters of Uzbek either', () => {
  const [title, text] = ['Boshqa joyda oʻzgargan', 'Bu boshqa joyda oʻzgargan. Hech narsa yoʻqolmadi.'];
  expect(textAfterTitle(toUzbekCyrillic(title), toUzbekCyrillic(text), 'uz-Cyrl')).toBe(
    toUzbekCyrillic('Hech narsa yoʻqolmadi.'),
  );
});

it.each([
  ['Too large for the service', 'It is too large for the service (2.1 GB). Nothing was charged.'],
  ['Credits accepted', 'Your credits were not accepted. Nothing was charged.'],
  ['File can’t be read', 'Notes.wav can’t be read. Put it back.'],
])('a sentence that says more than "%s" stays', (title, text) => {
  expect(textAfterTitle(title, text, 'en')).toBe(text);
});

it.each(interfaceLanguages)('%s: a text that is its title alone stays', (language) => {
  expect(textAfterTitle('Update is ready', 'Update is ready.', language)).toBe('Update is ready.');
});
