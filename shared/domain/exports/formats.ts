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

/** Containers whose pictures are copied as they are into a video with other audio. */
export const videoFormats = ['mp4', 'mov', 'mkv', 'webm'] as const;

export const exportFormats = [...textFormats, ...audioFormats, ...videoFormats] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** What few choose; the others are of every group that has readers. */
export const seldomFormats: ReadonlySet<ExportFormat> = new Set([
  ...(['vtt-words', 'ass', 'ttml', 'lrc', 'md', 'html', 'csv', 'tsv', 'edl', 'fcpxml', 'otio'] as const),
  ...(['flac', 'm4a', 'ogg'] as const),
]);

export type VideoFormat = (typeof videoFormats)[number];
/** What is cut out of the recording itself, which takes time. */
export type CutFormat = (typeof audioFormats)[number] | VideoFormat;

export const isVideoFormat = (format: ExportFormat): format is VideoFormat =>
  (videoFormats as readonly ExportFormat[]).includes(format);

export const isCutFormat = (format: ExportFormat): format is CutFormat =>
  isVideoFormat(format) || (audioFormats as readonly ExportFormat[]).includes(format);
