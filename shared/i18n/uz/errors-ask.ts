/** Questions to a model, their streams and attachments. */
export const askErrors = {
  'E-070': {
    title: 'Savol yuborilgan, tekshirilmoqda',
    text: 'Bu savol avval yuborilgan. Natijasi tekshirilmoqda; savol qayta yuborilmaydi.',
  },
  'E-071': {
    title: 'Javob yoʻlda yoʻqoldi',
    text: 'Javob tayyorlandi va haqi olindi, lekin matni yoʻlda yoʻqoldi; xizmat uni ikki marta yubormaydi. Kelgan qismi saqlandi.',
  },
  'E-072': {
    title: 'Javob yoʻq, pul yechilmadi',
    text: 'Savolga javob berilmadi va pul yechilmadi. Qayta soʻrashingiz mumkin.',
  },
  'E-073': {
    title: 'Hali ishlanmoqda',
    text: 'Xizmat bu savol ustida hali ishlamoqda. U qayta yuborilmaydi; natija tekshirib boriladi.',
  },
  'E-074': {
    title: 'Avvalgi savol hisob-kitobi tugamagan',
    text: 'Xizmat avvalgi savol hisob-kitobini tugatmagan, shuning uchun yangi savol berib boʻlmaydi. Bu ikki marta haq olinishidan saqlaydi. Uzoq choʻzilsa, nusxalangan tafsilotlar bilan yordam xizmatiga yozing.',
  },
  'E-075': {
    title: 'Savol uchun kreditlar yetarli emas',
    text: 'Bu javob uchun band qilinadigan kreditlar yetarli emas: xizmat avval eng katta narxni ajratib qoʻyadi. Qisqaroq javob soʻrang yoki kredit qoʻshing.',
  },
  'E-076': {
    title: 'Savol qabul qilinmadi',
    text: 'Xizmat bu savolni qabul qilmadi. Pul yechilmadi. Yordam kerak boʻlsa, tafsilotlarni nusxalang.',
  },
  'E-077': {
    title: 'Biriktirilgan fayl juda katta',
    text: 'Biriktirilgan fayl koʻpi bilan 4 MiB boʻlishi mumkin. Hech narsa yuborilmadi. Uni kichraytiring yoki olib tashlang.',
  },
  'E-078': {
    title: 'Bunday faylni biriktirib boʻlmaydi',
    text: 'Faqat PNG, JPEG, WebP, GIF va PDF fayllarni biriktirish mumkin. Pul yechilmadi.',
  },
  'E-079': {
    title: 'Biriktirilgan faylni ishlatib boʻlmaydi',
    text: 'Bu fayldan foydalanib boʻlmaydi: u shikastlangan yoki model bunday fayllarni oʻqimaydi. Uni olib tashlang yoki boshqa model tanlang.',
  },
  'E-080': {
    title: 'Biriktirilgan fayl muddati oʻtgan',
    text: 'Bu fayl xizmatda endi yoʻq (koʻpi bilan 30 kun saqlanadi). Uni shu kompyuterdan qayta biriktiring.',
  },
  'E-081': {
    title: 'Biriktirish chegarasiga yetildi',
    text: 'Biriktirish chegarasiga yetdingiz (25 ta saqlanadi, kuniga 100 ta urinish). Ayrimlarini oʻchiring yoki ertaga urinib koʻring.',
  },
  'E-101': { title: 'Javob toʻliq', text: 'Javob toʻliq keldi.' },
  'E-102': {
    title: 'Javob yarmida uzildi',
    text: 'Javob yarmida uzildi. Kelgan matn saqlandi. Xizmat nimani qayd etgani tekshirilmoqda; savol oʻz-oʻzidan qayta yuborilmaydi.',
  },
  'E-103': {
    title: 'Xizmat javobni toʻxtatdi',
    text: 'Xizmat javob oʻrtasida xato haqida xabar berdi. Kelgan qismi saqlandi; koʻrinib turgan qism uchun haq olingan boʻlishi mumkin.',
  },
  'E-104': {
    title: 'Javob kelmay qoldi',
    text: 'Bir daqiqa davomida javobning davomi kelmadi, kutish toʻxtatildi. Kelgan matn saqlandi. Xizmat nimani qayd etgani tekshirilmoqda.',
  },
  'E-105': {
    title: 'Xavfsiz qayta urinilmoqda',
    text: 'Xizmatda javobdan oldin muammo chiqdi. Savol shu raqam bilan qayta yuboriladi, shuning uchun haq faqat bir marta olinadi.',
  },
  'E-106': {
    title: 'Bir qismini oʻqib boʻlmadi',
    text: 'Javobning bir qismini oʻqib boʻlmadi va u tashlab ketildi. Qolgani saqlandi.',
  },
  'E-107': {
    title: 'Toʻxtatildi',
    text: 'Toʻxtatildi. Kelgan matn saqlandi. Tayyorlangan qism uchun haq olinishi mumkin.',
  },
  'E-108': { title: 'Javob birdaniga keldi', text: 'Javob boʻlak-boʻlak emas, birdaniga keldi.' },
  'E-109': {
    title: 'Javob paytida yopildi',
    text: 'Javob kelayotganda studiya yopildi. Kelgan qismi saqlandi, xizmat nimani qayd etgani tekshirilmoqda.',
  },
  'E-110': { title: 'Javob toʻliq', text: 'Javob toʻliq keldi; undan keyin kelgani tashlab ketildi.' },
};
