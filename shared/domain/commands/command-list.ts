import { editorCommands } from './editor-commands.ts';
import type { Shortcut } from './accelerator.ts';

const isolate = { place: 'isolate', group: 'playback' } as const;
const isolateView = { place: 'isolate', group: 'view' } as const;

const isolateCommands = {
  'isolate.toggle': { ...isolate, title: 'palette.commands.isolatePlay', key: 'Mod+Space' },
  'isolate.toggleOnLanes': { ...isolate, title: 'palette.commands.isolatePlayOnLanes', key: 'Space', isFixed: true },
  'isolate.original': { ...isolate, title: 'palette.commands.isolateOriginal', key: 'Digit1' },
  'isolate.isolated': { ...isolate, title: 'palette.commands.isolateIsolated', key: 'Digit2' },
  'isolate.blend': { ...isolate, title: 'palette.commands.isolateBlend', key: 'Digit3' },
  'isolate.removed': { ...isolate, title: 'palette.commands.isolateRemoved', key: 'Digit4' },
  'isolate.variant': { ...isolate, title: 'palette.commands.isolateVariant', key: 'Digit5' },
  'isolate.switch': { ...isolate, title: 'palette.commands.isolateSwitch', key: 'KeyX' },
  'isolate.close': { ...isolate, title: 'palette.commands.isolateClose', key: 'Escape', isFixed: true },
  'isolate.loop': { ...isolate, title: 'palette.commands.isolateLoop', key: 'Mod+KeyL' },
  'isolate.match': { ...isolate, title: 'palette.commands.isolateMatch', key: null },
  'isolate.spectrogram': { ...isolateView, title: 'palette.commands.isolateSpectrogram', key: null },
  'isolate.zoomIn': {
    ...isolateView,
    title: 'palette.commands.waveformIn',
    key: 'Alt+Equal',
    alsoKeys: ['Alt+NumpadAdd'],
  },
  'isolate.zoomOut': {
    ...isolateView,
    title: 'palette.commands.waveformOut',
    key: 'Alt+Minus',
    alsoKeys: ['Alt+NumpadSubtract'],
  },
  'isolate.fit': {
    ...isolateView,
    title: 'palette.commands.waveformFit',
    key: 'Alt+Digit0',
    alsoKeys: ['Alt+Numpad0'],
  },
} as const;

export const commandGroups = [
  'playback',
  'text',
  'segments',
  'captions',
  'speakers',
  'transcript',
  'files',
  'everywhere',
  'dictation',
  'view',
  'help',
] as const;
export type CommandGroup = (typeof commandGroups)[number];

/** Where a command's key is active. Two commands may share a key only if no place has both. */
export type CommandPlace = 'everywhere' | 'editor' | 'queue' | 'isolate' | 'speak' | 'dictate';

interface CommandShape {
  readonly group: CommandGroup;
  readonly place: CommandPlace;
  /** Its name, as a key of `shared/i18n`; for a section, the section's title. */
  readonly title: `${string}.${string}`;
  readonly key: Shortcut | null;
  readonly keyOn?: Partial<Readonly<Record<'darwin' | 'linux' | 'win32', Shortcut>>>;
  /** Further keys for the same command, as long as the user has not chosen one. */
  readonly alsoKeys?: readonly Shortcut[];
  /** Belongs to a focused control: shown in the list of shortcuts, but neither run nor changed elsewhere. */
  readonly isFixed?: true;
  /** Handled by text fields before the keys of their screen, so that it can conflict with none of these. */
  readonly isInFields?: true;
  /** Also runs while a dialog is open: a dialog of the shell, which then closes, or any. */
  readonly overLayers?: 'shell' | 'any';
  /** Makes no sense in the palette, which takes the focus. */
  readonly isKeyOnly?: true;
  /** A menu has a line above it. */
  readonly startsSection?: true;
}

const everywhere = { place: 'everywhere', group: 'everywhere' } as const;
const files = { place: 'everywhere', group: 'files' } as const;
const view = { place: 'everywhere', group: 'view' } as const;
const help = { place: 'everywhere', group: 'help' } as const;
const dictation = { place: 'everywhere', group: 'dictation' } as const;
const speak = { place: 'speak', group: 'playback' } as const;
const speakText = { place: 'speak', group: 'text' } as const;
const speakFiles = { place: 'speak', group: 'files' } as const;

/** Every command, once; the part of the app that can carry a command out registers it (`useCommands`). */
export const commandList = {
  ...editorCommands,
  ...isolateCommands,
  'files.add': { ...files, title: 'palette.commands.addFiles', key: 'Mod+KeyO' },
  'transcripts.import': { ...files, title: 'palette.commands.importTranscripts', key: null },
  'folder.add': { ...files, title: 'palette.commands.addFolder', key: 'Mod+Shift+KeyO' },
  'folder.watch': { ...files, title: 'palette.commands.watchFolder', key: null },
  'transcripts.find': { ...files, title: 'library.search', key: 'Mod+Shift+KeyF', overLayers: 'shell' },
  'isolate.files': { ...files, title: 'palette.commands.isolateFiles', key: null },
  'isolate.start': { ...isolate, group: 'files', title: 'palette.commands.isolateStart', key: null },
  'isolate.save': { ...isolate, group: 'files', title: 'palette.commands.isolateSave', key: 'Mod+KeyS' },
  'isolate.hide': { ...isolate, group: 'files', title: 'palette.commands.isolateHide', key: null },
  'isolate.sample': { ...files, title: 'palette.commands.isolateSample', key: null },
  'samples.add': { ...files, title: 'palette.commands.addSamples', key: null },
  'queue.retryFailed': { ...files, title: 'palette.commands.retryFailed', key: null },
  'queue.resume': { ...files, title: 'palette.commands.resumeQueue', key: null },
  'queue.pause': { ...files, title: 'palette.commands.pauseQueue', key: null },
  'queue.send': { ...files, title: 'transcribe.batch.sendAll', key: null },
  'queue.goOn': { ...files, title: 'palette.commands.goOnQueue', key: null },
  'queue.removeRow': {
    place: 'queue',
    group: 'files',
    title: 'palette.commands.removeRow',
    key: 'Delete',
    isFixed: true,
  },
  'palette.open': {
    ...everywhere,
    title: 'palette.commands.palette',
    key: 'Mod+KeyK',
    overLayers: 'shell',
    isKeyOnly: true,
  },
  'menu.open': { ...everywhere, title: 'palette.commands.menu', key: 'F10', isKeyOnly: true },
  'jobs.open': { ...everywhere, title: 'palette.commands.jobs', key: 'Mod+KeyJ', overLayers: 'shell' },
  'section.library': { ...everywhere, title: 'library.title', key: 'Mod+Digit1' },
  'section.transcribe': { ...everywhere, title: 'palette.commands.goToTranscribe', key: 'Mod+Digit2' },
  'section.dictate': { ...everywhere, title: 'palette.commands.goToDictate', key: 'Mod+Digit3' },
  'dictation.hold': {
    place: 'dictate',
    group: 'dictation',
    title: 'palette.commands.holdToTalk',
    key: 'Space',
    isFixed: true,
  },
  'dictation.toggle': { ...dictation, title: 'palette.commands.toggleDictation', key: 'Mod+Shift+Space' },
  'dictation.discard': { place: 'dictate', group: 'dictation', title: 'dictation.discard', key: 'Escape' },
  'dictation.nextLanguage': { ...dictation, title: 'palette.commands.nextDictationLanguage', key: null },
  'dictation.pasteLast': { ...dictation, title: 'palette.commands.pasteLastDictation', key: null, isKeyOnly: true },
  'dictation.swapRaw': { ...dictation, title: 'palette.commands.swapDictation', key: 'Mod+Shift+KeyY' },
  'section.speak': { ...everywhere, title: 'palette.commands.goToSpeak', key: 'Mod+Digit4' },
  'section.isolate': { ...everywhere, title: 'palette.commands.goToIsolate', key: 'Mod+Digit5' },
  'isolate.undoHide': {
    ...isolate,
    group: 'files',
    title: 'palette.commands.undoHideIsolation',
    key: 'Mod+KeyZ',
    isFixed: true,
  },
  'speak.generate': { ...speak, title: 'palette.commands.speak', key: 'Mod+Shift+Enter' },
  'speak.fromCursor': { ...speak, title: 'palette.commands.speakFromCursor', key: 'Mod+Enter' },
  'speak.sentence': { ...speak, title: 'palette.commands.speakSentence', key: 'Mod+Space' },
  'speak.previous': { ...speak, title: 'palette.commands.previousSentence', key: 'Alt+ArrowUp' },
  'speak.next': { ...speak, title: 'palette.commands.nextSentence', key: 'Alt+ArrowDown' },
  'speak.stop': { ...speak, title: 'palette.commands.stopSpeaking', key: 'Escape' },
  'speak.undo': { ...speakText, title: 'palette.commands.undoSpeech', key: 'Mod+KeyZ' },
  'speak.redo': { ...speakText, title: 'palette.commands.redoSpeech', key: 'Mod+Shift+KeyZ' },
  'speak.find': { ...speakText, title: 'palette.commands.findText', key: 'Mod+KeyF', alsoKeys: ['Mod+KeyH'] },
  'speak.readsAs': { ...speakText, title: 'palette.commands.readsAs', key: 'Mod+Shift+KeyP' },
  'speak.pause': { ...speakText, title: 'palette.commands.insertPause', key: null },
  'speak.view': { ...speakText, title: 'palette.commands.speechView', key: null },
  'speak.split': { ...speakText, title: 'speak.blocks.split', key: 'Mod+Shift+KeyD' },
  'speak.merge': { ...speakText, title: 'speak.blocks.merge', key: 'Mod+Shift+KeyM' },
  'speak.history': { ...speakFiles, title: 'palette.commands.speechHistory', key: null },
  'speak.import': { ...speakFiles, title: 'palette.commands.importText', key: null },
  'speak.pronunciation': { ...speakFiles, title: 'speak.pronunciation.open', key: null },
  'speak.create': { ...speakFiles, title: 'palette.commands.newSpeechText', key: null },
  'section.voices': { ...everywhere, title: 'voices.title', key: 'Mod+Digit6' },
  'voices.clone': { ...everywhere, title: 'voices.clone', key: null },
  'section.ask': { ...everywhere, title: 'ask.title', key: 'Mod+Digit7' },
  'ask.new': { ...everywhere, title: 'ask.new', key: 'Mod+KeyN' },
  'section.account': { ...everywhere, title: 'account.title', key: null },
  'settings.open': { ...everywhere, title: 'palette.commands.settings', key: 'Mod+Comma' },
  'shortcuts.open': { ...help, title: 'palette.commands.shortcuts', key: 'Mod+Slash', overLayers: 'shell' },
  'help.report': { ...help, title: 'palette.commands.reportProblem', key: null },
  'help.about': { ...help, title: 'menu.roles.about', key: null },
  'panes.next': {
    ...everywhere,
    title: 'palette.commands.nextPane',
    key: 'F6',
    isKeyOnly: true,
    // Nothing behind a dialog is a pane; a notice above it is.
    overLayers: 'any',
  },
  'panes.previous': {
    ...everywhere,
    title: 'palette.commands.previousPane',
    key: 'Shift+F6',
    isKeyOnly: true,
    overLayers: 'any',
  },
  'key.enter': { ...everywhere, title: 'palette.commands.enterKey', key: null },
  // As closing the window does: what is being filled in may be saved first.
  'app.quit': {
    ...everywhere,
    title: 'palette.commands.quit',
    key: null,
    keyOn: { linux: 'Mod+KeyQ' },
    overLayers: 'any',
  },
  'rail.toggle': { ...view, title: 'palette.commands.rail', key: 'Mod+KeyB' },
  'inspector.toggle': { place: 'editor', group: 'view', title: 'palette.commands.inspector', key: 'Mod+Backslash' },
  'zoom.in': {
    ...view,
    title: 'palette.commands.zoomIn',
    key: 'Mod+Equal',
    alsoKeys: ['Mod+Shift+Equal', 'Mod+NumpadAdd'],
    overLayers: 'any',
  },
  'zoom.out': {
    ...view,
    title: 'palette.commands.zoomOut',
    key: 'Mod+Minus',
    alsoKeys: ['Mod+NumpadSubtract'],
    overLayers: 'any',
  },
  'zoom.reset': {
    ...view,
    title: 'palette.commands.zoomReset',
    key: 'Mod+Digit0',
    alsoKeys: ['Mod+Numpad0'],
    overLayers: 'any',
  },
  'appearance.system': { ...view, title: 'palette.commands.appearanceSystem', key: null },
  'appearance.light': { ...view, title: 'palette.commands.appearanceLight', key: null },
  'appearance.dark': { ...view, title: 'palette.commands.appearanceDark', key: null },
  'language.uz': { ...view, title: 'palette.commands.languageUz', key: null },
  'language.uz-Cyrl': { ...view, title: 'palette.commands.languageUzCyrl', key: null },
  'language.ru': { ...view, title: 'palette.commands.languageRu', key: null },
  'language.en': { ...view, title: 'palette.commands.languageEn', key: null },
} as const satisfies Readonly<Record<string, CommandShape>>;

export type CommandId = keyof typeof commandList;

export type CommandTitle = (typeof commandList)[CommandId]['title'];

export const titleValues = (jumpMs: number): { readonly count: number } => ({ count: jumpMs / 1000 });

export interface Command extends CommandShape {
  readonly id: CommandId;
  readonly title: CommandTitle;
}

export const commands: readonly Command[] = Object.entries(commandList).map(([id, command]) => ({
  ...(command as Command),
  id: id as CommandId,
}));

export const commandOf = (id: CommandId): Omit<Command, 'id'> => commandList[id];

export const isCommandId = (id: string): id is CommandId => Object.hasOwn(commandList, id);

export const placeTitles = {
  everywhere: 'shortcuts.groups.everywhere',
  editor: 'editor.label',
  queue: 'palette.commands.goToTranscribe',
  dictate: 'palette.commands.goToDictate',
  speak: 'palette.commands.goToSpeak',
  isolate: 'palette.commands.goToIsolate',
} as const satisfies Readonly<Record<CommandPlace, string>>;

const placesOfSections: Partial<Readonly<Record<CommandId, CommandPlace>>> = {
  'section.transcribe': 'queue',
  'section.dictate': 'dictate',
  'section.speak': 'speak',
  'section.isolate': 'isolate',
};

/** The place that the command of a section opens; sections without keys of their own have only those of everywhere. */
export const placeOpenedBy = (section: CommandId): CommandPlace => placesOfSections[section] ?? 'everywhere';

export const placesFrom = (here: CommandPlace): readonly CommandPlace[] => [
  ...new Set([here, ...(Object.keys(placeTitles) as CommandPlace[])]),
];

export const playbackAnywhereCommands = [
  'playback.toggle',
  'playback.pause',
  'playback.back',
  'playback.forward',
] as const satisfies readonly CommandId[];
export type PlaybackAnywhereCommand = (typeof playbackAnywhereCommands)[number];
