import type { Transcript } from '../transcript/transcript.ts';
import { unheardSpans } from '../transcript/unheard-spans.ts';
import { cleanLine } from './format-text.ts';
import { hasSeveralSpeakers, type ExportFacts } from './export-facts.ts';
import { keptSpans } from './prepare.ts';
import { choice, time, type OptionsOf } from './options.ts';
import { frameRateOf, frameRates, toFrames, type FrameRate } from './timecode.ts';

/** Formats for video editing programs. */
export const clipOptions = {
  clips: choice(['kept', 'turns']),
  frameRate: choice(frameRates, '25'),
  offsetMs: time(),
};

/** A part of the recording, in frames: starts at `source` in the recording and at `record` in the result. */
export interface Clip {
  readonly source: number;
  readonly record: number;
  readonly length: number;
  readonly label: string;
  readonly markers: readonly { readonly at: number; readonly length: number; readonly text: string }[];
}

interface ClipList {
  readonly rate: FrameRate;
  readonly clips: readonly Clip[];
  /** Of the whole recording and of the result, in frames. */
  readonly sourceLength: number;
  readonly recordLength: number;
  readonly offset: number;
  /** What the recording is called. */
  readonly mediaName: string;
  readonly mediaUrl: string;
  readonly hasVideo: boolean;
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
  readonly label: string;
}

/** The kept parts of the recording, placed one after another without the gaps. */
export function toClips(transcript: Transcript, facts: ExportFacts, options: OptionsOf<typeof clipOptions>): ClipList {
  const rate = frameRateOf(options.frameRate);
  const isNamed = hasSeveralSpeakers(transcript);
  const labelOf = (speakerId: string | null, text: string) =>
    cleanLine(`${isNamed && speakerId !== null ? `${facts.speakerName(speakerId)}: ` : ''}${text}`);
  const said = transcript.segments
    .filter(({ text }) => cleanLine(text) !== '')
    .map(({ speakerId, startMs, endMs, text }) => ({ startMs, endMs, label: labelOf(speakerId, text) }));
  const sourceLength = toFrames(transcript.durationMs, rate);
  const kept = keptSpans(transcript.durationMs, unheardSpans(transcript));
  const spans: readonly Span[] =
    options.clips === 'turns'
      ? said.flatMap(({ startMs, endMs, label }) =>
          kept
            .filter((span) => span.endMs > startMs && span.startMs < endMs)
            .map((span) => ({ startMs: Math.max(span.startMs, startMs), endMs: Math.min(span.endMs, endMs), label })),
        )
      : kept.map((span) => ({ ...span, label: cleanLine(facts.title) }));
  let record = 0;
  let last = 0;
  const clips: Clip[] = [];
  for (const { startMs, endMs, label } of spans) {
    // Overlapping turns must not play a moment twice.
    const source = Math.max(last, Math.min(sourceLength, toFrames(startMs, rate)));
    const length = Math.min(sourceLength, toFrames(endMs, rate)) - source;
    if (length <= 0) continue;
    const markers = said
      .map((item) => ({ at: toFrames(item.startMs, rate), end: toFrames(item.endMs, rate), text: item.label }))
      .filter(({ at }) => options.clips === 'kept' && at >= source && at < source + length)
      .map(({ at, end, text }) => ({ at, length: Math.max(1, Math.min(end, source + length) - at), text }));
    clips.push({ source, record, length, label, markers });
    record += length;
    last = source + length;
  }
  const mediaName = cleanLine(facts.media?.name ?? facts.title);
  return {
    rate,
    clips,
    sourceLength,
    recordLength: record,
    offset: toFrames(options.offsetMs, rate),
    mediaName,
    mediaUrl: facts.media?.url ?? encodeURIComponent(mediaName),
    hasVideo: /\.(?:mp4|mov|mkv|webm|avi|m4v)$/iu.test(mediaName),
  };
}
