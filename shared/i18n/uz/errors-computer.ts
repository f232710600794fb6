/** This computer: disk, library, keychain, files and exports. */
export const computerErrors = {
  'E-180': {
    title: 'Disk toʻlgan',
    text: 'Disk toʻlgan. Hech narsa yoʻqolmadi, lekin yangi ishlar toʻxtatib turildi. Joy boʻshating, ish oʻzi davom etadi.',
  },
  'E-181': {
    title: 'Disk xato berdi',
    text: 'Diskingiz xato berdi. Kutubxonangizni himoya qilish uchun toʻxtadik. Diskni tekshirib, qayta urinib koʻring.',
  },
  'E-182': {
    title: 'Kutubxona fayli shikastlangan',
    text: 'Kutubxona fayli shikastlangan. U oʻz holicha saqlab qoʻyildi, tiklash mumkin boʻlgan hamma narsa tiklandi.',
  },
  'E-183': {
    title: 'Allaqachon ochiq',
    text: 'Ovoz Studio allaqachon ochiq. Ochiq nusxadan foydalaning yoki avval uni yoping.',
  },
  'E-184': {
    title: 'Kutubxona yangiroq versiyadan',
    text: 'Bu kutubxona yangiroq versiyada yaratilgan. U oʻzgartirilmadi. Uni ochish uchun dasturni yangilang.',
  },
  'E-185': {
    title: 'Dastur jildiga yozib boʻlmaydi',
    text: 'Dastur jildiga yozib boʻlmayapti. Hech narsa yuborilmadi. Jild ruxsatlari va diskni tekshirib, qayta urinib koʻring.',
  },
  'E-186': {
    title: 'Sozlamalar asliga qaytarildi',
    text: 'Sozlamalar fayli shikastlangani uchun sozlamalar asl holiga qaytarildi; kutubxonangiz joyida. Shikastlangan fayl saqlab qoʻyildi.',
  },
  'E-190': {
    title: 'Kalit uchun xavfsiz joy yoʻq',
    text: 'Bu kompyuterda kalitni saqlash uchun xavfsiz joy yoʻq. Uni faqat shu seans uchun kiritish mumkin; dastur yopilganda unutiladi.',
  },
  'E-191': {
    title: 'Kalitxona qulflangan',
    text: 'Tizim kalitxonasi qulflangan. Davom etish uchun uni qulfdan chiqaring; fayllaringiz kutmoqda.',
  },
  'E-192': {
    title: 'Kalitxona kutilmoqda',
    text: 'Tizim kalitxonasi javobi kutilmoqda. Kalitni faqat shu seans uchun kiritib, davom etish mumkin.',
  },
  'E-193': {
    title: 'Kalitni oʻqishga ruxsat yoʻq',
    text: 'Dasturga oʻz kalitini oʻqishga ruxsat berilmadi. Ruxsat berib, qayta urinib koʻring yoki kalitni qaytadan kiriting.',
  },
  'E-194': {
    title: 'Kalit saqlanmadi',
    text: 'Kalitni xavfsiz saqlab boʻlmadi, u saqlanmagan hisoblanadi. Dastur yopilguncha undan foydalanish mumkin.',
  },
  'E-206': { title: 'Oyna qayta ochildi', text: 'Oyna qayta ochildi. Ishingizga zarar yetmadi.' },
  'E-207': {
    title: 'Nosozlikdan keyin tiklandi',
    text: 'Dastur kutilmaganda yopilgan. Ishingiz saqlandi va davom etadi; ikki marta yuborilmaydi va ikki marta pul yechilmaydi.',
  },
  'E-208': {
    title: 'Ish keyingi safar davom etadi',
    text: 'Baʼzi ishlar hali tugamagan. Dasturni qayta ochganingizda ular davom etadi.',
  },
  'E-209': {
    title: 'Yangilanish tayyor',
    text: 'Yangilanish tayyor. U dastur yopilganda oʻrnatiladi; hech narsa toʻxtatilmaydi.',
  },
  'E-210': {
    title: 'Kompyuter soati oʻzgardi',
    text: 'Kompyuter soati oʻzgardi. Kutish vaqtlari qayta hisoblandi; hech narsa yoʻqolmadi.',
  },
  'E-211': {
    title: 'Oʻqiladigan yozuv emas',
    text: '{{name}} oʻqib boʻladigan yozuv emas, shuning uchun yuborilmadi. Pul yechilmadi.',
    textPlain: 'Bu oʻqib boʻladigan yozuv emas, shuning uchun yuborilmadi. Pul yechilmadi.',
  },
  'E-212': {
    title: 'Avval matnga oʻgirilgan',
    text: 'Buni avval ({{date}}) matnga oʻgirgansiz. Qayta yuborilmadi. Oʻshani oching yoki qayta yuboring (alohida haq olinadi).',
    textPlain:
      'Buni avval matnga oʻgirgansiz. Qayta yuborilmadi. Oʻshani oching yoki qayta yuboring (alohida haq olinadi).',
  },
  'E-213': {
    title: 'Bunday nom band',
    text: 'Bunday nomli fayl bor yoki bu nomni ishlatib boʻlmaydi. Hech narsa ustidan yozilmadi; boshqa nom tanlang.',
  },
  'E-214': {
    title: 'Eksport tugallanmadi',
    text: 'Eksport tugallanmadi; eski faylingizga tegilmadi. Qayta urinib koʻring yoki boshqa joy tanlang.',
  },
};
