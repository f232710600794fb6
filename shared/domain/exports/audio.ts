import type { TimeSpan, Transcript } from '../transcript/transcript.ts';
import type { SoundExtension } from '../media/sound-plan.ts';
import type { Exporter } from './exporter.ts';
import { time } from './options.ts';
import { keptSpans, unheardSpans } from './prepare.ts';

/** The part of the recording that is wanted; an end of 0 is that of the recording. */
const options = { fromMs: time(), toMs: time() };

/**
 * What is heard of the recording, in order and apart: without what was cut, struck or redacted. The last part ends far
 * behind the recording where that is wanted whole, because a transcript knows its length only about.
 */
export function heardSpans(transcript: Transcript, fromMs: number, toMs: number): readonly TimeSpan[] {
  const end = toMs > fromMs ? toMs : Number.MAX_SAFE_INTEGER;
  return keptSpans(transcript.durationMs, unheardSpans(transcript)).flatMap((span) => {
    const startMs = Math.max(span.startMs, fromMs);
    const endMs = Math.min(span.endMs >= transcript.durationMs ? Number.MAX_SAFE_INTEGER : span.endMs, end);
    return endMs > startMs ? [{ startMs, endMs }] : [];
  });
}

const audioExporter = <const Id extends SoundExtension>(id: Id, mediaType: string): Exporter<Id, typeof options> => ({
  id,
  extension: `.${id}`,
  mediaType,
  group: 'audio',
  options,
  write: (transcript, _facts, { fromMs, toMs }) => ({
    kind: 'audio',
    durationMs: transcript.durationMs,
    spans: heardSpans(transcript, fromMs, toMs),
  }),
});

export const wav = audioExporter('wav', 'audio/wav');
export const flac = audioExporter('flac', 'audio/flac');
export const mp3 = audioExporter('mp3', 'audio/mpeg');
export const m4a = audioExporter('m4a', 'audio/mp4');
export const ogg = audioExporter('ogg', 'audio/ogg');
