/** The menu of the app in the tray of the system. */
export const tray = {
  nothing: 'Очередь пуста',
  held: 'Всё приостановлено',
  atService: 'у сервиса',
  preparing: 'готовится',
  more_one: 'и ещё {{count}}',
  more_few: 'и ещё {{count}}',
  more_many: 'и ещё {{count}}',
  more_other: 'и ещё {{count}}',
  pause: 'Приостановить всё',
  goOn: 'Продолжить всё',
  absent: 'В этой системе у программы нет значка в трее: ход работы, пауза и выход есть в этом окне.',
  open: 'Открыть Ovoz Studio',
};
