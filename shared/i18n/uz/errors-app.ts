/** The app itself: defects, refused calls, the first screen, practice mode. */
export const appErrors = {
  'E-230': {
    title: 'Dasturda xato yuz berdi',
    text: 'Dastur ichida xato yuz berdi. Hech narsa oʻchirilmadi. Qayta urinib koʻring; takrorlansa, yordam uchun tafsilotlarni nusxalang.',
  },
  'E-231': {
    title: 'Soʻrov rad etildi',
    text: 'Dastur oʻz oynasidan kelgan soʻrovni rad etdi. Hech narsa oʻzgarmadi. Dasturni yopib, qayta oching.',
  },
  'E-232': {
    title: 'Mashq rejimi ishga tushmadi',
    text: 'Mashq rejimini bu kompyuterda ishga tushirib boʻlmadi. Hech qayerga hech narsa yuborilmadi. Qayta urinib koʻring.',
  },
  'E-233': {
    title: 'Bu API kaliti emas',
    text: 'Bu API kalitiga oʻxshamaydi. Kalit 8 tadan 512 tagacha lotin harfi, raqam va belgidan iborat, ichida boʻsh joy boʻlmaydi.',
  },
  'E-234': {
    title: 'Xizmat manzilini tekshiring',
    text: 'Xizmat manzili kiritilmagan yoki yaroqsiz. https:// bilan boshlanadigan manzilni kiriting.',
  },
  'E-235': {
    title: 'API kaliti kiritilmagan',
    text: 'Xizmat uchun API kaliti kerak. Davom etish uchun uni kiriting; hech narsa yuborilmadi.',
  },
  'E-236': {
    title: 'Hali hech narsa ochilmagan',
    text: 'Avval qanday boshlashni tanlang: xizmat bilan yoki mashq rejimida.',
  },
  'E-237': {
    title: 'API kalitiga oʻxshaydi',
    text: 'Bu API kalitiga oʻxshaydi, kalit esa bu yerga yozilmaydi. Hech narsa saqlanmadi. Kalitni sozlamalarning Ulanish boʻlimida kiriting.',
  },
  'E-238': {
    title: 'Amal bajarilmadi',
    text: 'Hech narsa yuborilmadi, chunki buni siz tugma bosib soʻramadingiz. Tugmani yana bir bor bosing.',
  },
  'E-239': {
    title: 'Kutubxona koʻchirilmadi',
    text: 'Kutubxona joyida qoldi, hech narsa yoʻqolmadi. Qayta urining yoki boshqa jildni tanlang.',
  },
  'E-240': {
    title: 'Xizmatga yetmay rad etildi',
    text: '{{name}} har yuborilganda xizmat oʻrniga veb-sahifa javob berdi, boshqa ishlar esa xizmatga yetib bordi. Ehtimol, proksi-server yoki antivirus faqat shu faylni oʻtkazmayapti. Fayl saqlanib turibdi, qayta yuborilganda ikki marta pul yechilmaydi. Tarmogʻingiz maʼmuriga murojaat qiling yoki boshqa tarmoqdan qayta urinib koʻring.',
    textPlain:
      'Fayl har yuborilganda xizmat oʻrniga veb-sahifa javob berdi, boshqa ishlar esa xizmatga yetib bordi. Ehtimol, proksi-server yoki antivirus faqat shu faylni oʻtkazmayapti. Fayl saqlanib turibdi, qayta yuborilganda ikki marta pul yechilmaydi. Tarmogʻingiz maʼmuriga murojaat qiling yoki boshqa tarmoqdan qayta urinib koʻring.',
  },
};
