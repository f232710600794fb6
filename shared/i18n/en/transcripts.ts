/** The list of all transcripts of a library, in which one is found to be opened or deleted. */
export const transcripts = {
  title: 'All transcripts',
  find: 'Find a transcript',
  none: 'There are no transcripts.',
  nothingFound: 'These words are in no title and no file name.',
  list: 'Transcripts',
  open: 'Open',
  openOne: 'Open: {{title}}',
  more_one: 'and {{count}} more: type to narrow them down',
  more_other: 'and {{count}} more: type to narrow them down',
};
