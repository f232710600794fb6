/** Answers of the service, and what becomes of its jobs. */
export const httpErrors = {
  'E-030': {
    title: 'Soʻrov qabul qilinmadi',
    text: 'Xizmat bu soʻrovni qabul qilmadi. Pul yechilmadi. Yordam kerak boʻlsa, tafsilotlarni nusxalang.',
  },
  'E-031': { title: 'Soʻrov raqami qabul qilinmadi', text: 'Xizmat bu soʻrov raqamini qabul qilmadi. Pul yechilmadi.' },
  'E-032': {
    title: 'API kaliti qabul qilinmadi',
    text: 'API kalitingiz qabul qilinmadi. U notoʻgʻri, muddati oʻtgan yoki bekor qilingan boʻlishi mumkin. Fayllaringiz joyida va ishlaydigan kalitni kutmoqda.',
  },
  'E-033': {
    title: 'Hisob seansi tugadi',
    text: 'Hisobga kirish muddati tugadi. Matnga oʻgirish va studiyadagi boshqa ishlar davom etadi.',
  },
  'E-034': {
    title: 'Kreditlar yetarli emas',
    text: 'Hisobingizda kreditlar tugadi. Fayllaringiz kutmoqda; hech narsa yoʻqolmadi, ortiqcha pul yechilmadi. Kredit qoʻshib, davom ettiring.',
  },
  'E-035': {
    title: 'Kalit sarf chegarasiga yetdi',
    text: 'Bu kalit oʻzining sarf chegarasiga yetdi. Hisobda kreditlar qolgan boʻlishi mumkin. Chegarani oshiring yoki boshqa kalit kiriting, soʻng davom ettiring.',
  },
  'E-036': {
    title: 'Toʻlov chegarasiga yetildi',
    text: 'Toʻlov chegarasiga yetildi. Fayllaringiz kutmoqda; hech narsa yoʻqolmadi. Kreditlar va kalit chegarasini tekshirib, davom ettiring.',
  },
  'E-037': {
    title: 'Kalitda ruxsat yoʻq',
    text: 'Bu kalitga bunday ishga ruxsat berilmagan. “{{permission}}” ruxsati kerak. Pul yechilmadi; boshqa kalit kiriting yoki ruxsatni yoqing.',
    textPlain: 'Bu kalitga bunday ishga ruxsat berilmagan. Pul yechilmadi; boshqa kalit kiriting yoki ruxsatni yoqing.',
  },
  'E-038': {
    title: 'Kalit bu yerda ishlamaydi',
    text: 'Bu kalitdan faqat belgilangan joylardan foydalanish mumkin (IP yoki manba cheklovi). Fayllaringiz kutmoqda. Boshqa tarmoqdan urinib koʻring yoki boshqa kalit kiriting.',
  },
  'E-039': {
    title: 'Bu xizmatda mavjud emas',
    text: 'Bu imkoniyat hozir bu xizmatda mavjud emas. Fayllaringiz kutmoqda. Xizmat manzilini tekshiring yoki keyinroq urinib koʻring.',
  },
  'E-040': { title: 'Xizmatdan oʻchirilgan', text: 'Bu xizmatdan oʻchirilgan. Kompyuteringizdagi nusxa joyida.' },
  'E-041': {
    title: 'Xizmat vazifani topa olmadi',
    text: 'Xizmat bu vazifani topa olmayapti. Ikki marta pul yechilmasligi uchun uni qayta yubormadik.',
  },
  'E-042': {
    title: 'Boshqa kalitga tegishli',
    text: 'Bu vazifa boshqa kalitga tegishli (oxiri {{suffix}}). Oʻsha kalitni qaytaring yoki shu kalit bilan yuboring (alohida haq olinadi).',
    textPlain:
      'Bu vazifa boshqa kalitga tegishli. Oʻsha kalitni qaytaring yoki shu kalit bilan yuboring (alohida haq olinadi).',
  },
  'E-043': {
    title: 'Dastur va xizmat mos emas',
    text: 'Dasturning bu versiyasi va xizmat bir-biriga mos emas. Pul yechilmadi. Xizmat manzilini tekshiring yoki yangilanish bor-yoʻqligini koʻring.',
  },
  'E-044': {
    title: 'Xizmat kutishni soʻradi',
    text: 'Xizmat keyinroq urinishni soʻradi. Oʻzi qayta yuboriladi va faqat bir marta haq olinadi.',
  },
  'E-045': {
    title: 'Avval yuborilgan, tekshirilmoqda',
    text: 'Xizmat bu avval yuborilganini aytdi. Qayta yuborishdan oldin nima boʻlganini tekshiryapmiz.',
  },
  'E-046': { title: 'Endi xizmatda yoʻq', text: 'Bu endi xizmatda yoʻq. Kompyuteringizdagi nusxa joyida.' },
  'E-047': {
    title: 'Boshqa joyda oʻzgargan',
    text: 'Bu shu vaqt ichida boshqa joyda oʻzgargan. Hech narsa ustidan yozilmadi; soʻnggi nusxani koʻrish uchun qayta tekshiring.',
  },
  'E-048': {
    title: 'Xizmat uchun juda katta',
    text: 'Fayl xizmat uchun juda katta ({{size}}). Pul yechilmadi. Hajmini kichraytirib yoki boʻlaklarga boʻlib, qayta qoʻshing.',
    textPlain:
      'Fayl xizmat uchun juda katta. Pul yechilmadi. Hajmini kichraytirib yoki boʻlaklarga boʻlib, qayta qoʻshing.',
  },
  'E-049': {
    title: 'Bu turdagi fayl qabul qilinmaydi',
    text: 'Xizmat bu turdagi faylni oʻqiy olmaydi. Pul yechilmadi. Uni MP3, WAV, M4A, OGG, WebM yoki FLAC qilib saqlab, qayta qoʻshing.',
  },
  'E-050': {
    title: 'Soʻrovda xato bor',
    text: 'Bu soʻrovda nimadir notoʻgʻri ({{fields}}). Pul yechilmadi. Xizmat nima topgani tafsilotlarda.',
    textPlain: 'Bu soʻrovda nimadir notoʻgʻri. Pul yechilmadi. Xizmat nima topgani tafsilotlarda.',
  },
  'E-051': {
    title: 'Xizmat shu vazifa bilan band',
    text: 'Xizmat shu vazifa bilan band. Birozdan keyin qayta urinamiz; hech narsa yoʻqolmadi.',
  },
  'E-052': {
    title: 'Kutilmoqda: soʻrovlar koʻp',
    text: 'Xizmat sekinlashishni soʻradi. Keyingi urinishgacha: {{wait}}. Hech narsa yoʻqolmadi.',
    textPlain: 'Xizmat sekinlashishni soʻradi. Ish oʻzi davom etadi. Hech narsa yoʻqolmadi.',
  },
  'E-053': {
    title: 'Kutilmoqda: soʻrovlar koʻp',
    text: 'Xizmat sekinlashishni soʻradi. Ish oʻzi davom etadi. Hech narsa yoʻqolmadi.',
  },
  'E-054': {
    title: 'Qonuniy sabab bilan berilmaydi',
    text: 'Xizmat buni qonuniy sabablarga koʻra bera olmaydi. Pul yechilmadi; faylingiz oʻzgarmagan.',
  },
  'E-055': {
    title: 'Soʻrov qabul qilinmadi',
    text: 'Xizmat bu soʻrovni qabul qilmadi. Pul yechilmadi. Yordam kerak boʻlsa, tafsilotlarni nusxalang.',
  },
  'E-056': {
    title: 'Xizmatda xato yuz berdi',
    text: 'Xizmatda xato yuz berdi. Xavfsiz tarzda qayta uriniladi: ikki marta pul yechilmaydi.',
  },
  'E-057': {
    title: 'Xizmat javob bermayapti',
    text: 'Xizmat javob bermayapti. Tanaffusni uzaytirib, urinishda davom etamiz. Hech narsa ikki marta yuborilmaydi va ikki marta pul yechilmaydi.',
  },
  'E-058': {
    title: 'Xizmatning bir qismi ishlamayapti',
    text: 'Xizmatning bu qismi vaqtincha ishlamayapti. Oʻzi qayta uriniladi; fayllaringiz kutmoqda.',
  },
  'E-059': {
    title: 'Tarmoqqa kirish kerak',
    text: 'Bu tarmoq avval kirishni talab qilyapti, hech narsa yuborilmadi. Brauzerda tarmoqqa kirib, qayta urinib koʻring.',
  },
  'E-060': {
    title: 'Xizmatda xato yuz berdi',
    text: 'Xizmatda xato yuz berdi. Xavfsiz tarzda qayta uriniladi: ikki marta pul yechilmaydi.',
  },
  'E-082': {
    title: 'Kalit natijani ola olmaydi',
    text: 'Bu kalit ish yubora oladi, lekin natijani olishga ruxsati yoʻq. Natijalar xizmatda kutmoqda: oʻqish ruxsati bor kalitni kiriting.',
  },
  'E-083': {
    title: 'Kalit natijani ola olmas edi',
    text: 'Bu kalit ishni boshlay oladi, lekin natijani ola olmaydi, shuning uchun hech narsa yuborilmadi. Oʻqish ruxsati bor kalitni kiriting.',
  },
  'E-160': {
    title: 'Xizmat yozuvni qayta ishlay olmadi',
    text: 'Xizmat bu yozuvni qayta ishlay olmadi. Faylingiz oʻzgarmagan. Qayta yuborilsa, yana haq olinishi mumkin.',
  },
  'E-161': {
    title: 'Odatdagidan uzoq',
    text: 'Bu bir kundan ortiq xizmatda turibdi. Hech narsa yoʻqolmadi; kutishda davom eting yoki roʻyxatdan olib tashlang.',
  },
  'E-162': {
    title: 'Fayllarning birortasi ham olinmadi',
    text: 'Xizmat bu fayllarning hech birini olmadi, shuning uchun pul yechilmadi. Yaroqsizini olib tashlang yoki bittalab yuboring.',
  },
  'E-163': { title: 'Xizmatdan oʻchirilgan', text: 'Bu ishlanayotganda xizmatdan oʻchirilgan. Faylingiz joyida.' },
  'E-164': {
    title: 'Xizmatda ikki nusxada',
    text: 'Xizmatda bu ikki nusxada bor. Ikkalasi ham saqlanadi; oʻzidan oʻzi oʻchirilmaydi.',
  },
  'E-170': { title: 'Qayta olinmoqda', text: 'Yuklab olish manzili eskirgan. U bepul qayta olinmoqda.' },
  'E-171': {
    title: 'Yuklab olish uzildi',
    text: 'Yuklab olish yarmida toʻxtadi. Kelgan qismi saqlandi, oʻsha joydan davom etadi.',
  },
  'E-172': {
    title: 'Yuklab olish boshidan boshlandi',
    text: 'Toʻxtagan joydan davom etib boʻlmadi, shuning uchun boshidan bepul olinmoqda.',
  },
  'E-173': { title: 'Fayl buzilib keldi', text: 'Fayl buzilib keldi. U bepul qayta olinadi.' },
  'E-174': {
    title: 'Xavfli yuklab olish manzili',
    text: 'Xizmat xavfli yuklab olish manzilini berdi, shuning uchun undan foydalanmadik. Tafsilotlarni nusxalab, yordam xizmatiga yuboring.',
  },
  'E-175': {
    title: 'Diskda joy yetarli emas',
    text: 'Diskda joy yetarli emas: {{need}} kerak, {{free}} boʻsh. Hech narsa yoʻqolmadi. Joy boʻshatib, qayta urinib koʻring.',
    textPlain:
      'Diskda joy yetarli emas yoki bu joyga yozib boʻlmaydi. Hech narsa yoʻqolmadi. Joy boʻshating yoki boshqa joy tanlang.',
  },
};
