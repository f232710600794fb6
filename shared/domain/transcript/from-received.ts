import type { SpeechLanguage } from '../languages.ts';
import { alignWords } from './align-words.ts';
import { timeSegments, type TimedSegment } from './time-segments.ts';
import { cleanSpokenText, cleanTypedText, splitIntoPieces } from './spoken-text.ts';
import type { ReceivedSegment, ReceivedTranscript } from './received.ts';
import type { Segment, Speaker, Transcript } from './transcript.ts';

export interface TranscriptFacts {
  readonly language: SpeechLanguage;
  /** Length of the recording as measured here, milliseconds; takes precedence over the service's value. */
  readonly durationMs?: number | null;
  /** The line breaks of segments were made by people, as those of subtitles, and stay. */
  readonly keepsLines?: boolean;
}

/**
 * Makes the editor's transcript from what a tolerant reader found. Deterministic: the same input gives the same ids
 * (`s1`, `p1`). Missing times are spread by length of text and marked as estimated; speakers come in order of
 * appearance; a text without segments is cut into pieces of a few sentences.
 */
export function toTranscript(received: ReceivedTranscript, facts: TranscriptFacts): Transcript {
  const pieces = piecesOf(received, facts.keepsLines === true ? cleanTypedText : cleanSpokenText);
  const statedMs = facts.durationMs ?? received.durationMs ?? null;
  const { segments: timed, durationMs } = timeSegments(pieces, statedMs);
  const speakers = speakersOf(timed);
  return {
    language: facts.language,
    durationMs,
    speakers: [...speakers.values()],
    segments: timed.map((segment, at) => toSegment(segment, at + 1, speakers)),
  };
}

function piecesOf(received: ReceivedTranscript, clean: (text: string) => string): readonly ReceivedSegment[] {
  const segments = received.segments
    .map((segment) => cleanSegment(segment, clean))
    .filter((segment) => segment.text !== '');
  if (segments.length > 0) return segments;
  return splitIntoPieces(received.text).map((text) => ({ text, words: [] }));
}

function cleanSegment({ speaker, ...segment }: ReceivedSegment, clean: (text: string) => string): ReceivedSegment {
  const label = cleanSpokenText(speaker ?? '');
  return { ...segment, text: clean(receivedText(segment)), ...(label === '' ? {} : { speaker: label }) };
}

/** What a segment says; some services give only its words. */
export const receivedText = (segment: ReceivedSegment): string =>
  segment.text.trim() === '' ? segment.words.map((word) => word.text).join(' ') : segment.text;

function speakersOf(segments: readonly TimedSegment[]): ReadonlyMap<string, Speaker> {
  const speakers = new Map<string, Speaker>();
  for (const { speaker } of segments) {
    if (speaker !== undefined && !speakers.has(speaker)) {
      speakers.set(speaker, { id: `p${speakers.size + 1}`, name: null });
    }
  }
  return speakers;
}

function toSegment(segment: TimedSegment, number: number, speakers: ReadonlyMap<string, Speaker>): Segment {
  const { startMs, endMs, text } = segment;
  const id = `s${number}`;
  const words = alignWords(text, segment.words, startMs, endMs);
  return {
    id,
    speakerId: speakers.get(segment.speaker ?? '')?.id ?? null,
    startMs,
    endMs,
    text,
    words,
  };
}
