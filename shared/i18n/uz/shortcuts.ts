/** The list of all keys. */
export const shortcuts = {
  title: 'Tugmalar birikmalari',
  find: 'Birikmani qidirish',
  change: 'Birikmalarni oʻzgartirish',
  none: '“{{query}}” nomli birikma yoʻq.',
  groups: {
    playback: 'Ijro',
    transcript: 'Matn',
    files: 'Fayllar va navbat',
    everywhere: 'Hamma joyda',
    view: 'Koʻrinish',
  },
  note: 'Matn ichida Tab ijro etadi yoki pauza qiladi, F6 matndan chiqadi. Boshqa joylarda Tab keyingi tugmaga oʻtadi.',
};
