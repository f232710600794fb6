import { randomInt } from 'node:crypto';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { digest } from './http.ts';

/** Plain sentences of nearly the same length; they fit in any combination. */
const sentences: Readonly<Record<SpeechLanguage, readonly string[]>> = {
  uz: [
    'Tongda shahar ustida yengil tuman bor edi, keyin quyosh chiqdi.',
    'Kutubxona orqasidagi bogʻ kechqurun juda jim boʻladi.',
    'Buvim choyni har doim koʻk piyolada ichishni yaxshi koʻradi.',
    'Poyezd biroz kechikdi, shuning uchun biz vokzalda kutdik.',
    'Bolalar hovlida varrak uchirib, baland ovozda kulishdi.',
    'Togʻ yoʻli tor edi, lekin haydovchi shoshilmay yurdi.',
    'Yangi oʻquv yilida maktabga uchta yosh oʻqituvchi keldi.',
    'Bozorda uzum, anor va shirin qovunlar sotilmoqda edi.',
  ],
  ru: [
    'Утром над городом стоял лёгкий туман, а потом вышло солнце.',
    'Сад за старой библиотекой вечером всегда очень тихий.',
    'Бабушка любит пить чай из своей синей фарфоровой чашки.',
    'Поезд немного опоздал, и мы подождали его на вокзале.',
    'Дети запускали во дворе воздушного змея и громко смеялись.',
    'Горная дорога была узкой, но водитель никуда не спешил.',
    'В новом учебном году в школу пришли три молодых учителя.',
    'На рынке продавали виноград, гранаты и сладкие дыни.',
  ],
  en: [
    'There was a light mist over the town, and then the sun came out.',
    'The garden behind the old library is quiet in the evening.',
    'My grandmother likes to drink her tea from a small blue cup.',
    'The train was a little late, so we waited at the station.',
    'The children flew a kite in the yard and laughed out loud.',
    'The mountain road was narrow, but the driver took his time.',
    'Three young teachers joined the school in the new year.',
    'They were selling grapes, figs and sweet melons at the market.',
  ],
};

const perChallenge = 3;

/** A text to read aloud, twelve to fifteen seconds long, that nobody was given before; null: there is none left. */
export function newChallenge(language: SpeechLanguage, given: string[]): string | null {
  for (let tries = 0; tries < 100; tries += 1) {
    const left = [...sentences[language]];
    const chosen: string[] = [];
    while (chosen.length < perChallenge) chosen.push(...left.splice(randomInt(left.length), 1));
    const text = chosen.join(' ');
    const mark = digest(text);
    if (given.includes(mark)) continue;
    given.push(mark);
    return text;
  }
  return null;
}

/** Whether there is enough speech for the text and not too much: people read about fourteen characters a second. */
export function isWholeReading(text: string, speechMs: number): boolean {
  const pace = Array.from(text).length / (Math.max(1, speechMs) / 1000);
  return pace >= 6 && pace <= 26;
}
