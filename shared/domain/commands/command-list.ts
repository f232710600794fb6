import { editorCommands } from './editor-commands.ts';
import { isolateCommands } from './isolate-commands.ts';
import type { Shortcut } from './accelerator.ts';

/** The heading of a command in the list of shortcuts and in their editor. */
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
] as const;
export type CommandGroup = (typeof commandGroups)[number];

/** Where a command's key is active. Two commands may share a key only if no place has both. */
export type CommandPlace = 'everywhere' | 'editor' | 'queue' | 'isolate' | 'speak' | 'dictate';

interface CommandShape {
  readonly group: CommandGroup;
  readonly place: CommandPlace;
  /** Its name, as a key of `shared/i18n`; for a section, the section's title. */
  readonly title: `${string}.${string}`;
  /** The key it starts with; null for none. */
  readonly key: Shortcut | null;
  /** The key that it starts with on some systems instead. */
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

const isolate = { place: 'isolate', group: 'playback' } as const;
const everywhere = { place: 'everywhere' } as const;

/**
 * Every command of the app, once. Palette, list of shortcuts, tooltips and keys all use it; the part of the app that
 * can carry a command out registers it (`useCommands`).
 */
export const commandList = {
  ...editorCommands,
  ...isolateCommands,
  'files.add': { ...everywhere, group: 'files', title: 'palette.commands.addFiles', key: 'Mod+KeyO' },
  'transcripts.import': { ...everywhere, group: 'files', title: 'palette.commands.importTranscripts', key: null },
  'folder.add': { ...everywhere, group: 'files', title: 'palette.commands.addFolder', key: 'Mod+Shift+KeyO' },
  'transcripts.find': {
    ...everywhere,
    group: 'files',
    title: 'library.search',
    key: 'Mod+Shift+KeyF',
    overLayers: 'shell',
  },
  'isolate.files': { ...everywhere, group: 'files', title: 'palette.commands.isolateFiles', key: null },
  'isolate.start': { ...isolate, group: 'files', title: 'palette.commands.isolateStart', key: null },
  'isolate.saveMp3': { ...isolate, group: 'files', title: 'palette.commands.isolateSave', key: null },
  'isolate.hide': { ...isolate, group: 'files', title: 'palette.commands.isolateHide', key: null },
  'isolate.sample': { ...everywhere, group: 'files', title: 'palette.commands.isolateSample', key: null },
  'samples.add': { ...everywhere, group: 'files', title: 'palette.commands.addSamples', key: null },
  'queue.retryFailed': { ...everywhere, group: 'files', title: 'palette.commands.retryFailed', key: null },
  'queue.resume': { ...everywhere, group: 'files', title: 'palette.commands.resumeQueue', key: null },
  'queue.pause': { ...everywhere, group: 'files', title: 'palette.commands.pauseQueue', key: null },
  'queue.goOn': { ...everywhere, group: 'files', title: 'palette.commands.goOnQueue', key: null },
  'queue.removeRow': {
    place: 'queue',
    group: 'files',
    title: 'palette.commands.removeRow',
    key: 'Delete',
    isFixed: true,
  },
  'palette.open': {
    ...everywhere,
    group: 'everywhere',
    title: 'palette.commands.palette',
    key: 'Mod+KeyK',
    overLayers: 'shell',
    isKeyOnly: true,
  },
  'menu.open': {
    ...everywhere,
    group: 'everywhere',
    title: 'palette.commands.menu',
    key: 'F10',
    isKeyOnly: true,
  },
  'jobs.open': {
    ...everywhere,
    group: 'everywhere',
    title: 'palette.commands.jobs',
    key: 'Mod+KeyJ',
    overLayers: 'shell',
  },
  'section.library': {
    ...everywhere,
    group: 'everywhere',
    title: 'library.title',
    key: 'Mod+Digit1',
  },
  'section.transcribe': {
    ...everywhere,
    group: 'everywhere',
    title: 'palette.commands.goToTranscribe',
    key: 'Mod+Digit2',
  },
  'section.dictate': {
    ...everywhere,
    group: 'everywhere',
    title: 'palette.commands.goToDictate',
    key: 'Mod+Digit3',
  },
  'dictation.hold': {
    place: 'dictate',
    group: 'dictation',
    title: 'palette.commands.holdToTalk',
    key: 'Space',
    isFixed: true,
  },
  'dictation.toggle': {
    ...everywhere,
    group: 'dictation',
    title: 'palette.commands.toggleDictation',
    key: 'Mod+Shift+Space',
  },
  'dictation.nextLanguage': {
    ...everywhere,
    group: 'dictation',
    title: 'palette.commands.nextDictationLanguage',
    key: null,
  },
  'dictation.pasteLast': {
    ...everywhere,
    group: 'dictation',
    title: 'palette.commands.pasteLastDictation',
    key: null,
    isKeyOnly: true,
  },
  'dictation.swapRaw': {
    ...everywhere,
    group: 'dictation',
    title: 'palette.commands.swapDictation',
    key: 'Mod+Shift+KeyY',
  },
  'section.speak': {
    ...everywhere,
    group: 'everywhere',
    title: 'palette.commands.goToSpeak',
    key: 'Mod+Digit4',
  },
  'section.isolate': {
    ...everywhere,
    group: 'everywhere',
    title: 'palette.commands.goToIsolate',
    key: 'Mod+Digit5',
  },
  'isolate.undoHide': {
    ...isolate,
    group: 'files',
    title: 'palette.commands.undoHideIsolation',
    key: 'Mod+KeyZ',
    isFixed: true,
  },
  'speak.generate': { place: 'speak', group: 'playback', title: 'palette.commands.speak', key: 'Mod+Shift+Enter' },
  'speak.fromCursor': {
    place: 'speak',
    group: 'playback',
    title: 'palette.commands.speakFromCursor',
    key: 'Mod+Enter',
  },
  'speak.sentence': {
    place: 'speak',
    group: 'playback',
    title: 'palette.commands.speakSentence',
    key: 'Mod+Space',
  },
  'speak.previous': {
    place: 'speak',
    group: 'playback',
    title: 'palette.commands.previousSentence',
    key: 'Alt+ArrowUp',
  },
  'speak.next': { place: 'speak', group: 'playback', title: 'palette.commands.nextSentence', key: 'Alt+ArrowDown' },
  'speak.stop': { place: 'speak', group: 'playback', title: 'palette.commands.stopSpeaking', key: 'Escape' },
  'speak.undo': {
    place: 'speak',
    group: 'text',
    title: 'palette.commands.undoSpeech',
    key: 'Mod+KeyZ',
  },
  'speak.redo': { place: 'speak', group: 'text', title: 'palette.commands.redoSpeech', key: 'Mod+Shift+KeyZ' },
  'speak.find': {
    place: 'speak',
    group: 'text',
    title: 'palette.commands.findText',
    key: 'Mod+KeyF',
    alsoKeys: ['Mod+KeyH'],
  },
  'speak.split': { place: 'speak', group: 'text', title: 'speak.blocks.split', key: 'Mod+Shift+KeyD' },
  'speak.merge': { place: 'speak', group: 'text', title: 'speak.blocks.merge', key: 'Mod+Shift+KeyM' },
  'speak.import': { place: 'speak', group: 'files', title: 'palette.commands.importText', key: null },
  'speak.pronunciation': { place: 'speak', group: 'files', title: 'speak.pronunciation.open', key: null },
  'speak.create': { place: 'speak', group: 'files', title: 'palette.commands.newSpeechText', key: null },
  'section.voices': { ...everywhere, group: 'everywhere', title: 'voices.title', key: 'Mod+Digit6' },
  'voices.clone': { ...everywhere, group: 'everywhere', title: 'voices.clone', key: null },
  'section.ask': { ...everywhere, group: 'everywhere', title: 'ask.title', key: 'Mod+Digit7' },
  'ask.new': { ...everywhere, group: 'everywhere', title: 'ask.new', key: 'Mod+KeyN' },
  'section.account': { ...everywhere, group: 'everywhere', title: 'account.title', key: null },
  'settings.open': { ...everywhere, group: 'everywhere', title: 'palette.commands.settings', key: 'Mod+Comma' },
  'shortcuts.open': {
    ...everywhere,
    group: 'everywhere',
    title: 'palette.commands.shortcuts',
    key: 'Mod+Slash',
    overLayers: 'shell',
  },
  'panes.next': {
    ...everywhere,
    group: 'everywhere',
    title: 'palette.commands.nextPane',
    key: 'F6',
    isKeyOnly: true,
    // Nothing behind a dialog is a pane; a notice above it is.
    overLayers: 'any',
  },
  'panes.previous': {
    ...everywhere,
    group: 'everywhere',
    title: 'palette.commands.previousPane',
    key: 'Shift+F6',
    isKeyOnly: true,
    overLayers: 'any',
  },
  'key.enter': { ...everywhere, group: 'everywhere', title: 'palette.commands.enterKey', key: null },
  'app.quit': {
    ...everywhere,
    group: 'everywhere',
    title: 'palette.commands.quit',
    key: null,
    keyOn: { linux: 'Mod+KeyQ' },
  },
  'rail.toggle': { ...everywhere, group: 'view', title: 'palette.commands.rail', key: 'Mod+KeyB' },
  'inspector.toggle': { place: 'editor', group: 'view', title: 'palette.commands.inspector', key: 'Mod+Backslash' },
  'zoom.in': {
    ...everywhere,
    group: 'view',
    title: 'palette.commands.zoomIn',
    key: 'Mod+Equal',
    alsoKeys: ['Mod+Shift+Equal', 'Mod+NumpadAdd'],
    overLayers: 'any',
  },
  'zoom.out': {
    ...everywhere,
    group: 'view',
    title: 'palette.commands.zoomOut',
    key: 'Mod+Minus',
    alsoKeys: ['Mod+NumpadSubtract'],
    overLayers: 'any',
  },
  'zoom.reset': {
    ...everywhere,
    group: 'view',
    title: 'palette.commands.zoomReset',
    key: 'Mod+Digit0',
    alsoKeys: ['Mod+Numpad0'],
    overLayers: 'any',
  },
  'appearance.system': { ...everywhere, group: 'view', title: 'palette.commands.appearanceSystem', key: null },
  'appearance.light': { ...everywhere, group: 'view', title: 'palette.commands.appearanceLight', key: null },
  'appearance.dark': { ...everywhere, group: 'view', title: 'palette.commands.appearanceDark', key: null },
  'language.uz': { ...everywhere, group: 'view', title: 'palette.commands.languageUz', key: null },
  'language.uz-Cyrl': { ...everywhere, group: 'view', title: 'palette.commands.languageUzCyrl', key: null },
  'language.ru': { ...everywhere, group: 'view', title: 'palette.commands.languageRu', key: null },
  'language.en': { ...everywhere, group: 'view', title: 'palette.commands.languageEn', key: null },
} as const satisfies Readonly<Record<string, CommandShape>>;

export type CommandId = keyof typeof commandList;

/** The name of a command; using it in one place makes the compiler check that the string exists. */
export type CommandTitle = (typeof commandList)[CommandId]['title'];

/** What the titles of commands name: how many seconds playback jumps. */
export const titleValues = (jumpMs: number): { readonly count: number } => ({ count: jumpMs / 1000 });

/** An action as the list describes it. */
export interface Command extends CommandShape {
  readonly id: CommandId;
  readonly title: CommandTitle;
}

/** All actions in the order of the list. */
export const commands: readonly Command[] = Object.entries(commandList).map(([id, command]) => ({
  ...(command as Command),
  id: id as CommandId,
}));

/** The entry of an action. */
export const commandOf = (id: CommandId): Omit<Command, 'id'> => commandList[id];

/** Whether an id from outside names a command. */
export const isCommandId = (id: string): id is CommandId => Object.hasOwn(commandList, id);
