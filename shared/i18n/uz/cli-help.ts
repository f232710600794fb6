/** What each command of the terminal says of itself. */
export const cliHelp = {
  transcribe: `Yozuvlarni buyruqlar qatoridan matnga oʻgiradi.

Foydalanish:
  npm run cli -- transcribe YOʻLLAR... --language uz|ru|en [parametrlar]

YOʻLLAR — yozuvlar yoki jildlar; jildlar oxirigacha koʻrib chiqiladi.

Parametrlar:
  --language uz|ru|en      nutq tili (shart)
  --speakers               soʻzlovchilarni ajratish
  --format ROʻYXAT         txt, srt, vtt, json; bir nechtasi vergul bilan (odatda txt)
  --out JILD               matnlar uchun jild (odatda yozuvning yonida)
  --concurrency N          bir vaqtda nechta fayl yuborilsin, 1 dan 8 gacha (odatda 2)
  --wait SONIYA            tarmoq yoki xizmat yoʻq paytda siljishsiz qancha kutilsin (odatda 60)
  --send-again             xizmat yoʻqotgan yoki bajara olmaganini qayta yuborish; yana pul yechilishi mumkin
  --practice               mashq rejimi: hech narsa kompyuterdan chiqmaydi, pul yechilmaydi
  --json                   chiqishga faqat JSON obyektlari yoziladi, har qatorda bittadan
  --help                   shu matn

Toʻxtab qolgan boʻlsa, xuddi shu buyruqni yana bering: tugamagan yozuvlar oʻz joyidan davom etadi, tayyorlari qayta
yuborilmaydi va ikki marta pul yechilmaydi. Bor fayl ustidan boshqa matn yozilmaydi, yangisi raqam oladi.

Chiqish kodi: 0 hammasi tayyor, 1 baʼzilari bajarilmadi yoki ish toʻxtadi, 2 buyruq notoʻgʻri yoxud manzil yoki kalit yoʻq, 75 tarmoq yoki xizmat topilmadi (keyinroq
shu buyruqni takrorlang), 130 Ctrl+C bilan toʻxtatildi.
Yakunda failed — matni chiqmagan yozuvlar, skipped — jildlardagi yozuv boʻlmagan fayllar.`,
  speak: `Matnni ovozga aylantiradi (WAV).

Foydalanish:
  npm run cli -- speak MATN --language uz|ru|en [parametrlar]
  npm run cli -- speak --file FAYL --language uz|ru|en [parametrlar]

Parametrlar:
  --language KOD           matn tili (shart)
  --file FAYL              matn fayldan; - standart kirish
  --voice ID               voices roʻyxatidagi ovoz (odatda shu tilning birinchisi)
  --speed N                0.5 dan 2 gacha (odatda 1)
  --out FAYL               ovoz qayerga yozilsin (odatda shu jilddagi speech.wav, raqami bilan)
  --force                  bor faylning oʻrniga yozish
  --wait SONIYA            xizmat tayyorlaguncha qancha kutilsin (odatda 120)
  --send-again             oldingisining natijasi nomaʼlum boʻlsa, yangi soʻrov; yana pul yechilishi mumkin
  --practice               mashq rejimi: hech narsa kompyuterdan chiqmaydi, pul yechilmaydi
  --json                   chiqishga faqat JSON obyektlari yoziladi, har qatorda bittadan
  --help                   shu matn

Toʻxtagan yoki uzilgan buyruq qayta berilsa, oʻsha soʻrov davom etadi va ikki marta pul yechilmaydi.`,
  isolate: `Yozuvlardan shovqinni olib tashlaydi.

Foydalanish:
  npm run cli -- isolate FAYLLAR... [parametrlar]

Parametrlar:
  --format ROʻYXAT         mp3, wav, flac, ogg, original; bir nechtasi vergul bilan (odatda mp3)
  --out JILD               ovozlar uchun jild (odatda yozuvning yonida)
  --restore                nutqni ham tiklash
  --force                  bor fayllarning oʻrniga yozish
  --wait SONIYA            xizmat qancha kutilsin (odatda 1800)
  --send-again             yuborilganini yangidan yuborish; yana pul yechilishi mumkin
  --practice               mashq rejimi: hech narsa kompyuterdan chiqmaydi, pul yechilmaydi
  --json                   chiqishga faqat JSON obyektlari yoziladi, har qatorda bittadan
  --help                   shu matn

Bir marta yuborilgan yozuv mazmunidan taniladi: oʻsha buyruq natijani yana olib keladi va ikki marta pul yechilmaydi.`,
  ask: `Til modeliga savol beradi va javobni kelishi bilan koʻrsatadi.

Foydalanish:
  npm run cli -- ask SAVOL [parametrlar]
  npm run cli -- ask --file FAYL [parametrlar]

Parametrlar:
  --file FAYL              savol fayldan; - standart kirish
  --model ID               models roʻyxatidagi model (odatda birinchisi)
  --system MATN            model oʻzini qanday tutsin
  --max-tokens N           eng uzun javob (odatda 1024)
  --send-again             berilgan savolni yangidan berish; yana pul yechiladi
  --practice               mashq rejimi: hech narsa kompyuterdan chiqmaydi, pul yechilmaydi
  --json                   chiqishga faqat JSON obyektlari yoziladi, har qatorda bittadan
  --help                   shu matn

Toʻxtagan yoki uzilgan savol oʻz-oʻzidan ikkinchi marta berilmaydi: xizmatdan u nima boʻlgani soʻraladi.`,
  voices: `Xizmat ovozlari roʻyxati; bepul.

Foydalanish:
  npm run cli -- voices [parametrlar]

Parametrlar:
  --language KOD           faqat bitta tilniki
  --mine                   faqat oʻzingizning klonlangan ovozlaringiz
  --practice               mashq rejimi: hech narsa kompyuterdan chiqmaydi, pul yechilmaydi
  --json                   chiqishga faqat JSON obyektlari yoziladi, har qatorda bittadan
  --help                   shu matn`,
  models: `Til modellari va ularning narxlari; bepul.

Foydalanish:
  npm run cli -- models [parametrlar]

Parametrlar:
  --practice               mashq rejimi: hech narsa kompyuterdan chiqmaydi, pul yechilmaydi
  --json                   chiqishga faqat JSON obyektlari yoziladi, har qatorda bittadan
  --help                   shu matn`,
  usage: `Shu kompyuterdan nimaga pul toʻlanganini kun va mahsulot boʻyicha koʻrsatadi. Xizmatdan hech narsa soʻralmaydi.

Foydalanish:
  npm run cli -- usage [parametrlar]

Parametrlar:
  --days N                 necha kunlik (odatda 30)
  --practice               mashq rejimi qancha turgan boʻlardi
  --json                   chiqishga faqat JSON obyektlari yoziladi, har qatorda bittadan
  --help                   shu matn`,
  doctor: `Manzil, kalit, ruxsatlar, soat, kalitxona, maʼlumotlar jildi va tuzatishlarni tekshiradi; nima ishlayotgani, nima
ishlamayotgani va nima qilish kerakligini aytadi. Xizmatga faqat bepul soʻrovlar yuboriladi.

Foydalanish:
  npm run cli -- doctor [parametrlar]

Parametrlar:
  --json                   chiqishga faqat JSON obyektlari yoziladi, har qatorda bittadan
  --help                   shu matn

Chiqish kodi: 0 hammasi joyida, 1 nimadir notoʻgʻri.`,
  diagnostics: `Yordam xizmati uchun hisobot yozadi: versiyalar, sozlamalar, vazifalarning holati va xatolari, nimaga pul toʻlangani,
jurnalning soʻnggi qatorlari. Unda kalit, matn, ovoz, manzil, fayl nomlari va jildlar yoʻq. Yuborishdan oldin koʻrib chiqing.

Foydalanish:
  npm run cli -- diagnostics [parametrlar]

Parametrlar:
  --out FAYL               qayerga yozilsin (odatda shu jildda yangi fayl)
  --force                  bor faylning oʻrniga yozish
  --json                   chiqishga faqat JSON obyektlari yoziladi, har qatorda bittadan
  --help                   shu matn`,
};
