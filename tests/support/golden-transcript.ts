import type { ReceivedTranscript } from '../../shared/domain/transcript/received.ts';

/** Two speakers with a segment each: the result of reading every shape of an answer. */
export const golden: ReceivedTranscript = {
  text: 'Salom, dunyo! Yaxshimisiz?',
  language: 'uz',
  durationMs: 4200,
  segments: [
    {
      text: 'Salom, dunyo!',
      startMs: 120,
      endMs: 1500,
      speaker: 'A',
      words: [
        { text: 'Salom,', startMs: 120, endMs: 700 },
        { text: 'dunyo!', startMs: 760, endMs: 1500 },
      ],
    },
    {
      text: 'Yaxshimisiz?',
      startMs: 2100,
      endMs: 4000,
      speaker: 'B',
      words: [{ text: 'Yaxshimisiz?', startMs: 2100, endMs: 4000 }],
    },
  ],
};
