import type { TimeSpan, Transcript } from '../transcript/transcript.ts';
import { mutedSpans } from '../transcript/edit-marks.ts';
import type { AudioExtension } from '../media/audio-plan.ts';
import { choice, time, type ExportDocument, type Exporter, type OptionsOf } from './exporter.ts';
import { keptSpans } from './prepare.ts';

/** The part of the recording to export; an end of 0 means the end of the recording. */
const wholeOptions = { fromMs: time(), toMs: time(), channels: choice(['same', 'mono']) };
const packedOptions = { ...wholeOptions, bitRate: choice(['usual', '64', '96', '128', '192', '256']) };

/** Ordered and disjoint; the last part ends far beyond a whole recording, whose length is known only roughly. */
export function heardSpans(transcript: Transcript, fromMs: number, toMs: number): readonly TimeSpan[] {
  const end = toMs > fromMs ? toMs : Number.MAX_SAFE_INTEGER;
  return keptSpans(transcript.durationMs, mutedSpans(transcript)).flatMap((span) => {
    const startMs = Math.max(span.startMs, fromMs);
    const endMs = Math.min(span.endMs >= transcript.durationMs ? Number.MAX_SAFE_INTEGER : span.endMs, end);
    return endMs > startMs ? [{ startMs, endMs }] : [];
  });
}

function written(
  transcript: Transcript,
  { fromMs, toMs, channels }: OptionsOf<typeof wholeOptions>,
  bitRate: number | null,
): ExportDocument {
  const { durationMs } = transcript;
  const spans = heardSpans(transcript, fromMs, toMs);
  return { kind: 'audio', durationMs, spans, encoding: { bitRate, isMono: channels === 'mono' } };
}

const whole = <const Id extends AudioExtension>(id: Id, mediaType: string): Exporter<Id, typeof wholeOptions> => ({
  id,
  extension: `.${id}`,
  mediaType,
  group: 'audio',
  options: wholeOptions,
  write: (transcript, _facts, chosen) => written(transcript, chosen, null),
});
const packed = <const Id extends AudioExtension>(id: Id, mediaType: string): Exporter<Id, typeof packedOptions> => ({
  id,
  extension: `.${id}`,
  mediaType,
  group: 'audio',
  options: packedOptions,
  write: (transcript, _facts, chosen) =>
    written(transcript, chosen, chosen.bitRate === 'usual' ? null : Number(chosen.bitRate)),
});

export const wav = whole('wav', 'audio/wav');
export const flac = whole('flac', 'audio/flac');
export const mp3 = packed('mp3', 'audio/mpeg');
export const m4a = packed('m4a', 'audio/mp4');
export const ogg = packed('ogg', 'audio/ogg');
