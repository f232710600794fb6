import { cliHelp } from './cli-help.ts';
import { cliWords } from './cli-words.ts';

/** The terminal: `npm run cli -- transcribe ...`. */
export const cli = {
  speaker: '{{number}}-soʻzlovchi',
  usage: `Buyruqlar qatoridan yozuvlar, nutq va savollar bilan ishlaydi.

Foydalanish:
  npm run cli -- BUYRUQ [parametrlar]

Buyruqlar:
  transcribe    yozuvlarni matnga oʻgiradi
  speak         matnni ovozga aylantiradi
  isolate       yozuvlardan shovqinni olib tashlaydi
  ask           til modeliga savol beradi
  voices        ovozlar roʻyxati
  models        modellar va ularning narxlari
  usage         shu kompyuterdan nimaga pul toʻlangani, kunma-kun
  doctor        manzil, kalit, ruxsatlar, soat, kalitxona va jildni tekshirib, nima qilishni aytadi
  diagnostics   yordam xizmati uchun hisobot yozadi: unda kalit, matn va ovoz boʻlmaydi

Buyruq parametrlari: npm run cli -- help BUYRUQ

Muhit oʻzgaruvchilari:
  OVOZ_SERVICE_URL         xizmat manzili (boʻlmasa, dasturda saqlangani)
  OVOZ_API_KEY             API kaliti (boʻlmasa, tizim kalitxonasidagisi)
  OVOZ_DATA_DIR            kutubxona jildi (boʻlmasa, dasturniki)

Chiqish kodi: 0 hammasi tayyor, 1 baʼzilari bajarilmadi yoki ish toʻxtadi, 2 buyruq notoʻgʻri yoxud manzil yoki kalit yoʻq, 130 Ctrl+C bilan toʻxtatildi.`,
  help: cliHelp,
  hint: 'Yordam: npm run cli -- --help',
  problem: {
    textAndFile: 'Matnni buyruqda yoki faylda bering, ikkalasini birga emas.',
    noText: 'Matn yoʻq. Uni qoʻshtirnoq ichida yozing yoki faylni ayting: --file FAYL (standart kirish uchun -).',
    textTooLong: 'Matn 1 MiB dan uzun.',
    noSpokenLanguage: 'Matn tilini ayting: --language uz, ru yoki en.',
    badSpokenLanguage: 'Til uz, ru yoki en kabi kod boʻladi, “{{word}}” emas.',
    badSpeed: 'Tezlik 0.5 dan 2 gacha boʻlgan son, “{{word}}” emas.',
    noPathsToClean: 'Qaysi yozuvlarni tozalash kerakligini ayting.',
    badSoundFormat: 'Formatlar: mp3, wav, flac, ogg va original, “{{word}}” emas.',
    badMaxTokens: 'Eng uzun javob tokenlarning butun soni bilan beriladi, “{{word}}” emas.',
    badDays: 'Kunlar butun son boʻladi, “{{word}}” emas.',
    unexpected: 'Bu buyruq “{{word}}” ni qabul qilmaydi.',
    badCorrections: 'corrections.json faylidan foydalanib boʻlmadi, shuning uchun hech narsa yuborilmadi:',
    noCommand:
      'Nima qilish kerakligini ayting: transcribe, speak, isolate, ask, voices, models, usage, doctor yoki diagnostics.',
    unknownCommand: '“{{word}}” degan buyruq yoʻq.',
    unknownOption: 'Bunday parametr yoʻq yoki qiymati berilmagan: {{word}}',
    noPaths: 'Qaysi yozuv yoki jildlarni matnga oʻgirish kerakligini ayting.',
    noLanguage: 'Nutq tilini ayting: --language uz, ru yoki en.',
    badLanguage: 'Til uz, ru yoki en boʻladi, “{{word}}” emas.',
    badFormat: 'Formatlar: txt, srt, vtt va json, “{{word}}” emas.',
    badConcurrency: 'Bir vaqtda 1 tadan 8 tagacha fayl yuboriladi, “{{word}}” emas.',
    badWait: 'Kutish vaqti soniyalarda, butun son bilan beriladi, “{{word}}” emas.',
    noAddress: 'Xizmat manzili yoʻq. OVOZ_SERVICE_URL ni bering yoki manzilni dasturga bir marta kiriting.',
    badAddress: 'Xizmat manzili toʻgʻri kelmaydi: u https:// bilan boshlanishi kerak.',
    noKey:
      'API kaliti yoʻq. OVOZ_API_KEY ni bering yoki kalitni dasturda bir marta saqlang. Kalitsiz sinab koʻrish uchun --practice ni qoʻshing.',
    keychainShut:
      'Tizim kalitxonasi API kalitini bermadi: u qulflangan, ruxsat bermayapti yoki javob bermayapti. Qulfini ochib qayta urining yoki OVOZ_API_KEY ni bering.',
    badKey:
      'API kalitida boʻsh joy, yangi qator yoki kalitda boʻlmaydigan belgi bor. Uni qaytadan, boshqa narsasiz toʻliq nusxalang.',
  },
  done: '{{file}}: tayyor',
  failed: '{{file}}: {{message}}',
  sendAgain: 'Qayta yuborish uchun (yana pul yechilishi mumkin) buyruqqa --send-again ni qoʻshing.',
  rawAnswer: 'Kelgan javob oʻz holicha saqlandi: {{path}}',
  nothingFound: 'U yerda yozuv topilmadi.',
  waits: 'Kutilmoqda. {{message}} Siljish boʻlmasa, ish {{seconds}} soniyadan keyin toʻxtaydi (--wait).',
  goesOn: 'Xizmat yana javob beryapti, ish davom etmoqda.',
  stopped: 'Ish toʻxtadi: {{message}}',
  notFinished_one:
    '{{count}} ta yozuv tugamadi va saqlab qoʻyildi. Davom ettirish uchun xuddi shu buyruqni yana bering; ikki marta pul yechilmaydi.',
  notFinished_other:
    '{{count}} ta yozuv tugamadi va saqlab qoʻyildi. Davom ettirish uchun xuddi shu buyruqni yana bering; ikki marta pul yechilmaydi.',
  interrupted: 'Siz toʻxtatdingiz.',
  cancelled: 'Bu yozuv bekor qilingan.',
  restored: 'Diqqat: {{message}}',
  summary: 'Tayyor: {{done}}. Bajarilmadi: {{failed}}. Oʻtkazib yuborildi: {{skipped}}.',
  progress: '{{total}} tadan {{done}} tasi tayyor',
  uploading: '{{file}} yuborilmoqda {{percent}}',
  atService_one: 'xizmatda {{count}} ta',
  atService_other: 'xizmatda {{count}} ta',
  ...cliWords,
};
