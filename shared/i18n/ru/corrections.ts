/** Why the file of corrections was not taken, and what it changes. */
export const corrections = {
  complaint: 'строка {{line}}, {{at}}: {{why}}',
  refused: 'Файл corrections.json не принят; программа работает без него',
  taken: 'Действуют исправления: {{places}}.',
  problems: {
    'not-json': 'это не JSON',
    'repeated-name': 'это имя стоит дважды',
    'too-deep': 'слишком много вложенных скобок',
    'too-large': 'файл больше 256 КиБ',
    unreadable: 'файл нельзя прочитать',
    'not-an-object': 'здесь должны быть имена и значения в { }',
    'no-format': 'нет "format": 1',
    'newer-format': 'этот файл записан более новой версией программы',
    'unknown-name': 'такого имени нет',
    'is-documented': 'это определено документом сервиса и не меняется',
    'not-a-path': 'здесь должен быть путь вида /v1/имя, без узла',
    'other-places': 'в пути должны быть те же места в { }, что и в прежнем',
    'not-a-name': 'здесь должно быть имя из латинских букв, цифр и _',
  },
};
