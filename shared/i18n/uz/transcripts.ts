/** The list of all transcripts of a library, in which one is found to be opened or deleted. */
export const transcripts = {
  title: 'Barcha matnlar',
  find: 'Matnni topish',
  none: 'Matnlar yoʻq.',
  nothingFound: 'Bunday soʻz hech bir sarlavha yoki fayl nomida yoʻq.',
  list: 'Matnlar',
  open: 'Ochish',
  openOne: 'Ochish: {{title}}',
  more_one: 'va yana {{count}} ta: soʻrovni aniqlashtiring',
  more_other: 'va yana {{count}} ta: soʻrovni aniqlashtiring',
};
