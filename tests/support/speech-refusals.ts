import { classify } from '../../shared/domain/failures/classify.ts';
import type { FailureArea } from '../../shared/domain/failures/area-rows.ts';
import type { Failure } from '../../shared/result/failure.ts';

/** A refusal as the service would send it, and its title on the screen in English, Russian and Uzbek. */
export type Refusal = readonly [number, string, string, string, string, string];

const ofTheKey: readonly Refusal[] = [
  [401, 'invalid_api_key', 'E-032', 'API key not accepted', 'API-ключ не принят', 'API kaliti qabul qilinmadi'],
  [403, 'insufficient_scope', 'E-037', 'Key lacks a permission', 'У ключа нет разрешения', 'Kalitda ruxsat yoʻq'],
  [
    403,
    'origin_forbidden',
    'E-038',
    'Key not allowed from here',
    'Ключ здесь не разрешён',
    'Kalit bu yerda ishlamaydi',
  ],
];
const ofReading: readonly Refusal[] = [
  ...ofTheKey,
  [400, 'validation_error', 'E-050', 'Something isn’t valid', 'В запросе ошибка', 'Soʻrovda xato bor'],
  [404, 'not_found', 'E-039', 'Not offered by this service', 'Недоступно в этом сервисе', 'Bu xizmatda mavjud emas'],
  [
    429,
    'rate_limited',
    'E-053',
    'Waiting: too many requests',
    'Ожидание: много запросов',
    'Kutilmoqda: soʻrovlar koʻp',
  ],
  [500, 'internal_error', 'E-056', 'Service had a problem', 'Ошибка в сервисе', 'Xizmatda xato yuz berdi'],
  [
    503,
    'service_unavailable',
    'E-058',
    'Out of order at the service',
    'Часть сервиса не работает',
    'Xizmatning bir qismi ishlamayapti',
  ],
];
const ofSpeech: readonly Refusal[] = [
  ...ofReading,
  [400, 'invalid_json', 'E-030', 'Request not accepted', 'Запрос не принят', 'Soʻrov qabul qilinmadi'],
  [402, 'insufficient_credits', 'E-034', 'Not enough credits', 'Недостаточно кредитов', 'Kreditlar yetarli emas'],
  [
    402,
    'api_key_credit_limit',
    'E-035',
    'Key’s spending limit reached',
    'Достигнут лимит ключа',
    'Kalit sarf chegarasiga yetdi',
  ],
  [409, 'conflict', 'E-045', 'Already sent, checking', 'Уже отправлено, проверяем', 'Avval yuborilgan, tekshirilmoqda'],
];
const ofCloning: readonly Refusal[] = [
  ...ofTheKey,
  [400, 'invalid_multipart', 'E-086', 'Request not accepted', 'Запрос не принят', 'Soʻrov qabul qilinmadi'],
  [400, 'invalid_json', 'E-086', 'Request not accepted', 'Запрос не принят', 'Soʻrov qabul qilinmadi'],
  [
    413,
    'audio_too_large',
    'E-087',
    'Recording too long or too large',
    'Запись слишком длинная или большая',
    'Yozuv juda uzun yoki juda katta',
  ],
  [
    404,
    'voice_clone_not_found',
    'E-088',
    'That voice no longer exists',
    'Этого голоса больше нет',
    'Bu ovoz endi mavjud emas',
  ],
  [
    409,
    'voice_clone_invalid_state',
    'E-089',
    'You’re past this step',
    'Вы уже дальше этого шага',
    'Siz bu qadamdan oʻtgansiz',
  ],
  [
    409,
    'voice_limit_reached',
    'E-090',
    'No room for another voice',
    'Больше голосов нельзя',
    'Yana bir ovoz uchun joy yoʻq',
  ],
  [
    422,
    'validation_failed',
    'E-091',
    'Please correct the marked fields',
    'Исправьте отмеченные поля',
    'Belgilangan joylarni tuzating',
  ],
  [
    422,
    'invalid_audio',
    'E-092',
    'One clear speaker not heard',
    'Не слышно одного ясного голоса',
    'Bitta aniq ovoz eshitilmadi',
  ],
  [
    410,
    'voice_clone_challenge_expired',
    'E-093',
    'Reading text has expired',
    'Текст для чтения устарел',
    'Oʻqish matnining muddati oʻtdi',
  ],
  [
    429,
    'voice_clone_rate_limited',
    'E-096',
    'Too many tries for now',
    'Пока слишком много попыток',
    'Hozircha urinishlar koʻp',
  ],
  [
    503,
    'voice_cloning_unavailable',
    'E-058',
    'Voice cloning is out of order',
    'Клонирование голосов не работает',
    'Ovoz klonlash ishlamayapti',
  ],
];
const ofPlan: Refusal = [
  402,
  'voice_clone_subscription_required',
  'E-085',
  'Needs a paid plan',
  'Нужен платный тариф',
  'Pullik tarif kerak',
];
const ofVerifying: readonly Refusal[] = [
  [
    422,
    'challenge_mismatch',
    'E-094',
    'Words didn’t match the text',
    'Слова не совпали с текстом',
    'Soʻzlar matnga mos kelmadi',
  ],
  [
    422,
    'speaker_mismatch',
    'E-094',
    'Voice didn’t match the recording',
    'Голос не совпал с записью',
    'Ovoz yozuvga mos kelmadi',
  ],
  [
    503,
    'speaker_verification_unavailable',
    'E-095',
    'Checking whether that try counted',
    'Проверяем, засчитана ли попытка',
    'Urinish hisoblanganmi, tekshirilmoqda',
  ],
];

/** The refusals of 4.5, 4.8 and 4.12 of the contract, by request. */
export const speechRefusals: readonly (readonly [string, FailureArea | null, 'create' | 'read', readonly Refusal[]])[] =
  [
    ['speech is generated (4.5)', null, 'create', ofSpeech],
    ['languages, history and its audio are read (4.5)', null, 'read', ofReading],
    ['voices are read (4.8)', null, 'read', ofReading],
    ['a voice is cloned (4.12)', 'clone', 'create', [...ofCloning, ofPlan]],
    ['a reading is verified (4.12)', 'clone-verify', 'create', ofVerifying],
  ];

/** The failure that results from a refusal. */
export const failureOfRefusal = (
  [status, code]: Refusal,
  area: FailureArea | null,
  request: 'create' | 'read',
): Failure =>
  classify(
    {
      kind: 'answer',
      status,
      headers: {},
      body: JSON.stringify({ message: 'm', error: { code }, request_id: 'req_1' }),
    },
    { request, target: 'route', serverNowMs: 0, ...(area !== null && { area }) },
  );
