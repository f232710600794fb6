/** Before an HTTP answer, and answers that are not what they seem. */
export const networkErrors = {
  'E-001': {
    title: 'Internet kutilmoqda',
    text: 'Internet yoʻq. Hammasi saqlangan, internet qaytganda ish oʻzi davom etadi.',
  },
  'E-002': {
    title: 'Xizmat manzili topilmadi',
    text: 'Xizmat manzili topilmadi. Fayllaringiz shu yerda kutmoqda. Sozlamalardagi manzilni tekshiring yoki qayta urinib koʻring.',
  },
  'E-003': {
    title: 'Xizmatga ulanib boʻlmadi',
    text: 'Hozir xizmatga ulanib boʻlmayapti. Fayllaringiz shu yerda kutmoqda va keyinroq yuboriladi.',
  },
  'E-004': {
    title: 'Xizmat javob bermayapti',
    text: 'Xizmat vaqtida javob bermadi. Fayllaringiz shu yerda kutmoqda va keyinroq yuboriladi.',
  },
  'E-005': {
    title: 'Sanalar mos kelmayapti',
    text: 'Sanalar mos kelmagani uchun xavfsiz ulanib boʻlmadi, hech narsa yuborilmadi. Kompyuterdagi sana va vaqtni tekshirib, qayta urinib koʻring.',
  },
  'E-006': {
    title: 'Ulanish xavfsiz emas',
    text: 'Bu tarmoq xavfsiz ulanishga xalaqit beryapti, shuning uchun hech narsa yuborilmadi. Boshqa tarmoqqa ulanib, qayta urinib koʻring.',
  },
  'E-007': {
    title: 'Xavfsiz ulanib boʻlmadi',
    text: 'Xavfsiz ulanish oʻrnatilmadi, hech narsa yuborilmadi. Fayllaringiz shu yerda kutmoqda.',
  },
  'E-008': {
    title: 'Proksi-server kirishni soʻrayapti',
    text: 'Tarmogʻingizdagi proksi-server kirish maʼlumotlarini soʻrayapti, hech narsa yuborilmadi. Proksi-serverga kirib, qayta urinib koʻring.',
  },
  'E-009': {
    title: 'Xizmat oʻrniga veb-sahifa javob berdi',
    text: 'Xizmat oʻrniga veb-sahifa javob berdi. Ehtimol, avval tarmoqqa kirish kerak yoki xizmat manzili notoʻgʻri. Fayllaringiz shu yerda kutmoqda.',
  },
  'E-010': {
    title: 'Faylni oʻqib boʻlmadi',
    text: '{{name}} faylini endi oʻqib boʻlmayapti. Dastur uni oʻzgartirmagan. Faylni joyiga qaytaring yoki qaytadan tanlang.',
    textPlain:
      'Faylni endi oʻqib boʻlmayapti. Dastur uni oʻzgartirmagan. Faylni joyiga qaytaring yoki qaytadan tanlang.',
  },
  'E-011': {
    title: 'Fayl qoʻshilgandan keyin oʻzgargan',
    text: '{{name}} qoʻshilgandan keyin oʻzgargan, shuning uchun eski soʻrov bilan yuborilmadi. Yangi nusxasini yuboring (alohida haq olinadi) yoki roʻyxatdan olib tashlang.',
    textPlain:
      'Fayl qoʻshilgandan keyin oʻzgargan, shuning uchun eski soʻrov bilan yuborilmadi. Yangi nusxasini yuboring (alohida haq olinadi) yoki roʻyxatdan olib tashlang.',
  },
  'E-012': {
    title: 'Ulanish uzildi',
    text: 'Ulanish uzildi. Fayl xavfsiz tarzda qayta yuboriladi: ikki marta pul yechilmaydi.',
  },
  'E-013': {
    title: 'Yuborilgani tekshirilmoqda',
    text: 'Ulanish uzildi. Qayta yuborishdan oldin soʻrov yetib borgan-bormagani tekshirilmoqda.',
  },
  'E-014': {
    title: 'Ulanish sekin',
    text: 'Ulanish sekin yoki javob kelguncha uzildi. Hech narsa yoʻqolmadi, qayta urinish bepul.',
  },
  'E-015': {
    title: 'Javob oxirigacha kelmadi',
    text: 'Xizmat javobi yoʻlda uzilib qoldi. U xavfsiz tarzda qayta soʻraladi: ikki marta pul yechilmaydi.',
  },
  'E-016': {
    title: 'Manzil boshqa joyga olib boradi',
    text: 'Xizmat kutilmagan javob berdi, shuning uchun maxfiy narsa yuborilmasdan toʻxtatildi. Sozlamalardagi xizmat manzilini tekshiring.',
  },
  'E-017': {
    title: 'Javob juda katta',
    text: 'Javob haddan tashqari katta boʻlgani uchun saqlanmadi. Qayta urinib koʻring; takrorlansa, tafsilotlarni nusxalab, yordam xizmatiga yuboring.',
  },
  'E-018': {
    title: 'Xizmatda nosozlik',
    text: 'Xizmatda nosozlik bor. Tekshirib turamiz va ish oʻzi davom etadi. Hech narsa yoʻqolmadi.',
  },
  'E-019': {
    title: 'Kompyuter uyqu holatida edi',
    text: 'Ish paytida kompyuter uyqu holatiga oʻtdi. Ish oʻzi davom etadi.',
  },
  'E-020': { title: 'Tayyor', text: 'Matn keldi va saqlandi.' },
  'E-021': { title: 'Xizmatda', text: 'Yozuv xizmatda matnga oʻgirilmoqda. Matn oʻzi keladi.' },
  'E-022': {
    title: 'Qabul qilindi, tasdigʻi yoʻq',
    text: 'Xizmat faylni oldi, lekin tasdiq bermadi. Uni qidiryapmiz; oʻzidan oʻzi qayta yuborilmaydi.',
  },
  'E-023': { title: 'Hali tayyorlanmoqda', text: 'Xizmat hali ishlamoqda. Tayyor boʻlganda olinadi.' },
  'E-024': {
    title: 'Javobni oʻqib boʻlmadi',
    text: 'Oʻqib boʻlmaydigan javob keldi. Soʻrovingiz bajarilgan boʻlishi mumkin; javob saqlandi va tekshirilmoqda.',
  },
  'E-025': { title: 'Audio buzilib keldi', text: 'Audio buzilib keldi. U qoʻshimcha haq olinmasdan qayta olinadi.' },
  'E-026': { title: 'Bajarildi, maʼlumotsiz', text: 'Xizmat soʻralganini bajardi va javobda hech narsa yubormadi.' },
  'E-027': {
    title: 'Xizmatdagi holat nomaʼlum',
    text: 'Xizmat bu vazifa holatini “{{word}}” deb ataydi, bizga bu notanish. Kutishda davom etamiz; hech narsa qayta yuborilmaydi.',
    textPlain: 'Xizmat bizga notanish holatni bildirdi. Kutishda davom etamiz; hech narsa qayta yuborilmaydi.',
  },
  'E-028': {
    title: 'Tugadi, lekin matn yoʻq',
    text: 'Xizmat ish tugaganini aytdi, lekin matn hali yoʻq. Hech narsa yoʻqolmadi; birozdan keyin qayta tekshiring.',
  },
  'E-029': {
    title: 'Kutilmagan javob',
    text: 'Kutilmagan javob keldi. Soʻrovingiz bajarilgan boʻlishi mumkin; tekshirilmoqda.',
  },
};
