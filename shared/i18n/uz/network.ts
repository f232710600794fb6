/** How the app reaches the service beyond address and key: older key, proxy, uploads, and the question before much is sent. */
export const network = {
  older: {
    group: 'Eski kalit',
    title: 'Eski avlod kaliti',
    hint: 'Faqat xizmatning eski manzillari uchun (X-Api-Key). Hozirgi kalitdan alohida saqlanadi.',
    none: 'Yoʻq',
    masked: '{{suffix}} bilan tugaydigan kalit',
    enter: 'Eski kalitni kiritish…',
    paste: 'Eski kalitni qoʻyish',
    forget: 'Eski kalitni unutish',
    forgetQuestion: 'Eski kalit unutilsinmi?',
    forgetText: 'U shu kompyuterdan oʻchiriladi. Hozirgi kalit qoladi, eski kalit esa xizmatda kuchda qoladi.',
    adopt: 'Eski kalit sifatida saqlash',
    tested: 'Eski kalit',
    states: {
      accepted: 'Eski manzillar uni qabul qilmoqda.',
      refused: 'Eski manzillar uni qabul qilmadi.',
      notChecked: 'Tekshirilmadi: xizmat javob bermadi.',
    },
  },
  proxy: {
    group: 'Tarmoq',
    title: 'Proksi',
    hint: 'Dastur yuboradigan hamma narsa uchun, jonli nutq uchun ham. Mashq rejimiga kerak emas.',
    modes: { system: 'Tizimdagidek', none: 'Yoʻq', manual: 'Qoʻlda' },
    server: 'Proksi manzili',
    port: 'Port',
    serverBad: 'Xost nomi yoki manzilni kiriting, foydalanuvchi nomi va parolsiz.',
    portBad: 'Port\u00a0— 1 dan 65535 gacha boʻlgan son.',
    oldKept: 'Toʻgʻrilanguncha avvalgi proksi ishlaydi.',
    password:
      'Nom va parol soʻraydigan proksidan faqat tizimniki sifatida foydalanish mumkin: dastur proksi parolini saqlamaydi.',
  },
  uploads: {
    title: 'Bir vaqtda yuboriladigan fayllar',
    hint: 'Aloqa yaxshi boʻlsa, koʻprogʻi tezroq; boshlangan yuborish uzilmaydi.',
  },
  spend: {
    group: 'Kreditlar',
    title: 'Bir soatda bundan koʻp yuborilsa, soʻrash',
    hint: 'Yozuvlar uzunligi boʻyicha hisoblanadi, chunki narx oldindan aytilmaydi. Savol birinchi baytdan oldin beriladi.',
    each: 'Har safar',
    never: 'Soʻramaslik',
  },
};
