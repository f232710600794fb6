/** The terminal: `npm run cli -- transcribe ...`. */
export const cli = {
  speaker: 'Soʻzlovchi {{number}}',
  usage: `Yozuvlarni buyruqlar qatoridan matnga oʻgiradi.

Foydalanish:
  npm run cli -- transcribe YOʻLLAR... --language uz|ru|en [parametrlar]

YOʻLLAR — yozuvlar yoki jildlar; jildlar oxirigacha koʻrib chiqiladi.

Parametrlar:
  --language uz|ru|en      nutq tili (shart)
  --speakers               soʻzlovchilarni ajratish
  --format ROʻYXAT         txt, srt, vtt, json; bir nechtasi vergul bilan (odatda txt)
  --out JILD               matnlar uchun jild (odatda yozuvning yonida)
  --concurrency N          bir vaqtda nechta fayl yuborilsin, 1 dan 8 gacha (odatda 2)
  --wait SONIYA            tarmoq yoʻqolsa, qancha kutilsin (odatda 60)
  --send-again             xizmat yoʻqotgan yoki bajara olmaganini qayta yuborish; yana pul yechilishi mumkin
  --practice               mashq rejimi: hech narsa kompyuterdan chiqmaydi, pul yechilmaydi
  --json                   chiqishga faqat JSON obyektlari yoziladi, har qatorda bittadan
  --help                   shu matn

Muhit oʻzgaruvchilari:
  OVOZ_SERVICE_URL         xizmat manzili (boʻlmasa, dasturda saqlangani)
  OVOZ_API_KEY             API kaliti (boʻlmasa, tizim kalitxonasidagisi)
  OVOZ_DATA_DIR            kutubxona jildi (boʻlmasa, dasturniki)

Toʻxtab qolgan boʻlsa, xuddi shu buyruqni yana bering: tugamagan yozuvlar oʻz joyidan davom etadi, tayyorlari qayta
yuborilmaydi va ikki marta pul yechilmaydi. Bor fayl ustidan boshqa matn yozilmaydi, yangisi raqam oladi.

Chiqish kodi: 0 hammasi tayyor, 1 baʼzilari bajarilmadi yoki ish toʻxtadi, 2 buyruq notoʻgʻri yoxud manzil yoki kalit yoʻq, 130 Ctrl+C bilan toʻxtatildi.
Yakunda failed — matni chiqmagan yozuvlar, skipped — jildlardagi yozuv boʻlmagan fayllar.`,
  hint: 'Yordam: npm run cli -- --help',
  problem: {
    noCommand: 'Nima qilish kerakligini ayting: transcribe.',
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
};
