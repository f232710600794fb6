/** Work that is going on, seen from every screen. */
export const jobs = {
  title: 'Vazifalar',
  none: 'Hozir hech narsa bajarilmayapti',
  noneText: 'Yoʻldagi va sizni kutayotgan fayllar shu yerda turadi.',
  attention_one: '{{count}} ta vazifa sizni kutmoqda',
  attention_other: '{{count}} ta vazifa sizni kutmoqda',
  cardLabel: '{{title}}, {{percent}} yuborildi',
  sendingLeft: 'yuborishga taxminan {{time}} qoldi',
  more_one: 'navbatda yana {{count}} ta',
  more_other: 'navbatda yana {{count}} ta',
  openQueue: 'Navbatni ochish',
  cancel: 'Bekor qilish: {{name}}',
  retry: 'Qayta urinish: {{name}}',
  open: 'Ochish: {{name}}',
};
