/** The names of all formats, in the order they are offered; `exporters` has what each of them writes. */
export const exportFormats = [
  'srt',
  'vtt',
  'vtt-words',
  'ass',
  'ttml',
  'lrc',
  'docx',
  'pdf',
  'txt',
  'md',
  'html',
  'json',
  'csv',
  'tsv',
  'edl',
  'fcpxml',
  'otio',
] as const;

/** The name of a format, as the terminal and the menu use it. */
export type ExportFormat = (typeof exportFormats)[number];
