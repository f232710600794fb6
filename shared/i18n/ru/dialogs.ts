/** Words of what main shows by itself: system dialogs and the key window. */
export const dialogs = {
  key: {
    title: 'Введите API-ключ',
    label: 'API-ключ',
    hint: 'Он хранится в системном хранилище паролей, а если его нет, только до конца сеанса. Окно студии его не видит.',
    save: 'Сохранить',
    cancel: 'Отменить',
    show: 'Показать',
    hide: 'Скрыть',
    problems: {
      empty: 'Введите ключ.',
      spaces: 'Внутри ключа нет пробелов и переносов строк.',
      length: 'В ключе от 8 до 512 символов.',
      characters: 'В ключе только латинские буквы, цифры и знаки.',
    },
  },
  files: {
    addFiles: 'Добавить записи',
    addFolder: 'Добавить папку',
    recordings: 'Записи',
    allFiles: 'Все файлы',
    saveTranscript: 'Сохранить расшифровку',
    saveRawAnswer: 'Сохранить ответ сервиса',
    locateMedia: 'Найти запись',
  },
  quit: {
    still_one: '{{count}} запись ещё в пути.',
    still_few: '{{count}} записи ещё в пути.',
    still_many: '{{count}} записей ещё в пути.',
    still_other: '{{count}} записи ещё в пути.',
    detail: 'Ничего не потеряно: работа продолжится, когда вы снова откроете Ovoz Studio.',
    quit: 'Выйти',
    keep: 'Не выходить',
  },
  windowFailed: {
    message: 'Окно снова и снова закрывается с ошибкой',
    detail: 'Ваша работа цела. Закройте Ovoz Studio и откройте снова.',
  },
  close: 'ОК',
};
