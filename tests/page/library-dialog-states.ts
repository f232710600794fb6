/** What an import of captions and of another program's JSON changed. */
const manyLines = Array.from({ length: 20 }, (_, at) => at + 40);
const uncounted = { captions: [], changes: [] };
export const changedByImport = {
  imported: [
    {
      transcriptId: 't1',
      name: 'faulty.vtt',
      language: 'en' as const,
      isLanguageOpen: true,
      report: {
        changedCount: 31,
        countedIn: 'lines' as const,
        kinds: [
          { kind: 'unreadable' as const, count: 1, places: [9], ...uncounted },
          {
            kind: 'end' as const,
            count: 2,
            places: [13, 17],
            captions: [3, 4],
            changes: [
              { before: { startMs: 8000, endMs: 12_500 }, after: { startMs: 8000, endMs: 12_400 } },
              { before: { startMs: 12_400, endMs: 16_000 }, after: { startMs: 12_400, endMs: 15_000 } },
            ],
          },
          { kind: 'marks' as const, count: 26, places: manyLines, ...uncounted },
          { kind: 'position' as const, count: 2, places: [21, 25], captions: [5, 6], changes: [] },
        ],
      },
    },
    {
      transcriptId: 't2',
      name: 'meeting.json',
      language: 'en' as const,
      isLanguageOpen: false,
      report: {
        changedCount: 3,
        countedIn: 'segments' as const,
        kinds: [
          { kind: 'empty' as const, count: 1, places: [4], ...uncounted },
          { kind: 'untimed' as const, count: 2, places: [5, 8], ...uncounted },
        ],
      },
    },
  ],
  refused: [],
  repeated: [],
};
