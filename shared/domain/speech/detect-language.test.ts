import { describe, expect, it } from 'vitest';
import { detectLanguage } from './detect-language.ts';

describe('the language of a sentence', () => {
  it.each([
    ['uz', 'Salom, doʻstlar.'],
    ['uz', 'Bugun havo juda ochiq.'],
    ['uz', "Ertaga yomg‘ir yog'adi."],
    ['uz', 'Oldingizdagi adras choponni margʻilonlik usta toʻqigan.'],
    ['uz', 'Narxi 12 000 soʻm, Windows bilan birga.'],
    ['uz', 'Keyingi zalga oʻtish uchun chap tomondagi eshikdan kiring.'],
    ['uz', 'Салом, дўстлар.'],
    ['uz', 'Бугун ҳаво жуда очиқ.'],
    ['uz', 'Китоблар столда турибди.'],
    ['ru', 'Книга стоит 12,5 долл.'],
    ['ru', 'Здравствуйте. Так звучит этот голос.'],
    ['ru', 'Экскурсии на русском ежедневно в 15:30.'],
    ['ru', 'Мы встретились у станции Alisher Navoiy.'],
    ['ru', 'Вы готовы?'],
    ['ru', 'Компания Microsoft купила GitHub.'],
    ['en', 'Hello. This is how this voice sounds.'],
    ['en', 'Please keep your ticket until the end of the visit.'],
    ['en', 'The museum opens at nine.'],
    ['en', 'We are in Toshkent.'],
  ] as const)('%s: %s', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it.each([
    '',
    '12 345,50',
    'Alisher Navoiy',
    'info@ovoz.uz',
    'OK',
    'Москва, 2024',
    'Люди впереди: врачи, чемодан, роман.',
    'https://www.the-news.com/with/this',
  ])('is left open by “%s”', (text) => {
    expect(detectLanguage(text)).toBeNull();
  });
});
