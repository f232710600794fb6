import { foldText } from '../../../../shared/domain/text/fold-text.ts';

/**
 * Every setting, under the name that marks it on its page (`data-setting`), with the string keys by which it is found:
 * its title first, then other words people may use.
 */
export const settingsIndex = [
  {
    name: 'language',
    page: 'general',
    words: [
      'settings.general.language',
      'settings.general.languageGroup',
      'common.languages.uz',
      'common.languages.uz-Cyrl',
      'common.languages.ru',
      'common.languages.en',
    ],
  },
  {
    name: 'appearance',
    page: 'general',
    words: [
      'settings.general.appearance',
      'settings.general.appearanceGroup',
      'settings.general.appearances.light',
      'settings.general.appearances.dark',
    ],
  },
  { name: 'contrast', page: 'general', words: ['settings.general.contrast', 'settings.general.contrastHint'] },
  { name: 'typeface', page: 'general', words: ['settings.general.typeface', 'settings.general.typefaceHint'] },
  {
    name: 'transcriptSize',
    page: 'general',
    words: ['settings.general.transcriptSize', 'settings.general.transcriptSizeHint'],
  },
  { name: 'motion', page: 'general', words: ['settings.general.reduceMotion', 'settings.general.reduceMotionHint'] },
  {
    name: 'sounds',
    page: 'general',
    words: ['settings.general.sounds', 'settings.general.soundGroup', 'settings.general.soundsHint'],
  },
  {
    name: 'spoken',
    page: 'general',
    words: ['settings.general.spoken', 'settings.general.recordingsGroup', 'settings.general.spokenHint'],
  },
  { name: 'speakers', page: 'general', words: ['settings.general.speakers'] },
  { name: 'models', page: 'local', words: ['models.title', 'models.about', 'welcome.local.title'] },
  { name: 'battery', page: 'local', words: ['models.battery', 'models.batteryHint'] },
  {
    name: 'mode',
    page: 'connection',
    words: ['settings.connection.mode', 'settings.connection.modes.practice', 'settings.connection.modeHint'],
  },
  {
    name: 'service',
    page: 'connection',
    words: ['welcome.address.label', 'settings.connection.serviceGroup', 'welcome.key.label'],
  },
  { name: 'legacyKey', page: 'connection', words: ['network.legacy.title', 'network.legacy.hint'] },
  {
    name: 'proxy',
    page: 'connection',
    words: ['network.proxy.title', 'network.proxy.group', 'network.proxy.hint', 'network.proxy.server'],
  },
  { name: 'uploads', page: 'connection', words: ['network.uploads.title', 'network.uploads.hint'] },
  { name: 'spend', page: 'connection', words: ['network.spend.title', 'network.spend.group', 'network.spend.hint'] },
  {
    name: 'places',
    page: 'connection',
    words: ['network.places.stream', 'network.places.group', 'network.places.host'],
  },
  { name: 'tools', page: 'connection', words: ['network.tools.title', 'network.tools.group', 'network.tools.hint'] },
  { name: 'test', page: 'connection', words: ['settings.connection.testGroup', 'settings.connection.testHint'] },
  { name: 'jump', page: 'editor', words: ['settings.editor.jump', 'settings.editor.jumpHint'] },
  { name: 'rewind', page: 'editor', words: ['editor.transport.rewind', 'settings.editor.rewindHint'] },
  { name: 'waveformHeight', page: 'editor', words: ['editor.waveform.height', 'editor.waveform.label'] },
  {
    name: 'scripts',
    page: 'editor',
    words: ['settings.editor.letters', 'editor.letters.latin', 'editor.letters.cyrillic'],
  },
  {
    name: 'captionRules',
    page: 'editor',
    words: [
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
  },
  { name: 'exactTimes', page: 'editor', words: ['editor.times.exact', 'editor.times.exactHint'] },
  {
    name: 'spelling',
    page: 'editor',
    words: ['settings.editor.spelling', 'settings.editor.spellingGroup', 'settings.editor.knownWords'],
  },
  { name: 'accountEdits', page: 'editor', words: ['editor.account.keep', 'editor.account.keepHint'] },
  {
    name: 'microphone',
    page: 'dictation',
    words: ['dictation.microphone', 'dictation.chooseMicrophone', 'settings.dictation.test'],
  },
  { name: 'microphoneReady', page: 'dictation', words: ['dictation.keepReady', 'dictation.keepReadyText'] },
  {
    name: 'dictationStart',
    page: 'dictation',
    words: ['dictation.modes.title', 'dictation.title', 'palette.synonyms.dictate', 'dictation.modes.hands-free'],
  },
  { name: 'dictationKeys', page: 'dictation', words: ['settings.dictation.keys', 'palette.commands.toggleDictation'] },
  { name: 'dictationSounds', page: 'dictation', words: ['dictation.sounds'] },
  {
    name: 'dictationLanguage',
    page: 'dictation',
    words: ['dictation.language', 'settings.dictation.layout', 'settings.dictation.rules'],
  },
  {
    name: 'dictationStyle',
    page: 'dictation',
    words: ['dictation.cleanUp.title', 'dictation.cleanUp.style', 'dictation.cleanUp.styles.tidy'],
  },
  { name: 'dictationTarget', page: 'dictation', words: ['dictation.target.title', 'dictation.target.app'] },
  {
    name: 'overlay',
    page: 'dictation',
    words: ['dictation.overlay.show', 'dictation.overlay.showText', 'dictation.overlay.name'],
  },
  {
    name: 'dictationKept',
    page: 'dictation',
    words: ['dictation.keeping.nothing', 'dictation.keeping.title', 'dictation.keeping.days'],
  },
  { name: 'notify', page: 'automation', words: ['settings.automation.notify', 'settings.automation.notifyHint'] },
  { name: 'awake', page: 'automation', words: ['settings.automation.awake', 'settings.automation.awakeHint'] },
  {
    name: 'copies',
    page: 'automation',
    words: [
      'settings.automation.copies',
      'settings.automation.copiesGroup',
      'settings.automation.template',
      'palette.synonyms.export',
    ],
  },
  {
    name: 'watch',
    page: 'automation',
    words: ['settings.automation.watch', 'settings.automation.watchGroup', 'settings.automation.watchHint'],
  },
  { name: 'done', page: 'automation', words: ['settings.automation.logGroup'] },
  { name: 'letters', page: 'shortcuts', words: ['settings.shortcuts.letters', 'settings.shortcuts.lettersHint'] },
  { name: 'playbackAnywhere', page: 'shortcuts', words: ['settings.shortcuts.anywhere'] },
  { name: 'preset', page: 'shortcuts', words: ['settings.shortcuts.preset'] },
  {
    name: 'dictationShortcuts',
    page: 'shortcuts',
    words: ['settings.dictation.change', 'shortcuts.groups.dictation'],
  },
  {
    name: 'keys',
    page: 'shortcuts',
    words: ['settings.pages.shortcuts', 'settings.shortcuts.hint', 'settings.shortcuts.resetAll'],
  },
  {
    name: 'use',
    page: 'storage',
    words: ['settings.storage.group', 'settings.storage.openFolder', 'settings.storage.where'],
  },
  { name: 'move', page: 'storage', words: ['settings.storage.move.title', 'settings.storage.move.hint'] },
  { name: 'oldRows', page: 'storage', words: ['cleaning.title', 'cleaning.hint', 'settings.storage.cleanGroup'] },
  { name: 'prepared', page: 'storage', words: ['settings.storage.prepared.title', 'settings.storage.cleanGroup'] },
  { name: 'peaks', page: 'storage', words: ['settings.storage.peaks.title', 'settings.storage.cleanGroup'] },
  { name: 'backups', page: 'storage', words: ['settings.storage.backups.title', 'settings.storage.cleanGroup'] },
  { name: 'log', page: 'storage', words: ['settings.storage.log.title', 'settings.storage.cleanGroup'] },
  { name: 'practice', page: 'storage', words: ['settings.storage.practice.title', 'settings.storage.practice.hint'] },
  { name: 'kept', page: 'privacy', words: ['settings.privacy.keptGroup', 'settings.privacy.kept.transcripts'] },
  { name: 'sent', page: 'privacy', words: ['settings.privacy.sentGroup', 'settings.privacy.sent.others'] },
  { name: 'keepLog', page: 'privacy', words: ['settings.privacy.keepLog', 'settings.privacy.keepLogHint'] },
  { name: 'report', page: 'privacy', words: ['settings.privacy.report', 'settings.privacy.reportHint'] },
  { name: 'deleteOne', page: 'privacy', words: ['deletion.title', 'deletion.group', 'deletion.hint'] },
  {
    name: 'erase',
    page: 'privacy',
    words: ['settings.privacy.all.title', 'settings.privacy.all.open', 'settings.privacy.eraseGroup'],
  },
] as const satisfies readonly { name: string; page: SettingsPage; words: readonly [string, ...string[]] }[];

export type SettingName = (typeof settingsIndex)[number]['name'];
/** Keys of all words in the index. */
export type SettingWords = (typeof settingsIndex)[number]['words'][number];

export interface FoundSetting {
  readonly name: SettingName;
  readonly page: SettingsPage;
  readonly title: string;
}

type Say = (key: SettingWords) => string;

/**
 * Settings that contain every word of the query: matches in the title first, then matches in another language, because
 * people know settings by the terms of other programs. In other languages only prefixes count, because any letters
 * occur inside some word. Letters and apostrophes are folded, so that another keyboard finds them too. An empty query
 * finds nothing.
 */
export function findSettings(query: string, say: Say, others: readonly Say[]): readonly FoundSetting[] {
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

const folded = (keys: readonly SettingWords[], say: Say): string =>
  foldText(keys.map((key) => say(key)).join(' ')).text;

const startsAll = (words: readonly string[], text: string): boolean => {
  const known = text.split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => known.some((one) => one.startsWith(word)));
};

/** All pages, in the order of the navigation. */
export const settingsPages = [
  'general',
  'local',
  'connection',
  'editor',
  'dictation',
  'automation',
  'shortcuts',
  'storage',
  'privacy',
] as const;
export type SettingsPage = (typeof settingsPages)[number];

/** The page named by a part of the address, by default the first one, and the setting to show on it. */
export function readSettingsPlace(text: string): { readonly page: SettingsPage; readonly setting: SettingName | null } {
  const [wantedPage, wantedName] = text.split('/');
  return {
    page: settingsPages.find((page) => page === wantedPage) ?? 'general',
    setting: settingsIndex.find(({ name }) => name === wantedName)?.name ?? null,
  };
}
