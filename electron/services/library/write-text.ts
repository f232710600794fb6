import { toTranscript, type TranscriptFacts } from '../../../shared/domain/transcript/from-received.ts';
import { toLean } from '../../../shared/domain/transcript/lean-transcript.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import type { WrittenText } from './store.ts';

/** A transcript as it goes to the disk. */
export const writeText = (transcript: Transcript): WrittenText => ({
  language: transcript.language,
  durationMs: transcript.durationMs,
  speakers: transcript.speakers,
  wordCount: transcript.segments.reduce((sum, { words }) => sum + words.length, 0),
  body: JSON.stringify(toLean(transcript)),
});

/** A received transcript in stored form. */
export const writeReceived = (received: ReceivedTranscript, facts: TranscriptFacts): WrittenText =>
  writeText(toTranscript(received, facts));
