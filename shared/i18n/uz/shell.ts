/** The window around the screens, and the settings that the first version has. */
export const shell = {
  skipToContent: 'Asosiy qismga oʻtish',
  mainNavigation: 'Boʻlimlar',
  titleBar: 'Sarlavha satri',
  content: 'Asosiy qism',
  sections: { transcribe: 'Matnga oʻgirish' },
  window: { minimize: 'Yigʻish', maximize: 'Yoyish', restore: 'Avvalgi oʻlcham', close: 'Oynani yopish' },
  practice: {
    chip: 'Mashq rejimi',
    title: 'Mashq rejimi',
    text: 'Natijalar shu kompyuterning oʻzida oʻylab topiladi. Hech narsa yuborilmaydi, kreditlar sarflanmaydi.',
    addKey: 'Kalit qoʻshish',
  },
  offline: {
    chip: 'Internet yoʻq',
    title: 'Internet yoʻq',
    text: 'Kompyuteringizdagi hamma narsa ochiq qoladi. Yuborilishi kerak boʻlganlari kutadi va keyin oʻzi davom etadi.',
  },
  jobs: {
    running_one: '{{count}} ta vazifa bajarilmoqda',
    running_other: '{{count}} ta vazifa bajarilmoqda',
    atService_one: '{{count}} ta vazifa xizmatda',
    atService_other: '{{count}} ta vazifa xizmatda',
    waiting_one: '{{count}} ta vazifa navbatda',
    waiting_other: '{{count}} ta vazifa navbatda',
    progress: 'Yuborilgan qismi',
  },
  announce: {
    added_one: '{{count}} ta fayl qoʻshildi',
    added_other: '{{count}} ta fayl qoʻshildi',
    started_one: '{{count}} ta fayl boshlandi',
    started_other: '{{count}} ta fayl boshlandi',
    done_one: '{{count}} ta fayl tayyor',
    done_other: '{{count}} ta fayl tayyor',
    failed_one: '{{count}} ta fayl bajarilmadi: {{reason}}',
    failed_other: '{{count}} ta fayl bajarilmadi: {{reason}}',
    sent: '{{percent}} yuborildi',
  },
  settings: {
    open: 'Sozlamalar',
    language: 'Interfeys tili',
  },
  crashed: {
    title: 'Oynaning shu qismi toʻxtab qoldi',
    text: 'Yozuvlar, matnlar va navbat saqlangan. Davom etish uchun shu qismni qayta koʻrsating.',
    pane: '“{{name}}” qismi toʻxtab qoldi.',
    whole: 'Oyna toʻxtab qoldi',
    again: 'Qayta koʻrsatish',
    diagnostics: 'Diagnostika',
    diagnosticsText: 'Faqat mana shular nusxalanadi. Bunda kalitlar, yoʻllar, nomlar va sizning soʻzlaringiz yoʻq.',
    copy: 'Diagnostikadan nusxa olish',
    copied: 'Nusxa olindi',
  },
  notStarted: {
    title: 'Studiya ochilmadi',
    again: 'Qayta urinish',
  },
  keyInText: {
    stopped:
      'Bu API kalitiga oʻxshaydi, shuning uchun bu yerga qoʻyilmadi. Kalitni sozlamalarning Ulanish boʻlimida kiriting.',
    covered:
      'Bu API kalitiga oʻxshaydi. U yashirildi va bu yerda saqlanmaydi; kalitni sozlamalarning Ulanish boʻlimida kiriting.',
  },
};
