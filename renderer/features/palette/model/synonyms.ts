import type { CommandId } from '../../../../shared/domain/commands/command-list.ts';
import type palette from '../../../../shared/i18n/en/palette.json';

type Synonyms = keyof (typeof palette)['synonyms'];

const exact: Partial<Readonly<Record<CommandId, Synonyms>>> = {
  'transcript.export': 'export',
  'transcript.exportAgain': 'export',
  'playback.slower': 'speed',
  'playback.faster': 'speed',
  'settings.open': 'settings',
  'shortcuts.open': 'shortcuts',
  'app.quit': 'quit',
  'transcript.delete': 'delete',
  'key.enter': 'key',
  'text.find': 'find',
  'section.library': 'library',
  'section.transcribe': 'transcribe',
  'section.dictate': 'dictate',
  'dictation.toggle': 'dictate',
  'section.speak': 'speak',
  'section.isolate': 'isolate',
  'section.ask': 'ask',
  'section.account': 'account',
  'edit.undo': 'undo',
  'appearance.light': 'light',
  'appearance.dark': 'dark',
  'files.add': 'add',
  'folder.add': 'add',
  'transcripts.import': 'add',
};
const byFamily: Readonly<Record<string, Synonyms>> = {
  appearance: 'theme',
  zoom: 'size',
  language: 'language',
  waveform: 'waveform',
  speaker: 'speaker',
  isolate: 'isolate',
};

export function synonymsOf(id: CommandId): `palette.synonyms.${Synonyms}` | null {
  const name = exact[id] ?? byFamily[id.split('.')[0] ?? ''];
  return name === undefined ? null : `palette.synonyms.${name}`;
}
