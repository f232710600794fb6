import type { ListedTranscript } from '../../renderer/bridge/types.ts';

/** A transcript as main lists it. */
export const listedTranscript = (id: string, more: Partial<ListedTranscript> = {}): ListedTranscript => ({
  id,
  title: `Suhbat ${id}`,
  sourceName: 'suhbat.mp3',
  createdAtMs: Date.UTC(2026, 10, 20, 9),
  openedAtMs: null,
  isAtService: true,
  language: 'uz',
  wordCount: 812,
  durationMs: 40_000,
  hasRecording: true,
  credits: '4.2',
  ...more,
});

/** The answer of main with transcripts of these ids. */
export const listOf = (...ids: readonly string[]) => ({
  'transcripts.list': { transcripts: ids.map((id) => listedTranscript(id)) },
});
