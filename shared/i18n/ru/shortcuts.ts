/** The list of all keys. */
export const shortcuts = {
  title: 'Сочетания клавиш',
  find: 'Найти сочетание',
  change: 'Изменить сочетания',
  none: 'Нет сочетания «{{query}}».',
  groups: {
    playback: 'Воспроизведение',
    transcript: 'Расшифровка',
    files: 'Файлы и очередь',
    everywhere: 'Везде',
    view: 'Вид',
  },
  note: 'В расшифровке Tab воспроизводит и ставит на паузу, F6 выводит из неё. В остальных местах Tab переводит фокус.',
};
