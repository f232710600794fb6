/** Live dictation, live speech and the older generation. */
export const liveErrors = {
  'E-120': {
    title: 'Yozib olish davom etmoqda',
    text: 'Jonli matnni hozir boshlab boʻlmadi. Yozib olish davom etmoqda, soʻzlar keyinroq chiqadi.',
  },
  'E-121': {
    title: 'Qayta ulanmoqda',
    text: 'Jonli yozish uchun ruxsatnoma muddati oʻtdi. Yangisi soʻralmoqda; nutqingiz saqlanmoqda.',
  },
  'E-122': {
    title: 'Jonli yozishga ruxsat yoʻq',
    text: 'Bu kalitga jonli yozishga ruxsat berilmagan. Yozuvni fayl sifatida matnga oʻgirish mumkin.',
  },
  'E-123': {
    title: 'Jonli yozish oʻchirilgan',
    text: 'Xizmatda jonli yozish oʻchirilgan. Yozuvni fayl sifatida yuborish mumkin.',
  },
  'E-124': {
    title: 'Qayta ulanmoqda',
    text: 'Jonli yozish aloqasi uzildi. Nutqingiz saqlanmoqda; qayta ulanmoqdamiz.',
  },
  'E-125': {
    title: 'Jonli yozish kutilmoqda',
    text: 'Jonli yozish oʻz vaqtida boshlanmadi. Nutqingiz saqlanmoqda; qayta ulanmoqdamiz.',
  },
  'E-126': {
    title: 'Boshqa ovoz formati kerak',
    text: 'Xizmat endi boshqa ovoz formatida ishlaydi. Dasturni yangilang. Yozuvni fayl sifatida yuborish mumkin.',
  },
  'E-127': {
    title: 'Jonli yozishda muammo chiqdi',
    text: 'Jonli yozishda muammo chiqdi. Yozuv saqlangan, uni fayl sifatida yuborish mumkin.',
  },
  'E-128': { title: 'Ibora qayta boshlanmoqda', text: 'Xizmat iborani boshlamagan edi. U yana bir marta yuboriladi.' },
  'E-129': {
    title: 'Ulgurib olinmoqda',
    text: 'Xizmat oldingi ibora bilan band. Hozir aytayotganlaringiz saqlanadi va keyin yuboriladi.',
  },
  'E-130': {
    title: 'Bir qismini oʻqib boʻlmadi',
    text: 'Xizmat ovozning bir qismini oʻqiy olmadi. Bu qism saqlangan, uni fayl sifatida yuborish mumkin.',
  },
  'E-131': {
    title: 'Ibora boʻlinmoqda',
    text: 'Ibora xizmat uchun juda uzun edi. U pauza joyidan boʻlinib, qayta yuboriladi.',
  },
  'E-132': {
    title: 'Nutq eshitilmadi',
    text: 'Bu iborada nutq eshitilmadi. Gapirgan boʻlsangiz, mikrofonni tekshiring.',
  },
  'E-133': {
    title: 'Kreditlar tugadi, yozuv davom etmoqda',
    text: 'Kreditlar tugadi. Yozib olish davom etmoqda; keyinroq uni matnga oʻgirishingiz mumkin.',
  },
  'E-134': {
    title: 'Xizmat band, ulgurib olinmoqda',
    text: 'Xizmat band. Nutqingiz saqlanadi va imkon boʻlishi bilan yuboriladi.',
  },
  'E-135': { title: 'Ibora qayta yuborilmoqda', text: 'Xizmat bu iboraga ulgurmadi. U yana bir marta yuboriladi.' },
  'E-136': {
    title: 'Jonli yozishda nomaʼlum xato',
    text: 'Xizmat bu versiyaga notanish xabar yubordi. Yozuv saqlangan; yana urinib koʻriladi.',
  },
  'E-137': {
    title: 'Ulgurib olinmoqda',
    text: 'Ibora matni oʻz vaqtida kelmadi. U yangi ulanish orqali qayta yuboriladi; bu qism ikki marta hisoblanishi mumkin.',
  },
  'E-138': {
    title: 'Bitta ibora ikki marta keldi',
    text: 'Bitta iboraning matni ikki marta keldi. Birinchisi olindi; boshqasi tafsilotlarda saqlandi.',
  },
  'E-139': {
    title: 'Jonli matn toʻxtadi',
    text: 'Jonli matn toʻxtadi. Aytganlaringizdan hech narsa yoʻqolmadi: yozuvni fayl sifatida yuborish mumkin.',
  },
  'E-140': { title: 'Jonli yozish tugadi', text: 'Jonli yozish tugadi, barcha soʻzlar keldi.' },
  'E-141': {
    title: 'Qayta ulanmoqda',
    text: 'Jonli yozish aloqasi uzildi. Nutqingiz saqlanmoqda; qayta ulanmoqdamiz.',
  },
  'E-142': {
    title: 'Jonli ulanish rad etildi',
    text: 'Xizmat biz yuborgan nimadir sababli jonli ulanishni yopdi. Yana bir marta urinib koʻriladi; yozuv saqlangan.',
  },
  'E-143': {
    title: 'Kalit yoki kreditlar rad etildi',
    text: 'Xizmat kalit yoki kreditlar sababli jonli ulanishni yopdi. Yozuv saqlangan.',
  },
  'E-144': {
    title: 'Aloqaga aralashilmoqda',
    text: 'Bu tarmoq himoyalangan ulanishlarga aralashmoqda, shuning uchun hech narsa yuborilmadi. Yozuv saqlangan.',
  },
  'E-145': {
    title: 'Xatodan keyin yopildi',
    text: 'Xizmat xato haqida xabar berib, ulanishni yopdi. Yozib olingani saqlangan.',
  },
  'E-146': {
    title: 'Qayta ulanmoqda',
    text: 'Jonli yozish aloqasi uzildi. Nutqingiz saqlanmoqda; qayta ulanmoqdamiz.',
  },
  'E-150': {
    title: 'Oddiy ovozlashtirish ishlatilmoqda',
    text: 'Jonli ovozlashtirish bu yerda tushunilmadi, shuning uchun oddiy usul ishlatilmoqda.',
  },
  'E-151': {
    title: 'Soʻrov qabul qilinmadi',
    text: 'Eski avlod xizmati bu soʻrovni qabul qilmadi. Pul yechilmadi. Yordam kerak boʻlsa, tafsilotlarni nusxalang.',
  },
  'E-152': {
    title: 'Xizmat buni tugata olmadi',
    text: 'Xizmat bu ishni tugata olmadi. Qayta urinish uchun haq olinishi mumkin.',
  },
  'E-153': {
    title: 'Jonli ovozlashtirish rad etildi',
    text: 'Xizmat kalit, kreditlar yoki oʻzidagi muammo sababli jonli ovozlashtirishni toʻxtatdi. Kelgani saqlangan.',
  },
};
