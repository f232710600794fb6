/** Text formats, in the order they are offered; `exporters` defines what each of them writes. */
export const textFormats = [
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

export const audioFormats = ['wav', 'flac', 'mp3', 'm4a', 'ogg'] as const;

export const exportFormats = [...textFormats, ...audioFormats] as const;

export type ExportFormat = (typeof exportFormats)[number];
export type AudioFormat = (typeof audioFormats)[number];

export const isAudioFormat = (format: ExportFormat): format is AudioFormat =>
  (audioFormats as readonly ExportFormat[]).includes(format);
