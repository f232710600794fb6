/** Set by `npm run test:long`, which runs everything, with more seeds, sizes and guises. */
export const isLongRun = process.env['OVOZ_LONG'] !== undefined;

/**
 * Left to `npm run test:long`, so that `npm test` stays short enough to be run before a commit. Each takes ten seconds
 * or more, and what it checks is also checked, less closely, by a file of every run, which is named beside it. A file
 * named on the command line is always run.
 */
const leftToLongRun: Readonly<Record<string, readonly string[]>> = {
  'every screen is looked at by page/looks, its main way is walked by the specs of the app': [
    'tests/page-editor/{editing,editing-tools,exact-times,lane,looks,long-text,other-letters,panes,peaks,range,sound-controls,spelling}.test.ts',
    'tests/page/{access,ask,compare-audio,dictation,dictation-overlay,dictation-phrases,find-transcript,first-run}.test.ts',
    'tests/page/{focus-return,isolate-keys,library,library-by-hand,nothing-lost}.test.ts',
    'tests/page/{palette,passing-layers,press-and-tips,queue-adding,queue-adding-left-out,queue-by-keyboard,queue-hand,recovery,shell-access,shell-layers}.test.ts',
    'tests/page/{settings-choices,settings-network,settings-search,settings-storage,speak-by-keyboard,speech-refusals}.test.ts',
    'tests/page/{stronger-contrast,undo-notice}.test.ts',
  ],
  'damaged libraries: integration/daily-copy, recovered-queue and storage-folder': [
    'tests/integration/{damaged-log,failing-disk,full-disk,salvage-library}.test.ts',
    'tests/cli/damaged-library.test.ts',
  ],
  'what is kept of voices and isolated audio: integration/isolate-killed, speech-takes and the specs': [
    'tests/integration/{clone-draft,isolated-audio-kept,recording-parts}.test.ts',
  ],
  'the terminal: cli/service-commands, transcribe, paid-once and tool-server': [
    'tests/cli/{check-models,dictate,export,kept-questions,tool-server-rights}.test.ts',
  ],
  'faults of the way to the service: integration/storm, queue-faults, transport-faults and simulation/worlds': [
    'tests/integration/{cut-lines,names-and-portals,odd-receipts,refused-on-the-way,secure-ways}.test.ts',
    'tests/cli/{odd-answers,service-away,transcribe-troubles}.test.ts',
    'tests/contract/{download-signed,live-storm}.test.ts',
  ],
  'kills: integration/kill-nine and isolate-killed, and recogniser/recogniser for what is known already': [
    'tests/integration/kill-at-commit.test.ts',
    'tests/recogniser/killed-at-work.test.ts',
  ],
  'where speech is heard: integration/dictation-take and shared/domain/dictation': [
    'renderer/audio/capture/speech-detector.test.ts',
  ],
  'sizes: shared/domain/exports and integration/job-queue': [
    'tests/integration/{exports-other-readers,great-drop,long-answers,long-exports,many-at-service,memory}.test.ts',
    'tests/contract/upload-memory.test.ts',
  ],
  'audio of videos and exports: integration/audio-formats and same-video-twice': [
    'tests/integration/{clean-up,cut-audio,video}.test.ts',
  ],
  'the practice service: practice/contract, contract/practice-journeys and integration/audio-formats': [
    'tests/contract/parity/practice-parity.test.ts',
    'tests/practice/{bundle,dictated-samples,faults,faults-everywhere,formats,isolations,llm-files,restart,saved-transcriptions,speech,voice-cloning,voice-references}.test.ts',
  ],
};

/** Specs of the real app whose checks are repeated by another spec in every run, or by a test without a window. */
const specsLeftToLongRun = [
  '**/{batch,isolate-many,long-editing,looks,move-library,quit-at-random,voices}.spec.ts',
  '**/safety-{damaged-library,two-copies,unwritable-library}.spec.ts',
];

const areFilesNamed = process.argv.some((argument) => /(?:^|\/)(?:tests|shared|electron|renderer)\//.test(argument));
export const isEverythingRun = isLongRun || areFilesNamed;

export const longRunOnly: readonly string[] = isEverythingRun ? [] : Object.values(leftToLongRun).flat();
export const specsOfLongRunOnly: readonly string[] = isEverythingRun ? [] : specsLeftToLongRun;
