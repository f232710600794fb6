import { exporters } from '../../shared/domain/exports/exporters.ts';
import type { ExportFormat } from '../../shared/domain/exports/formats.ts';
import { checkSubtitles } from '../../shared/domain/exports/check-subtitles.ts';
import { writeBeginning } from '../../shared/domain/exports/write-export.ts';
import type { ShownExport } from '../../electron/services/exports/export-service.ts';
import { presets } from '../../shared/domain/subtitles/profiles.ts';
import { differenceOf } from '../../shared/domain/transcript/compare.ts';
import { estimatedWords } from '../../shared/domain/transcript/lean-transcript.ts';
import { packChange } from '../../shared/domain/transcript/packed.ts';
import type { Segment, Transcript } from '../../shared/domain/transcript/transcript.ts';
import type { TranscriptDetail } from '../../shared/ipc/schemas.ts';
import { detailOf, sampleTranscript } from '../page-editor/support/transcripts.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';

/** The one recording that is served to these states: `/media/<token>`. */
export const recordingToken = 'recording-0000000000000000';

export const interview = sampleTranscript('interview-uz');
const [first, ...rest] = interview.segments;
export const estimated: Transcript = {
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

const lecture = sampleTranscript('lecture-ru');
export const misspelt: Transcript = {
  ...lecture,
  segments: lecture.segments.map((segment) => reworded(segment, segment.text.replace('доказатель', 'доказател'))),
};

const whoSpeaks = ['MUXLISA', 'JAVOHIR', 'USTA RAHMATILLO', 'SHAHNOZA', 'OPERATOR', 'Diqqat', 'Eslatma'];
/** As it comes from a file of subtitles with names before the words. */
export const namedInText: Transcript = {
  ...interview,
  speakers: [],
  segments: interview.segments.map((segment, at) => ({
    ...reworded(segment, `${whoSpeaks[at % whoSpeaks.length] ?? ''}: ${segment.text}`),
    speakerId: null,
  })),
};

interface EditorPlan extends Partial<TranscriptDetail> {
  readonly settings?: Partial<StudioPlan['app']['settings']>;
  readonly failures?: StudioPlan['failures'];
  /** What the preview of an export shows. */
  readonly shown?: ShownExport;
}

const facts = {
  title: 'Kulolchilik ustasi bilan suhbat',
  madeAtMs: Date.UTC(2026, 10, 22, 9),
  media: null,
  nameSpeaker: (_: string, at: number) => `Soʻzlovchi ${String(at)}`,
};
/** The result of the caption check, as main returns it. */
const found = checkSubtitles(exporters.srt, interview, {}, facts) ?? undefined;

/** The preview as main returns it. */
export function beginningOf(format: ExportFormat): ShownExport {
  const { document, isShortened } = writeBeginning(
    exporters[format],
    interview,
    { timestamps: 'paragraph' },
    facts,
    6_000,
  );
  return { ...document, isShortened } as ShownExport;
}

/** The editor with a transcript of the sample interview, changed as the state requires. */
export const planEditor = ({
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
      ...(found && { 'exports.check': found }),
      'exports.profiles': { profiles: [{ name: 'Bizning uslub', profile: presets.bbc }] },
      'exports.save': { savedAs: 'suhbat.srt', revealToken: 'reveal-1' },
    },
  });

const minute = 60_000;
const editedAtMs = Date.UTC(2026, 10, 22, 9, 22);

/** The first result beside a text in which words, a speaker and a paragraph were changed. */
export const comparing: StudioPlan = (() => {
  const plan = planEditor();
  const before: Transcript = {
    ...interview,
    segments: interview.segments.flatMap((segment, at): Segment[] => {
      if (at === 1) return [reworded(segment, segment.text.replace(/^\S+/u, 'Bitta'))];
      if (at === 3) return [{ ...segment, speakerId: interview.speakers[0]?.id ?? null }];
      return at === 5 ? [reworded(segment, `${segment.text} Hali, hali`)] : [segment];
    }),
  };
  const change = packChange(differenceOf(interview, before));
  // Since the last text that both had, one paragraph was changed on each side, and one on both.
  const agreed: Transcript = {
    ...interview,
    segments: interview.segments.map((segment, at) =>
      at === 1
        ? reworded(segment, segment.text.replace(/^\S+/u, 'Bir'))
        : at === 5
          ? (before.segments[5] ?? segment)
          : segment,
    ),
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
      'transcripts.version': { ofRevision: 31, change },
      'transcripts.atService': {
        ofRevision: 31,
        change,
        remoteRevision: 4,
        base: packChange(differenceOf(interview, agreed)),
      },
    },
  };
})();

/** The same text, changed in the account while it was edited here. */
export const changedInAccount: StudioPlan = {
  ...comparing,
  answers: { ...comparing.answers, 'transcripts.sync': { state: 'conflict', sentAtMs: editedAtMs, failure: null } },
};

/** A segment of which two words are recognized differently when it is listened to again. */
export const heardTwice: StudioPlan = (() => {
  const plan = planEditor();
  const words = (interview.segments[2]?.words ?? []).map(({ text, startMs, endMs }, at) => ({
    text: at === 1 ? 'roʻyandan' : at === 4 ? `${text} isparak` : text,
    startMs,
    endMs,
  }));
  return { ...plan, answers: { ...plan.answers, 'transcripts.listenAgain': { words } } };
})();

/** The same, where what is edited is saved. */
export const savingEdits = (plan: StudioPlan): StudioPlan => ({
  ...plan,
  answers: { ...plan.answers, 'transcripts.edit': { revision: 1 } },
});
