/** Words of what main shows by itself: system dialogs and the key window. */
export const dialogs = {
  key: {
    title: 'API kalitini kiriting',
    label: 'API kaliti',
    hint: 'Kalit tizim kalitxonasida, u boʻlmasa, faqat shu seans davomida saqlanadi. Studiya oynasi uni koʻrmaydi.',
    save: 'Saqlash',
    cancel: 'Bekor qilish',
    show: 'Koʻrsatish',
    hide: 'Yashirish',
    problems: {
      empty: 'Kalitni kiriting.',
      spaces: 'Kalit ichida boʻsh joy va yangi qator boʻlmaydi.',
      length: 'Kalitda 8 tadan 512 tagacha belgi boʻladi.',
      characters: 'Kalit faqat lotin harflari, raqamlar va belgilardan iborat.',
    },
  },
  files: {
    addFiles: 'Yozuv qoʻshish',
    addFolder: 'Jild qoʻshish',
    recordings: 'Yozuvlar',
    allFiles: 'Barcha fayllar',
    saveTranscript: 'Matnni saqlash',
    saveRawAnswer: 'Xizmat javobini saqlash',
    locateMedia: 'Yozuvni topish',
  },
  quit: {
    still_one: '{{count}} ta yozuv hali yoʻlda.',
    still_other: '{{count}} ta yozuv hali yoʻlda.',
    detail: 'Hech narsa yoʻqolmadi: Ovoz Studio qayta ochilganda ish davom etadi.',
    quit: 'Chiqish',
    keep: 'Chiqmaslik',
  },
  windowFailed: {
    message: 'Oyna qayta-qayta ishdan chiqmoqda',
    detail: 'Ishingiz butun. Ovoz Studio dasturini yopib, qayta oching.',
  },
  close: 'OK',
};
