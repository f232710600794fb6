import type { CommandId, CommandPlace } from './command-list.ts';

/** The names of the places where keys are active, in the order in which lists of keys show them. */
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

/** All places: first the one the user is in, then what works everywhere, then the others. */
export const placesFrom = (here: CommandPlace): readonly CommandPlace[] => [
  ...new Set([here, ...(Object.keys(placeTitles) as CommandPlace[])]),
];
