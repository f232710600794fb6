import type { Transcript } from '../transcript/transcript.ts';
import { cutSpans, mutedSpans, spansOutside } from '../transcript/edit-marks.ts';
import type { AudioExtension } from '../media/audio-plan.ts';
import {
  choice,
  covers,
  time,
  type ExportDocument,
  type Exporter,
  type HeardSpan,
  type OptionsOf,
  type AudioCover,
} from './exporter.ts';
import { keptSpans } from './prepare.ts';

/** The part of the recording to export; an end of 0 means the end of the recording. */
const wholeOptions = {
  fromMs: time(),
  toMs: time(),
  channels: choice(['same', 'mono']),
  redactedAudio: choice(['cut', ...covers]),
};
const packedOptions = { ...wholeOptions, bitRate: choice(['usual', '64', '96', '128', '192', '256']) };

/**
 * Ordered and disjoint; the last part ends far beyond a whole recording, whose length is known only roughly. What is
 * redacted is left out or covered; what is cut is always left out.
 */
export function heardSpans(
  transcript: Transcript,
  fromMs: number,
  toMs: number,
  redacted: 'cut' | AudioCover = 'cut',
): readonly HeardSpan[] {
  const end = toMs > fromMs ? toMs : Number.MAX_SAFE_INTEGER;
  const muted = mutedSpans(transcript);
  const heard: readonly HeardSpan[] = keptSpans(transcript.durationMs, muted);
  const cut = redacted === 'cut' ? [] : cutSpans(transcript);
  const covered =
    redacted === 'cut'
      ? []
      : muted.flatMap((span) => spansOutside(span, cut)).map((span): HeardSpan => ({ ...span, cover: redacted }));
  return [...heard, ...covered]
    .toSorted((a, b) => a.startMs - b.startMs)
    .flatMap((span) => {
      const startMs = Math.max(span.startMs, fromMs);
      const endMs = Math.min(span.endMs >= transcript.durationMs ? Number.MAX_SAFE_INTEGER : span.endMs, end);
      return endMs > startMs ? [{ ...span, startMs, endMs }] : [];
    });
}

function written(
  transcript: Transcript,
  { fromMs, toMs, channels, redactedAudio }: OptionsOf<typeof wholeOptions>,
  bitRate: number | null,
): ExportDocument {
  const { durationMs } = transcript;
  const spans = heardSpans(transcript, fromMs, toMs, redactedAudio);
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
