/** Account keys, usage and webhooks. */
export const accountErrors = {
  'E-061': {
    title: 'Belgilangan joylarni tuzating',
    text: 'Xizmat kiritilgan maʼlumotlarning bir qismini qabul qilmadi. Hech narsa oʻzgarmadi. Belgilangan joylarni tuzatib, yana saqlang.',
  },
  'E-062': {
    title: 'Roʻyxat yangilandi',
    text: 'Xizmat roʻyxatning toʻxtagan joyini unutgani uchun roʻyxat boshidan yuklandi.',
  },
  'E-063': {
    title: 'Bu davrni koʻrsatib boʻlmaydi',
    text: 'Xizmat bu davrni koʻrsata olmaydi. Koʻpi bilan 90 kun, soatma-soat esa 31 kun koʻrsatiladi. Boshqa davr tanlang.',
  },
  'E-064': {
    title: 'Kalitlarni bu yerdan boshqarib boʻlmaydi',
    text: 'Hisobingiz uchun kalitlarni bu dasturdan boshqarishga ruxsat yoʻq. Xizmat saytidan foydalaning. Studiyaning boshqa qismlari ishlaydi.',
  },
  'E-065': { title: 'Bu kalit endi mavjud emas', text: 'Bu kalit xizmatda endi mavjud emas. Roʻyxat qayta oʻqiladi.' },
  'E-066': {
    title: 'Kalitda hali ish bor',
    text: 'Bu kalit bilan xizmatda ishlar bor, shuning uchun uni oʻchirib boʻlmaydi. Buning oʻrniga uni butunlay bekor qilish mumkin.',
  },
  'E-067': {
    title: 'Kalit siri yoʻlda yoʻqoldi',
    text: 'Kalit yaratilgan boʻlishi mumkin, lekin uning siri yoʻlda yoʻqoldi va u faqat bir marta koʻrsatiladi. Uni bekor qilib, yangisini yarating.',
  },
  'E-068': {
    title: 'Dastur kaliti bekor qilindi',
    text: 'Siz shu dastur ishlatayotgan kalitni bekor qildingiz. Fayllaringiz joyida va kutmoqda. Davom etish uchun boshqa kalit kiriting.',
  },
  'E-100': {
    title: 'Vebhuk oʻzgarmadi',
    text: 'Xizmat vebhukdagi bu oʻzgarishni qabul qilmadi. Hech narsa oʻzgarmadi. Uni qayta koʻrib chiqib, yana urinib koʻring.',
  },
};
