import { heardSpans } from './audio-formats.ts';
import { choice, covers, time, type Exporter } from './exporter.ts';
import type { VideoFormat } from './formats.ts';

const options = { fromMs: time(), toMs: time(), redactedAudio: choice(['cut', ...covers]) };

const video = <const Id extends VideoFormat>(id: Id, mediaType: string): Exporter<Id, typeof options> => ({
  id,
  extension: `.${id}`,
  mediaType,
  group: 'video',
  options,
  write: (transcript, { redacted }, { fromMs, toMs, redactedAudio }) => ({
    kind: 'video',
    durationMs: transcript.durationMs,
    spans: heardSpans(transcript, fromMs, toMs, redactedAudio),
    covered: redacted.map((span) => ({ ...span, cover: redactedAudio === 'cut' ? 'silence' : redactedAudio })),
  }),
});

export const mp4 = video('mp4', 'video/mp4');
export const mov = video('mov', 'video/quicktime');
export const mkv = video('mkv', 'video/x-matroska');
export const webm = video('webm', 'video/webm');
