/** The list of all transcripts of a library, in which one is found to be opened or deleted. */
export const transcripts = {
  title: 'Все расшифровки',
  find: 'Найти расшифровку',
  none: 'Расшифровок нет.',
  nothingFound: 'Таких слов нет ни в названиях, ни в именах файлов.',
  list: 'Расшифровки',
  open: 'Открыть',
  openOne: 'Открыть: {{title}}',
  more_one: 'и ещё {{count}}: уточните запрос',
  more_few: 'и ещё {{count}}: уточните запрос',
  more_many: 'и ещё {{count}}: уточните запрос',
  more_other: 'и ещё {{count}}: уточните запрос',
};
