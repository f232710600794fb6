import type { Filed, LibraryItem, LibraryKind } from '../../shared/domain/library/library-item.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';

const hourMs = 3_600_000;
/** The end of today, so that what is a few hours old is always from today. */
const lateMs = new Date().setHours(23, 59, 0, 0);

/** An item of the library, made this many hours ago. */
export const someItem = (
  id: string,
  title: string,
  hoursAgo: number,
  more: Partial<LibraryItem & Filed> = {},
): LibraryItem & Filed => ({
  kind: 'transcript' as LibraryKind,
  id,
  title,
  sourceName: `${id}.mp3`,
  language: 'uz',
  createdAtMs: lateMs - hoursAgo * hourMs,
  durationMs: 2_832_000,
  speakers: [null, null],
  sizeBytes: 94_000_000,
  credits: null,
  characters: null,
  states: [],
  isAtService: true,
  trashedAtMs: null,
  folderId: null,
  tagIds: [],
  ...more,
});

export const someItems = [
  someItem('t1', 'Chorsu bozori, ertalabki suhbat', 2, { folderId: 'f1', tagIds: ['g2'], durationMs: 1_104_000 }),
  someItem('d1', 'Haftalik hisobot', 3, { kind: 'dictation', speakers: [], durationMs: 760_000 }),
  someItem('t2', 'Интервью с реставратором тканей', 26, {
    language: 'ru',
    folderId: 'f1',
    speakers: ['Дилноза', null],
    durationMs: 2_300_000,
  }),
  someItem('t3', 'Interview with a ceramicist', 30, {
    language: 'en',
    states: ['unedited', 'no-recording'],
    sizeBytes: null,
    isAtService: false,
  }),
  someItem('c1', 'Boʻyoq nimadan olinadi?', 31, {
    kind: 'conversation',
    language: null,
    speakers: [],
    sourceName: '',
    durationMs: null,
    sizeBytes: null,
    isAtService: null,
  }),
  someItem('t4', 'Margʻilon: adras ustasi bilan suhbat', 52, {
    folderId: 'f1',
    speakers: ['Dilnoza Karimova', 'Rahmatillo Abdurahmonov, adras va atlas toʻquvchi usta', 'Zulfiya opa'],
  }),
  someItem('t5', 'Buxoro gilamlari, 3-qism', 400, {
    durationMs: 3_873_000,
    tagIds: ['g1', 'g2'],
    sourceName: 'isparaq anor boʻyoq.mp3',
  }),
  someItem('t6', 'Eski suhbat', 500, { trashedAtMs: lateMs - 30 * hourMs }),
];
export const someTags = [
  { id: 'g1', name: 'Gilam' },
  { id: 'g2', name: 'Tekshirish kerak' },
];
export const someFolders = [
  { id: 'f1', name: 'Hunarmandlar', parentId: null },
  { id: 'f2', name: 'Sud ishlari', parentId: null },
  { id: 'f3', name: 'Gilamlar', parentId: 'f1' },
];

const found = {
  items: [
    {
      kind: 'transcript' as const,
      id: 't4',
      titleRanges: [],
      moments: [
        {
          startMs: 140_000,
          text: '…naqsh chiziladi, bogʻlanadi va boʻyaladi. Boʻyoqni biz hali ham anor poʻstidan olamiz.',
          ranges: [
            [43, 49],
            [65, 69],
          ] as [number, number][],
        },
        { startMs: 148_000, text: 'Zavod boʻyogʻi arzonroq emasmi?', ranges: [[6, 14]] as [number, number][] },
      ],
      momentCount: 5,
    },
    {
      kind: 'transcript' as const,
      id: 't5',
      titleRanges: [],
      moments: [
        { startMs: 1_132_000, text: '…toʻq qizil boʻyoq uchun roʻyan.', ranges: [[12, 18]] as [number, number][] },
      ],
      momentCount: 1,
    },
    {
      kind: 'conversation' as const,
      id: 'c1',
      titleRanges: [[0, 6]] as [number, number][],
      moments: [{ startMs: 1, text: 'Anor poʻstidan boʻyoq olinadi.', ranges: [[15, 21]] as [number, number][] }],
      momentCount: 1,
    },
  ],
  momentCount: 7,
  itemCount: 3,
  keys: ['transcript:t4', 'transcript:t5', 'conversation:c1'],
  isPartial: false,
  nearest: null,
};
export const libraryPlan = (answers: StudioPlan['answers'] = {}) =>
  planStudio({
    answers: {
      'library.list': { items: someItems, folders: someFolders, tags: someTags },
      'library.search': found,
      'library.read': {
        moments: [
          { startMs: 0, text: 'Assalomu alaykum! Bugun Margʻilonda, adras ustasi Rahmatillo akaning uyidamiz.' },
          { startMs: 9_000, text: 'Vaalaykum assalom, xush kelibsiz. Naqsh chiziladi, bogʻlanadi va keyin boʻyaladi.' },
          { startMs: 21_000, text: 'Boʻyoqni biz hali ham anor poʻstidan, roʻyandan va isparakdan olamiz.' },
          { startMs: 30_000, text: 'Zavod boʻyogʻi arzonroq emasmi?' },
          { startMs: 34_000, text: 'Arzon, lekin tez oʻchadi; tabiiysi esa yillar oʻtgani sari chiroyliroq boʻladi.' },
        ],
      },
      ...answers,
    },
  });
