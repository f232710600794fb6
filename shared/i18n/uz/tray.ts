/** The menu of the app in the tray of the system. */
export const tray = {
  nothing: 'Navbat boʻsh',
  held: 'Hammasi toʻxtatib turilgan',
  atService: 'xizmatda',
  preparing: 'tayyorlanmoqda',
  more_one: 'va yana {{count}} ta',
  more_other: 'va yana {{count}} ta',
  pause: 'Hammasini toʻxtatib turish',
  goOn: 'Hammasini davom ettirish',
  absent: 'Bu tizimda dastur uchun trey yoʻq: jarayonni koʻrish, hammasini toʻxtatib turish va chiqish shu oynada.',
  open: 'Ovoz Studioni ochish',
};
