/** Deleting a transcript for good: what goes, what stays and for how long it can be undone. */
export const deletion = {
  group: 'Butunlay oʻchirish',
  title: 'Bitta matn va unga tegishli hamma narsa',
  hint: 'Soʻzlari, qatori, saqlangan javoblar, toʻlqini va videodan ajratilgan ovozi, kutubxona nusxalarida ham. Yozuvning oʻzi siz saqlagan joyda qoladi.',
  open: 'Matnni tanlash…',
  dialog: 'Matnni butunlay oʻchirish',
  delete: 'Oʻchirish…',
  deleteOne: 'Oʻchirish: {{title}}',
  question: '“{{title}}” butunlay oʻchirilsinmi?',
  text: 'U darhol yoʻqoladi, kutubxona nusxalaridan esa qaytarib boʻlmaydigan boʻlgach oʻchiriladi. Yozuv fayliga tegilmaydi.',
  atService: 'Xizmatda ham oʻchirish',
  atServiceHint:
    'Xizmat matnni va uning yozuvini oʻchiradi. Oʻz nusxalari va hisob-kitobini qachon tozalashini faqat xizmat biladi.',
  kept: 'Xizmatdagi matn va yozuv siz ularni oʻsha yerda oʻchirguningizcha qoladi.',
  practice: 'Mashq rejimida ham oʻchiriladi. Undan hech narsa yuborilmagan.',
  confirm: 'Butunlay oʻchirish',
  done: '“{{title}}” oʻchirildi.',
  undo: 'Qaytarish',
  undone: '“{{title}}” qaytarildi.',
  late: 'Qaytarishga ulgurilmadi.',
  back: 'Orqaga',
};
