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
      title: 'Файл пуст',
      text: 'Файл {{name}} пуст и не отправлен. Ничего не списано.',
      textPlain: 'Файл пуст и не отправлен. Ничего не списано.',
    },
    not_audio: {
      title: 'Не похоже на звук',
      text: 'Файл {{name}} не похож на звук и не отправлен. Ничего не списано.',
      textPlain: 'Файл не похож на звук и не отправлен. Ничего не списано.',
    },
    not_a_file: {
      title: 'Не файл',
      text: '{{name}} нельзя отправить: это не файл. Добавьте запись или папку с записями.',
      textPlain: 'Это нельзя отправить: это не файл. Добавьте запись или папку с записями.',
    },
    file_missing: {
      title: 'Файл не найден',
      text: 'Файла {{name}} нет на прежнем месте. Приложение его не меняло. Верните его на место или выберите снова.',
      textPlain: 'Файла нет на прежнем месте. Приложение его не меняло. Верните его на место или выберите снова.',
    },
    file_unreadable: {
      title: 'Файл не открывается',
      text: 'Файл {{name}} не открывается: нет прав или его занимает другая программа. Ничего не отправлено.',
      textPlain: 'Файл не открывается: нет прав или его занимает другая программа. Ничего не отправлено.',
    },
    folder_unreadable: {
      title: 'Папка не открывается',
      text: 'Папка {{name}} не открывается, из неё ничего не добавлено.',
      textPlain: 'Папка не открывается, из неё ничего не добавлено.',
    },
    file_too_large_here: {
      title: 'Файл слишком большой',
      text: 'Файл {{name}} слишком большой для этого приложения и не отправлен. Ничего не списано.',
      textPlain: 'Файл слишком большой для этого приложения и не отправлен. Ничего не списано.',
    },
    export_not_writable: {
      title: 'Туда нельзя записать',
      text: 'Файл {{name}} нельзя записать в это место. Выберите другое; расшифровка сохранена.',
      textPlain: 'Файл нельзя записать в это место. Выберите другое; расшифровка сохранена.',
    },
  },
  codes: {
    challenge_mismatch: {
      title: 'Слова не совпали с текстом',
      text: 'Прочитанные слова не совпали с текстом. Эта попытка израсходована, всего их пять. Получите новый текст и прочитайте его точно.',
    },
    speaker_mismatch: {
      title: 'Голос не совпал с записью',
      text: 'Голос не совпал с вашей записью. Эта попытка израсходована, всего их пять. Прочитайте новый текст тем же голосом и в тот же микрофон.',
    },
    webhook_not_found: {
      title: 'Этого вебхука больше нет',
      text: 'Этого вебхука или доставки больше нет в сервисе. Список читается заново.',
    },
    webhook_revision_conflict: {
      title: 'Изменено в другом месте',
      text: 'Этот вебхук тем временем изменили в другом месте. Ничего не перезаписано; сравните и решите.',
    },
    webhook_delivery_not_retryable: {
      title: 'Нельзя доставить снова',
      text: 'Повторить можно только неудачную доставку включённого вебхука.',
    },
    webhook_limit_reached: {
      title: 'Больше вебхуков нельзя',
      text: 'У вас уже 20 активных вебхуков, больше нельзя. Удалите или отключите один.',
    },
  },
  actions: {
    retry: 'Повторить',
    'try-now': 'Попробовать сейчас',
    'go-on': 'Кредиты пополнены, продолжить',
    'enter-key': 'Ввести ключ',
    'change-key': 'Другой ключ',
    'recheck-key': 'Проверить снова',
    'change-address': 'Проверить адрес',
    'locate-file': 'Найти файл',
    'use-new-version': 'Взять новую версию (новое списание)',
    'send-again': 'Отправить снова (возможно списание)',
    'check-again': 'Проверить снова',
    'open-earlier': 'Открыть прежнюю',
    'save-raw-answer': 'Сохранить ответ как есть',
    remove: 'Убрать из списка',
    cancel: 'Отменить',
    'fix-input': 'Исправить',
    'choose-period': 'Выбрать период',
    'revoke-key': 'Отозвать ключ',
    'ask-again': 'Спросить снова (новое списание)',
    'attach-again': 'Вложить снова',
    'manage-attachments': 'Управлять вложениями',
    'manage-voices': 'Управлять голосами',
    'record-again': 'Записать снова',
    'new-text': 'Получить новый текст',
    'start-over': 'Начать заново',
    'send-as-file': 'Отправить как файл',
    'try-live-again': 'Снова вживую',
    'copy-details': 'Копировать подробности',
  },
  fallback: {
    title: 'Что-то пошло не так',
    text: 'Произошла ошибка, для которой в этой версии нет слов. Ничего не удалено. Если нужна помощь, скопируйте подробности.',
  },
};
