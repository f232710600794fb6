import { appErrors } from './errors-app.ts';
import { accountErrors } from './errors-account.ts';
import { askErrors } from './errors-ask.ts';
import { cloneErrors } from './errors-clone.ts';
import { liveErrors } from './errors-live.ts';
import { computerErrors } from './errors-computer.ts';
import { httpErrors } from './errors-http.ts';
import { networkErrors } from './errors-network.ts';

/** Words of failures, filed under the row that decided; `textPlain` is used when a value that `text` mentions is not known. */
export const errors = {
  ...networkErrors,
  ...httpErrors,
  ...accountErrors,
  ...askErrors,
  ...cloneErrors,
  ...liveErrors,
  ...computerErrors,
  ...appErrors,
  /** Failures of this computer that a code tells apart within one row. */
  variants: {
    empty_file: {
      title: 'Fayl boʻsh',
      text: '{{name}} boʻsh, shuning uchun yuborilmadi. Pul yechilmadi.',
      textPlain: 'Fayl boʻsh, shuning uchun yuborilmadi. Pul yechilmadi.',
    },
    not_audio: {
      title: 'Audioga oʻxshamaydi',
      text: '{{name}} audioga oʻxshamaydi, shuning uchun yuborilmadi. Pul yechilmadi.',
      textPlain: 'Fayl audioga oʻxshamaydi, shuning uchun yuborilmadi. Pul yechilmadi.',
    },
    no_sound: {
      title: 'Bu faylda ovoz yoʻq',
      text: '{{name}} faylida ovoz topilmadi, matnga oʻgiradigan narsa yoʻq. Pul yechilmadi.',
      textPlain: 'Bu faylda ovoz topilmadi, matnga oʻgiradigan narsa yoʻq. Pul yechilmadi.',
    },
    needs_converter: {
      title: 'Bunday fayl uchun ffmpeg kerak',
      text: '{{name}} ovozini avval oʻgirish kerak. Kompyuterga ffmpeg oʻrnatib, qayta urinib koʻring yoki faylni MP3 qilib saqlang. Pul yechilmadi.',
      textPlain:
        'Bu fayl ovozini avval oʻgirish kerak. Kompyuterga ffmpeg oʻrnatib, qayta urinib koʻring yoki faylni MP3 qilib saqlang. Pul yechilmadi.',
    },
    not_convertible: {
      title: 'Ovozni ajratib boʻlmadi',
      text: '{{name}} ovozini oʻqib boʻlmadi, fayl shikastlangan boʻlishi mumkin. U yuborilmadi, pul yechilmadi.',
      textPlain: 'Bu fayl ovozini oʻqib boʻlmadi, u shikastlangan boʻlishi mumkin. Yuborilmadi, pul yechilmadi.',
    },
    not_a_file: {
      title: 'Bu fayl emas',
      text: '{{name}} yuboriladigan fayl emas. Yozuv yoki yozuvlar bor jildni qoʻshing.',
      textPlain: 'Bu yuboriladigan fayl emas. Yozuv yoki yozuvlar bor jildni qoʻshing.',
    },
    file_missing: {
      title: 'Fayl topilmadi',
      text: '{{name}} avvalgi joyida yoʻq. Dastur uni oʻzgartirmagan. Faylni joyiga qaytaring yoki qaytadan tanlang.',
      textPlain: 'Fayl avvalgi joyida yoʻq. Dastur uni oʻzgartirmagan. Faylni joyiga qaytaring yoki qaytadan tanlang.',
    },
    file_unreadable: {
      title: 'Faylni ochib boʻlmadi',
      text: '{{name}} faylini ochib boʻlmadi: kompyuter ruxsat bermayapti yoki uni boshqa dastur band qilgan. Hech narsa yuborilmadi.',
      textPlain:
        'Faylni ochib boʻlmadi: kompyuter ruxsat bermayapti yoki uni boshqa dastur band qilgan. Hech narsa yuborilmadi.',
    },
    folder_unreadable: {
      title: 'Jildni ochib boʻlmadi',
      text: '{{name}} jildini ochib boʻlmadi, ichidan hech narsa qoʻshilmadi.',
      textPlain: 'Jildni ochib boʻlmadi, ichidan hech narsa qoʻshilmadi.',
    },
    file_too_large_here: {
      title: 'Fayl juda katta',
      text: '{{name}} bu dastur uchun juda katta, shuning uchun yuborilmadi. Pul yechilmadi.',
      textPlain: 'Fayl bu dastur uchun juda katta, shuning uchun yuborilmadi. Pul yechilmadi.',
    },
    export_not_writable: {
      title: 'Bu joyga yozib boʻlmaydi',
      text: '{{name}} faylini bu joyga yozib boʻlmaydi. Boshqa joy tanlang; matn saqlangan.',
      textPlain: 'Faylni bu joyga yozib boʻlmaydi. Boshqa joy tanlang; matn saqlangan.',
    },
  },
  codes: {
    maybe_sent: {
      title: 'Yuborilgan boʻlishi mumkin',
      text: 'Shikastlangan kutubxonadan bu yozuv yuborilgan-yuborilmaganini bilib boʻlmadi. Ikki marta haq olinmasligi uchun uni qayta yubormadik.',
    },
    transcript_too_long: {
      title: 'Matn juda uzun',
      text: 'Bu matnda bu yerda koʻrsatib boʻladigandan koʻproq soʻz bor. Hammasi shu kompyuterda saqlangan; oʻqish uchun uni fayl qilib saqlang.',
    },
    move_inside: {
      title: 'Boshqa jildni tanlang',
      text: 'Kutubxonani oʻzining jildi ichiga koʻchirib boʻlmaydi. U joyida qoldi.',
    },
    move_not_empty: {
      title: 'Bu jild band',
      text: 'U yerda kutubxona jildi bor va u boʻsh emas. Boshqa jildni tanlang; kutubxona joyida qoldi.',
    },
    move_no_room: {
      title: 'U yerda joy yetarli emas',
      text: 'Tanlangan diskda kutubxona uchun joy yetmaydi. U joyida qoldi.',
    },
    move_not_writable: {
      title: 'U yerga yozib boʻlmaydi',
      text: 'Dastur tanlangan jildga yoza olmaydi. Kutubxona joyida qoldi.',
    },
    move_cancelled: {
      title: 'Koʻchirish bekor qilindi',
      text: 'Kutubxona joyida qoldi; koʻchirilgan nusxalar oʻchirildi.',
    },
    proxy_unreachable: {
      title: 'Proksi ishlamayapti',
      text: 'Proksi javob bermadi yoki hech narsa oʻtkazmadi, shuning uchun hech narsa yuborilmadi. Uni sozlamalarning Ulanish boʻlimida tekshirib, qayta urining.',
    },
    challenge_mismatch: {
      title: 'Soʻzlar matnga mos kelmadi',
      text: 'Oʻqigan soʻzlaringiz matnga mos kelmadi. Bu urinish ishlatildi; jami beshta urinish bor. Yangi matn olib, aynan oʻqing.',
    },
    speaker_mismatch: {
      title: 'Ovoz yozuvga mos kelmadi',
      text: 'Ovoz namunadagi yozuvga mos kelmadi. Bu urinish ishlatildi; jami beshta urinish bor. Yangi matnni oʻsha ovoz va mikrofon bilan oʻqing.',
    },
    webhook_not_found: {
      title: 'Bu vebhuk endi mavjud emas',
      text: 'Bu vebhuk yoki yetkazma xizmatda endi mavjud emas. Roʻyxat qayta oʻqiladi.',
    },
    webhook_revision_conflict: {
      title: 'Boshqa joyda oʻzgartirilgan',
      text: 'Bu vebhuk shu orada boshqa joyda oʻzgartirilgan. Hech narsa ustiga yozilmadi; ikkalasini koʻrib, qaror qiling.',
    },
    webhook_delivery_not_retryable: {
      title: 'Qayta yetkazib boʻlmaydi',
      text: 'Faqat yoqilgan vebhukning bajarilmagan yetkazmasini qayta yuborish mumkin.',
    },
    webhook_limit_reached: {
      title: 'Yana bir vebhuk uchun joy yoʻq',
      text: 'Sizda allaqachon 20 ta faol vebhuk bor, bundan koʻp mumkin emas. Joy ochish uchun birini oʻchiring.',
    },
  },
  actions: {
    retry: 'Qayta urinish',
    'try-now': 'Hozir urinish',
    'go-on': 'Kredit qoʻshdim, davom etilsin',
    'enter-key': 'Kalitni kiritish',
    'change-key': 'Boshqa kalit kiritish',
    'recheck-key': 'Qayta tekshirish',
    'change-address': 'Manzilni tekshirish',
    'locate-file': 'Faylni topish',
    'use-new-version': 'Yangi nusxasini yuborish (alohida haq)',
    'send-again': 'Qayta yuborish (haq olinishi mumkin)',
    'check-again': 'Qayta tekshirish',
    'open-earlier': 'Avvalgisini ochish',
    'copy-earlier': 'Oʻsha matndan foydalanish',
    'save-raw-answer': 'Javobni oʻzgarishsiz saqlash',
    remove: 'Roʻyxatdan olib tashlash',
    cancel: 'Bekor qilish',
    'fix-input': 'Tuzatish',
    'choose-period': 'Davrni tanlash',
    'revoke-key': 'Kalitni bekor qilish',
    'ask-again': 'Qayta soʻrash (alohida haq)',
    'attach-again': 'Qayta biriktirish',
    'manage-attachments': 'Biriktirilgan fayllarni boshqarish',
    'manage-voices': 'Ovozlarni boshqarish',
    'record-again': 'Qayta yozish',
    'new-text': 'Yangi matn olish',
    'start-over': 'Boshidan boshlash',
    'send-as-file': 'Fayl sifatida yuborish',
    'try-live-again': 'Jonli yozishni qayta boshlash',
    'copy-details': 'Tafsilotlardan nusxa olish',
  },
  fallback: {
    title: 'Kutilmagan xato',
    text: 'Bu versiyada taʼriflanmagan xato yuz berdi. Hech narsa oʻchirilmadi. Yordam kerak boʻlsa, tafsilotlarni nusxalang.',
  },
};
