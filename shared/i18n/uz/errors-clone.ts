/** Cloning a voice. */
export const cloneErrors = {
  'E-085': {
    title: 'Pullik tarif kerak',
    text: 'Ovoz nusxasini saqlash uchun pullik tarif kerak. Yozuvingiz va uning matni saqlangan.',
  },
  'E-086': {
    title: 'Soʻrov qabul qilinmadi',
    text: 'Xizmat bu qadamni qabul qilmadi. Yozuvingiz saqlangan. Yordam kerak boʻlsa, tafsilotlarni nusxalang.',
  },
  'E-087': {
    title: 'Yozuv juda uzun yoki juda katta',
    text: 'Yozuv juda uzun yoki juda katta: koʻpi bilan 10 MiB, namuna esa 10–30 soniya. Uni qirqing yoki qayta yozing.',
  },
  'E-088': { title: 'Bu ovoz endi mavjud emas', text: 'Bu ovoz nusxasi xizmatda endi mavjud emas.' },
  'E-089': {
    title: 'Siz bu qadamdan oʻtgansiz',
    text: 'Xizmat bu ovozning boshqa qadamida turibdi. Sizni oʻsha yerga oʻtkazdik; hech narsa yoʻqolmadi.',
  },
  'E-090': {
    title: 'Yana bir ovoz uchun joy yoʻq',
    text: 'Sizda allaqachon beshta ovoz nusxasi bor, bundan koʻp mumkin emas. Joy ochish uchun birini oʻchiring.',
  },
  'E-091': {
    title: 'Belgilangan joylarni tuzating',
    text: 'Xizmat kiritilgan maʼlumotlarning bir qismini qabul qilmadi. Yozuvingiz saqlangan. Belgilangan joylarni tuzating.',
  },
  'E-092': {
    title: 'Bitta aniq ovoz eshitilmadi',
    text: 'Xizmat yozuvda bitta aniq soʻzlovchini eshitmadi. Tinch joyda, yolgʻiz, mikrofonga yaqin turib qayta yozing.',
  },
  'E-093': {
    title: 'Oʻqish matnining muddati oʻtdi',
    text: 'Oʻqish matnining oʻn daqiqalik muddati oʻtdi. Yangi matn oling va shuni oʻqing.',
  },
  'E-094': {
    title: 'Oʻqilgan matn mos kelmadi',
    text: 'Oʻqilgani mos kelmadi. Bu urinish ishlatildi; jami beshta urinish bor. Yangi matn olib, namunadagidek ovozda oʻqing.',
  },
  'E-095': {
    title: 'Urinish hisoblanganmi, tekshirilmoqda',
    text: 'Javob yoʻlda yoʻqoldi, shuning uchun bu urinish hisoblangan-hisoblanmagani tekshirilmoqda. Yozuv oʻz-oʻzidan qayta yuborilmaydi.',
  },
  'E-096': {
    title: 'Hozircha urinishlar koʻp',
    text: 'Xizmat buni qanchalik tez-tez qilish mumkinligini cheklaydi. Keyingi urinish: {{wait}}dan keyin.',
    textPlain: 'Xizmat buni qanchalik tez-tez qilish mumkinligini cheklaydi. Keyinroq urinib koʻring.',
  },
  'E-097': {
    title: 'Ovoz oʻchirildi, tozalanmoqda',
    text: 'Ovoz allaqachon oʻchirib qoʻyilgan; xizmat uning yozuvlarini hali oʻchirmoqda. Tugaguncha oʻchirish takrorlanadi.',
  },
};
