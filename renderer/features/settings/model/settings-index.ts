import { foldText } from '../../../../shared/domain/text/fold-text.ts';

/** Settings by page and `data-setting`, with the keys of their title and of other words people may use. */
const wordsOf = {
  general: {
    language: [
      'settings.general.language',
      'settings.general.languageGroup',
      'common.languages.uz',
      'common.languages.uz-Cyrl',
      'common.languages.ru',
      'common.languages.en',
    ],
    appearance: [
      'settings.general.appearance',
      'settings.general.appearanceGroup',
      'settings.general.appearances.light',
      'settings.general.appearances.dark',
    ],
    contrast: ['settings.general.contrast', 'settings.general.contrastHint'],
    typeface: ['settings.general.typeface', 'settings.general.typefaceHint'],
    transcriptSize: ['settings.general.transcriptSize', 'settings.general.transcriptSizeHint'],
    motion: ['settings.general.reduceMotion', 'settings.general.reduceMotionHint'],
    sounds: ['settings.general.sounds', 'settings.general.soundGroup', 'settings.general.soundsHint'],
    spoken: ['settings.general.spoken', 'settings.general.recordingsGroup', 'settings.general.spokenHint'],
    speakers: ['settings.general.speakers'],
  },
  local: {
    models: ['models.title', 'models.about', 'welcome.local.title'],
    battery: ['models.battery', 'models.batteryHint'],
  },
  connection: {
    mode: ['settings.connection.mode', 'settings.connection.modes.practice', 'settings.connection.modeHint'],
    service: ['welcome.address.label', 'settings.connection.serviceGroup', 'welcome.key.label'],
    legacyKey: ['network.legacy.title', 'network.legacy.hint'],
    proxy: ['network.proxy.title', 'network.proxy.group', 'network.proxy.hint', 'network.proxy.server'],
    uploads: ['network.uploads.title', 'network.uploads.hint'],
    spend: ['network.spend.title', 'network.spend.group', 'network.spend.hint'],
    places: ['network.places.stream', 'network.places.group', 'network.places.host'],
    tools: ['network.tools.title', 'network.tools.group', 'network.tools.hint'],
    test: ['settings.connection.testGroup'],
  },
  editor: {
    jump: ['settings.editor.jump', 'settings.editor.jumpHint'],
    rewind: ['editor.transport.rewind', 'settings.editor.rewindHint'],
    waveformHeight: ['editor.waveform.height', 'editor.waveform.label'],
    captionRules: [
      'editor.captions.check',
      'settings.editor.captionsHint',
      'settings.editor.captionWords',
      'exports.options.profile',
      'exports.options.charactersPerLine',
      'exports.options.linesPerCue',
      'exports.options.minimumMs',
      'exports.options.maximumMs',
      'exports.options.gapMs',
    ],
    exactTimes: ['editor.times.exact', 'editor.times.exactHint'],
    spelling: ['settings.editor.spelling', 'settings.editor.spellingGroup', 'settings.editor.knownWords'],
    accountEdits: ['editor.account.keep', 'editor.account.keepHint'],
  },
  dictation: {
    microphone: ['dictation.microphone', 'dictation.systemMicrophone', 'settings.dictation.test'],
    microphoneReady: ['dictation.keepReady', 'dictation.keepReadyText'],
    dictationStart: [
      'dictation.modes.title',
      'dictation.title',
      'palette.synonyms.dictate',
      'dictation.modes.hands-free',
    ],
    dictationKeys: ['settings.dictation.keys', 'palette.commands.toggleDictation'],
    dictationSounds: ['dictation.sounds'],
    dictationLanguage: ['dictation.language', 'settings.dictation.layout', 'settings.dictation.rules'],
    dictationStyle: ['dictation.cleanUp.title', 'dictation.cleanUp.style', 'dictation.cleanUp.styles.tidy'],
    dictationTarget: ['dictation.target.title', 'dictation.target.app'],
    overlay: ['dictation.overlay.show', 'dictation.overlay.showText', 'dictation.overlay.name'],
    dictationKept: ['dictation.keeping.nothing', 'dictation.keeping.title', 'dictation.keeping.days'],
  },
  automation: {
    notify: ['settings.automation.notify', 'settings.automation.notifyHint'],
    awake: ['settings.automation.awake', 'settings.automation.awakeHint'],
    copies: [
      'settings.automation.copies',
      'settings.automation.copiesGroup',
      'settings.automation.template',
      'palette.synonyms.export',
    ],
    watch: ['settings.automation.watch', 'settings.automation.watchGroup', 'settings.automation.watchHint'],
    done: ['settings.automation.logGroup'],
  },
  shortcuts: {
    letters: ['settings.shortcuts.letters', 'settings.shortcuts.lettersHint'],
    playbackAnywhere: ['settings.shortcuts.anywhere'],
    preset: ['settings.shortcuts.preset'],
    dictationShortcuts: ['settings.dictation.change', 'shortcuts.groups.dictation'],
    keys: ['settings.pages.shortcuts', 'settings.shortcuts.hint', 'settings.shortcuts.resetAll'],
  },
  storage: {
    use: ['settings.storage.group', 'settings.storage.openFolder', 'settings.storage.where'],
    move: ['settings.storage.move.title', 'settings.storage.move.hint'],
    oldRows: ['cleaning.title', 'cleaning.hint', 'settings.storage.cleanGroup'],
    prepared: ['settings.storage.prepared.title', 'settings.storage.cleanGroup'],
    peaks: ['settings.storage.peaks.title', 'settings.storage.cleanGroup'],
    backups: ['settings.storage.backups.title', 'settings.storage.cleanGroup'],
    log: ['settings.storage.log.title', 'settings.storage.cleanGroup'],
    practice: ['settings.storage.practice.title', 'settings.storage.practice.hint'],
  },
  privacy: {
    kept: ['settings.privacy.keptGroup', 'settings.privacy.kept.transcripts'],
    sent: ['settings.privacy.sentGroup', 'settings.privacy.sent.others'],
    keepLog: ['settings.privacy.keepLog', 'settings.privacy.keepLogHint'],
    report: ['settings.privacy.report', 'settings.privacy.reportHint'],
    deleteOne: ['deletion.title', 'deletion.group', 'deletion.hint'],
    erase: ['settings.privacy.all.title', 'settings.privacy.all.open', 'settings.privacy.eraseGroup'],
  },
} as const satisfies Record<string, Record<string, readonly [string, ...string[]]>>;

export type SettingsPage = keyof typeof wordsOf;
export type SettingName = { [P in SettingsPage]: keyof (typeof wordsOf)[P] }[SettingsPage];
type Words = { [P in SettingsPage]: (typeof wordsOf)[P][keyof (typeof wordsOf)[P]] }[SettingsPage];
export type SettingWords = Words[number];

/** In the order of the navigation. */
export const settingsPages = Object.keys(wordsOf) as SettingsPage[];
export const settingsIndex = settingsPages.flatMap((page) =>
  Object.entries<Words>(wordsOf[page]).map(([name, words]) => ({ name: name as SettingName, page, words })),
);

type Say = (key: SettingWords) => string;

/** In other languages only beginnings of words count, because any letters occur inside some word. */
export function findSettings(query: string, say: Say, others: readonly Say[]) {
  const words = foldText(query).text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const places = (keys: readonly SettingWords[]): number => {
    const [title, everywhere] = [keys.slice(0, 1), keys].map((some) => folded(some, say));
    if (words.every((word) => title?.includes(word))) return 0;
    if (words.every((word) => everywhere?.includes(word))) return 1;
    return others.some((other) => startsAll(words, folded(keys, other))) ? 2 : 3;
  };
  return settingsIndex
    .map(({ name, page, words: keys }) => ({ place: places(keys), setting: { name, page, title: say(keys[0]) } }))
    .filter(({ place }) => place < 3)
    .toSorted((left, right) => left.place - right.place)
    .map(({ setting }) => setting);
}

export type FoundSetting = ReturnType<typeof findSettings>[number];

const folded = (keys: readonly SettingWords[], say: Say): string =>
  foldText(keys.map((key) => say(key)).join(' ')).text;

const startsAll = (words: readonly string[], text: string): boolean => {
  const known = text.split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => known.some((one) => one.startsWith(word)));
};

export function readSettingsPlace(text: string): { readonly page: SettingsPage; readonly setting: SettingName | null } {
  const [wantedPage, wantedName] = text.split('/');
  return {
    page: settingsPages.find((page) => page === wantedPage) ?? 'general',
    setting: settingsIndex.find(({ name }) => name === wantedName)?.name ?? null,
  };
}
