import type { Page } from '@playwright/test';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import type { ExportFormat } from '../../shared/domain/exports/formats.ts';
import { writeBeginning } from '../../shared/domain/exports/write-export.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { ShownExport } from '../../electron/services/exports/export-service.ts';
import { differenceOf } from '../../shared/domain/transcript/compare.ts';
import { estimatedWords } from '../../shared/domain/transcript/lean-transcript.ts';
import { packChange } from '../../shared/domain/transcript/packed.ts';
import type { Segment, Transcript } from '../../shared/domain/transcript/transcript.ts';
import type { TranscriptDetail } from '../../shared/ipc/schemas.ts';
import { detailOf, sampleTranscript } from '../page-editor/support/transcripts.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';
import type { ScreenState } from './screens.ts';

/** The one recording that is served to these states: `/media/<token>`. */
export const recordingToken = 'recording-0000000000000000';

const location = '/transcripts/t1';
const interview = sampleTranscript('interview-uz');
const [first, ...rest] = interview.segments;
const estimated: Transcript = {
  ...interview,
  segments: [
    ...(first ? [{ ...first, words: first.words.map((word) => ({ ...word, isEstimated: true as const })) }] : []),
    ...rest,
  ],
};

const reworded = (segment: Segment, text: string): Segment => ({
  ...segment,
  text,
  words: estimatedWords({ ...segment, text }),
});

interface EditorPlan extends Partial<TranscriptDetail> {
  readonly settings?: Partial<StudioPlan['app']['settings']>;
  readonly failures?: StudioPlan['failures'];
  /** What the preview of an export shows. */
  readonly shown?: ShownExport;
}

/** The preview as main makes it. */
function beginningOf(format: ExportFormat): ShownExport {
  const facts = {
    title: 'Kulolchilik ustasi bilan suhbat',
    date: '2026-11-22',
    media: null,
    nameSpeaker: (_: string, at: number) => `Soʻzlovchi ${String(at)}`,
  };
  const { document, isCut } = writeBeginning(exporters[format], interview, { timestamps: 'paragraph' }, facts, 6_000);
  return { ...document, isCut };
}

/** The editor with a transcript of the sample interview, changed as the state says. */
const planEditor = ({
  settings = {},
  failures = {},
  shown = beginningOf('srt'),
  ...change
}: EditorPlan = {}): StudioPlan =>
  planStudio({
    settings,
    failures,
    answers: {
      'transcripts.open': detailOf(interview, recordingToken, change),
      'exports.render': shown,
      'exports.save': { savedAs: 'suhbat.srt', revealToken: 'reveal-1' },
    },
  });

const minute = 60_000;
const editedAtMs = Date.UTC(2026, 10, 22, 9, 22);

/** The first result beside a text in which words, a speaker and a paragraph were changed. */
const comparing: StudioPlan = (() => {
  const plan = planEditor();
  const before: Transcript = {
    ...interview,
    segments: interview.segments.flatMap((segment, at): Segment[] => {
      if (at === 1) return [reworded(segment, segment.text.replace(/^\S+/u, 'Bitta'))];
      if (at === 3) return [{ ...segment, speakerId: interview.speakers[0]?.id ?? null }];
      return at === 5 ? [reworded(segment, `${segment.text} Hali, hali`)] : [segment];
    }),
  };
  const version = (revision: number, kind: 'named' | 'before' | 'session', agoMs: number) => ({
    revision,
    kind,
    atMs: editedAtMs - agoMs,
    name: kind === 'named' ? 'Checked up to 20:00' : null,
    label: kind === 'before' ? 'replace-all' : null,
    editCount: revision,
  });
  return {
    ...plan,
    answers: {
      ...plan.answers,
      'transcripts.versions': {
        versions: [
          { revision: 31, kind: 'now', atMs: editedAtMs, name: null, label: null, editCount: 14 },
          version(17, 'before', 17 * minute),
          version(12, 'named', 184 * minute),
          version(6, 'session', 1_440 * minute),
          { revision: 0, kind: 'service', atMs: null, name: null, label: null, editCount: 0 },
        ],
      },
      'transcripts.version': { ofRevision: 31, change: packChange(differenceOf(interview, before)) },
    },
  };
})();

const savingEdits = (plan: StudioPlan): StudioPlan => ({
  ...plan,
  answers: { ...plan.answers, 'transcripts.edit': { revision: 1 } },
});
const hear = (page: Page) => page.locator('[data-peaks="ready"]').waitFor();
const pressSave = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /^Save as/ })
    .click();
const openExport = async (page: Page) => {
  await hear(page);
  await page.keyboard.press('Control+KeyE');
  await page.getByRole('dialog').getByRole('region').waitFor();
};

/** One transcript: with its sound and without, opened and not, and what is saved from it. */
export const editorStates: readonly ScreenState[] = [
  {
    name: 'editor',
    location,
    plan: planEditor(),
    reach: hear,
    proof: (page) => page.locator('[data-peaks="ready"]'),
  },
  {
    name: 'editor: a version beside the text as it is',
    location,
    plan: comparing,
    reach: async (page) => {
      await hear(page);
      await page.keyboard.press('Control+Shift+KeyH');
      await page.locator('del').first().waitFor();
    },
    proof: (page) => page.locator('ins').first(),
  },
  {
    name: 'editor: practice, estimated words, other letters, title being written',
    location,
    plan: planEditor({ transcript: estimated, isPractice: true, settings: { transcriptScript: 'cyrillic' } }),
    reach: async (page) => {
      await hear(page);
      await page.locator('h1 button').click();
      await page.locator('header input, main input[maxlength]').first().waitFor();
    },
    proof: (page) => page.getByText('Ассалому алайкум, уста!').first(),
  },
  {
    name: 'editor: the recording is gone and was not found',
    location,
    plan: planEditor({
      mediaUrl: null,
      mediaToken: null,
      mediaFailure: makeFailure('E-010', { params: { name: 'suhbat.mp3' } }),
      failures: { 'transcripts.locateMedia': makeFailure('E-010', { params: { name: 'suhbat.mp3' } }) },
    }),
    reach: async (page) => {
      await page.getByRole('button', { name: 'Locate the recording' }).click();
      await page.getByText('suhbat.mp3').waitFor();
    },
    proof: (page) => page.getByText('suhbat.mp3'),
  },
  {
    name: 'editor: the sound of the video was removed',
    location,
    plan: planEditor({
      mediaUrl: null,
      mediaToken: null,
      mediaFailure: makeFailure('E-010', { code: 'sound_removed', params: { name: 'suhbat.mp3' } }),
    }),
    proof: (page) => page.getByRole('status').filter({ has: page.getByRole('button') }),
  },
  {
    name: 'editor: how fast it is played',
    location,
    plan: planEditor(),
    reach: async (page) => {
      await hear(page);
      await page.getByRole('button', { name: /speed/i }).click();
    },
    proof: (page) => page.getByRole('menuitemradio', { checked: true }),
  },
  {
    name: 'editor: how loud it is played',
    location,
    plan: planEditor(),
    reach: async (page) => {
      await hear(page);
      await page.getByRole('button', { name: /volume/i }).click();
    },
    proof: (page) => page.getByRole('dialog').getByRole('slider'),
  },
  {
    name: 'editor: no speech was heard',
    location,
    plan: planEditor({ transcript: { ...interview, segments: [], speakers: [] } }),
    reach: hear,
    proof: (page) => page.locator('main h2').first(),
  },
  {
    name: 'editor: could not be opened',
    location,
    plan: planEditor({ failures: { 'transcripts.open': makeFailure('E-182') } }),
    reach: (page) => page.locator('main section button').waitFor(),
    proof: (page) => page.locator('main section button'),
  },
  {
    name: 'editor: too long to be shown, saved as a file',
    location,
    plan: planEditor({ failures: { 'transcripts.open': makeFailure('E-211', { code: 'transcript_too_long' }) } }),
    reach: async (page) => {
      await page.getByRole('button', { name: /\.srt/ }).click();
      await page.getByText('suhbat.srt').waitFor();
    },
    proof: (page) => page.getByText('suhbat.srt'),
  },
  {
    name: 'editor: found words, and a word that was written into the text',
    location,
    plan: savingEdits(planEditor()),
    reach: async (page) => {
      await hear(page);
      await page.locator('[data-text]').nth(1).click();
      await page.keyboard.press('End');
      await page.keyboard.type(' va yangi soʻz');
      await page.keyboard.press('Control+f');
      await page.getByRole('searchbox').fill('yangi');
      await page.locator('[role="tabpanel"] mark').first().waitFor();
      await page.keyboard.press('Enter');
    },
    proof: (page) => page.locator('[role="tabpanel"] mark').first(),
  },
  {
    name: 'editor: without its inspector',
    location,
    plan: planEditor({ settings: { isInspectorOpen: false, isRailOpen: false } }),
    reach: hear,
    proof: (page) => page.locator('[data-peaks="ready"]'),
  },
  {
    name: 'export, saved',
    location,
    plan: planEditor(),
    reach: async (page) => {
      await openExport(page);
      await pressSave(page);
      await page.getByRole('dialog').getByText('suhbat.srt').waitFor();
    },
    proof: (page) => page.getByRole('dialog').getByText('suhbat.srt'),
  },
  {
    name: 'export, a Word document',
    location,
    plan: planEditor({ settings: { lastExportFormat: 'docx' }, shown: beginningOf('docx') }),
    reach: openExport,
    proof: (page) => page.getByRole('dialog').getByRole('article'),
  },
  {
    name: 'export, refused',
    location,
    plan: planEditor({
      failures: {
        'exports.save': makeFailure('E-214', { code: 'export_not_writable', params: { name: 'suhbat.srt' } }),
      },
    }),
    reach: async (page) => {
      await openExport(page);
      await pressSave(page);
      await page.getByRole('dialog').getByRole('alert').waitFor();
    },
    proof: (page) => page.getByRole('dialog').getByRole('alert'),
  },
];
