/** Work that is going on, seen from every screen. */
export const jobs = {
  title: 'Jobs',
  none: 'Nothing is running',
  noneText: 'Files on their way and files that need you are listed here.',
  attention_one: '{{count}} job needs you',
  attention_other: '{{count}} jobs need you',
  cardLabel: '{{title}}, {{percent}} sent',
  sendingLeft: 'about {{time}} of sending left',
  more_one: '{{count}} more in the queue',
  more_other: '{{count}} more in the queue',
  openQueue: 'Open the queue',
  cancel: 'Cancel {{name}}',
  retry: 'Retry {{name}}',
  open: 'Open {{name}}',
};
