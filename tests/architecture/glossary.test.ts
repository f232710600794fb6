import { describe, expect, it } from 'vitest';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import { mapWords } from '../../shared/i18n/uzbek-cyrillic.ts';

/** One thing has one word: where English names it, the others name it so. Stems, because words are declined. */
const terms: readonly (readonly [english: RegExp, uzbek: RegExp, russian: RegExp])[] = [
  [/\bspeakers?\b/i, /soʻzlovchi/i, /говорящ/i],
  [/\btranscripts?\b/i, /matn/i, /расшифров/i],
  [/\brecordings?\b/i, /yozuv|yozib olish/i, /запис/i],
  [/\bfolders?\b/i, /jild/i, /папк/i],
  [/\bfiles?\b/i, /fayl/i, /файл/i],
  [/\bcredits?\b/i, /kredit/i, /кредит/i],
  [/\bAPI key\b/i, /kalit/i, /ключ/i],
  [/\bpractice\b/i, /mashq/i, /учебн/i],
  [/\bqueued?\b/i, /navbat/i, /очеред/i],
  [/\bsettings\b/i, /sozlama/i, /настро/i],
  [/\bpermissions?\b/i, /ruxsat/i, /разрешен|прав/i],
  [/\bshortcuts?\b/i, /birikma|klavish/i, /сочетан/i],
  [/\bwaveforms?\b/i, /toʻlqin/i, /волн/i],
  [/\bwebhooks?\b/i, /vebhuk/i, /вебхук/i],
  [/\bkeychain\b/i, /kalitlar ombor/i, /хранилищ/i],
  [/\blibrary\b/i, /kutubxona/i, /библиотек/i],
  [/\bsegments?\b/i, /boʻlak/i, /фрагмент/i],
  [/\bsubtitles?\b/i, /subtitr/i, /субтитр/i],
  [/\bcaptions?\b/i, /subtitr/i, /субтитр/i],
  [/\blines?\b/i, /satr/i, /строк/i],
  [/\bcharacters?\b/i, /belgi/i, /символ/i],
  [/\bloop(?:s|ing)?\b/i, /takror/i, /цикл/i],
  [/\bservice\b/i, /xizmat/i, /сервис/i],
  [/\bmicrophone\b/i, /mikrofon/i, /микрофон/i],
  [/\bjobs?\b/i, /vazifa/i, /задач/i],
  [/\baccount\b/i, /hisob/i, /аккаунт|учётн/i],
  [/\bproxy\b/i, /proksi/i, /прокси/i],
  [/\brequest number\b/i, /soʻrov raqami/i, /номер запроса/i],
];

/** Words that the glossary gave up for others. */
const givenUp = {
  uz: /\b(?:ilova(?!\s+qil)|papka|transkript|spiker)/i,
  ru: /приложени|директори|транскри|спикер/i,
} as const;

const textsOf = (words: Parameters<typeof mapWords>[0]): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>();
  mapWords(words, (text, path) => {
    texts.set(path, text.replaceAll(/\{\{[^}]*\}\}|--\w+/g, ''));
    return text;
  });
  return texts;
};

const english = textsOf(catalogues.en);
/** “One clear speaker” describes a voice, a reading is read in a voice, and a one-word hint has no room. */
const saidOtherwise = new Set([
  'errors.speaker-unclear.title',
  'errors.reading-mismatch.text',
  'palette.hints.shortcuts',
  // The lines of a drawing are not those of a text.
  'settings.general.contrastHint',
  // The name of a file.
  'cli.usage',
  // Commands, permissions and events are typed as they are in every language.
  'cli.help.keys',
  'cli.help.webhooks',
  'cli.problem.noCommand',
  'cli.problem.noWebhookAddress',
  'cli.problem.noDeliveryId',
]);

function deviating(language: 'uz' | 'ru', words: Parameters<typeof mapWords>[0] = catalogues[language]): string[] {
  const texts = textsOf(words);
  return [...english].flatMap(([path, text]) => {
    const said = texts.get(path);
    if (said === undefined || saidOtherwise.has(path)) return [];
    return terms
      .filter(([named, uzbek, russian]) => named.test(text) && !(language === 'uz' ? uzbek : russian).test(said))
      .map(([named]) => `${path}: ${String(named)}: ${said}`);
  });
}

describe('the glossary', () => {
  it.each(['uz', 'ru'] as const)('has one word for one thing, and %s follows it', (language) => {
    expect(deviating(language)).toEqual([]);
  });

  it.each(['uz', 'ru'] as const)('lists abandoned words that %s no longer uses', (language) => {
    const used = [...textsOf(catalogues[language])].filter(([, text]) => givenUp[language].test(text));
    expect(used).toEqual([]);
  });

  it('reports another word in place of a term', () => {
    const planted = { ...catalogues.uz, transcribe: { ...catalogues.uz.transcribe, addFolder: 'Papka qoʻshish' } };
    expect(deviating('uz', planted).join()).toContain('transcribe.addFolder');
  });
});
