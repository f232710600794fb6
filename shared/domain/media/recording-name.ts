/** File types of recordings; a chosen file is judged by content, whatever its name. */
export const recordingExtensions = [
  'wav',
  'mp3',
  'm4a',
  'mp4',
  'aac',
  'ogg',
  'oga',
  'opus',
  'webm',
  'flac',
  'mkv',
  'mov',
  'm4v',
  'avi',
  'ts',
  'mts',
  'amr',
  '3gp',
  'wma',
  'wmv',
  'asf',
];

/** Whether a file is a recording, by its name: a system does not know the type of all of them. */
export const isRecordingName = (name: string): boolean =>
  recordingExtensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`));
