import { defaultCopyTemplate, templateFault } from '../../shared/domain/exports/copy-name.ts';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import { isAudioFormat, type ExportFormat } from '../../shared/domain/exports/formats.ts';
import { speechLanguages } from '../../shared/domain/languages.ts';
import { isLegacyVoice } from '../../shared/domain/speech/legacy-voices.ts';
import { accountReaders } from './account-options.ts';
import {
  isolationFormats,
  localActions,
  wrong,
  type CommandName,
  type IsolationFormat,
  type Wrong,
} from './command.ts';
import {
  flag,
  forPaid,
  forService,
  isOn,
  stringsOf,
  refusePositionals,
  textsOption,
  textOption,
  withDefault,
  stringOf,
  type Reader,
  type Values,
} from './option-values.ts';

const isFormat = (name: string): name is ExportFormat => Object.hasOwn(exporters, name);
const isTextFormat = (name: string): name is ExportFormat => isFormat(name) && !isAudioFormat(name);
const isIsolationFormat = (name: string): name is IsolationFormat => isolationFormats.some((one) => one === name);

/** Parses a comma-separated list without duplicates; the first unknown word is returned as the problem. */
function listOf<T extends string>(typed: string, isOurs: (name: string) => name is T): readonly T[] | string {
  const found: T[] = [];
  for (const name of typed.split(',').map((part) => part.trim().toLowerCase())) {
    if (!isOurs(name)) return name;
    if (!found.includes(name)) found.push(name);
  }
  return found;
}

/** The text to speak or ask: the words of the command, or a file (`-`: standard input). */
function readText(values: Values, positionals: readonly string[]): { text: string; file: string | null } | Wrong {
  const file = values['file'];
  if (typeof file === 'string') return positionals.length === 0 ? { text: '', file } : wrong('textAndFile');
  const typed = positionals.join(' ').trim();
  return typed === '' ? wrong('noText') : { text: typed, file: null };
}

const transcribe: Reader = {
  options: {
    language: textOption,
    speakers: flag,
    legacy: flag,
    format: withDefault('txt'),
    out: textOption,
    concurrency: withDefault('2'),
    wait: withDefault('60'),
    'send-again': flag,
    practice: flag,
    local: flag,
  },
  read(values, paths) {
    if (paths.length === 0) return wrong('noPaths');
    if (values['language'] === undefined) return wrong('noLanguage');
    const language = speechLanguages.find((known) => known === values['language']);
    if (language === undefined) return wrong('badLanguage', stringOf(values['language']));
    const formats = listOf(stringOf(values['format']), isTextFormat);
    if (typeof formats === 'string') return wrong('badFormat', formats);
    if (!/^[1-8]$/.test(stringOf(values['concurrency'])))
      return wrong('badConcurrency', stringOf(values['concurrency']));
    if (!/^\d{1,6}$/.test(stringOf(values['wait']))) return wrong('badWait', stringOf(values['wait']));
    return {
      kind: 'transcribe',
      paths,
      language,
      includeSpeakers: isOn(values['speakers']),
      isLegacy: isOn(values['legacy']),
      formats,
      outDir: stringOf(values['out']) || null,
      concurrency: Number(values['concurrency']),
      waitMs: Number(values['wait']) * 1000,
      sendsAgain: isOn(values['send-again']),
      ...forService(values),
    };
  },
};

const layouts = ['files', 'folders', 'zip'] as const;

const exporting: Reader = {
  options: {
    format: withDefault('txt'),
    profile: textOption,
    options: textOption,
    out: textOption,
    name: withDefault(defaultCopyTemplate),
    layout: withDefault('files'),
    all: flag,
    force: flag,
    practice: flag,
  },
  read(values, names) {
    const isAll = isOn(values['all']);
    if (names.length === 0 && !isAll) return wrong('noTranscripts');
    const outDir = stringOf(values['out']);
    if (outDir === '') return wrong('noOut');
    const formats = listOf(stringOf(values['format']), isFormat);
    if (typeof formats === 'string') return wrong('badFormat', formats);
    const layout = layouts.find((known) => known === values['layout']);
    if (layout === undefined) return wrong('badLayout', stringOf(values['layout']));
    const template = stringOf(values['name']);
    if (templateFault(template) !== null) return wrong('badTemplate', template);
    return {
      kind: 'export',
      names,
      isAll,
      formats,
      profile: stringOf(values['profile']) || null,
      options: stringOf(values['options']),
      outDir,
      template,
      layout,
      overwrites: isOn(values['force']),
      ...forService(values),
    };
  },
};

const paid = (values: Values) => ({
  overwrites: isOn(values['force']),
  sendsAgain: isOn(values['send-again']),
  ...forService(values),
});

const speak: Reader = {
  options: {
    ...forPaid,
    language: textOption,
    voice: textOption,
    speed: withDefault('1'),
    file: textOption,
    out: textOption,
    wait: withDefault('120'),
    stream: flag,
    local: flag,
  },
  read(values, positionals) {
    const said = readText(values, positionals);
    if ('kind' in said) return said;
    const language = stringOf(values['language']);
    if (language === '') return wrong('noSpokenLanguage');
    if (!/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?$/.test(language)) return wrong('badSpokenLanguage', language);
    const speed = Number(stringOf(values['speed']) || 'none');
    if (!(speed >= 0.5 && speed <= 2)) return wrong('badSpeed', stringOf(values['speed']));
    if (!/^\d{1,6}$/.test(stringOf(values['wait']))) return wrong('badWait', stringOf(values['wait']));
    const isStreamed = isOn(values['stream']);
    if (isStreamed && isLegacyVoice(stringOf(values['voice']))) return wrong('streamedLegacy');
    return {
      kind: 'speak',
      ...said,
      ...paid(values),
      language,
      voiceId: stringOf(values['voice']) || null,
      speed,
      out: stringOf(values['out']) || null,
      waitMs: Number(values['wait']) * 1000,
      isStreamed,
    };
  },
};

const isolate: Reader = {
  options: {
    ...forPaid,
    format: withDefault('mp3'),
    out: textOption,
    restore: flag,
    title: textOption,
    wait: withDefault('1800'),
    local: flag,
  },
  read(values, paths) {
    if (paths.length === 0) return wrong('noPathsToClean');
    if (values['title'] !== undefined && paths.length > 1) return wrong('titleOfMany');
    const formats = listOf(stringOf(values['format']), isIsolationFormat);
    if (typeof formats === 'string') return wrong('badSoundFormat', formats);
    if (!/^\d{1,6}$/.test(stringOf(values['wait']))) return wrong('badWait', stringOf(values['wait']));
    return {
      kind: 'isolate',
      ...paid(values),
      paths,
      formats,
      outDir: stringOf(values['out']) || null,
      restoresSpeech: isOn(values['restore']),
      title: stringOf(values['title']).trim() || null,
      waitMs: Number(values['wait']) * 1000,
    };
  },
};

const dictate: Reader = {
  options: { practice: flag, local: flag, input: textOption, language: textOption, wait: withDefault('60') },
  read(values, positionals) {
    const [named, ...others] = positionals;
    const input = stringOf(values['input']) || named;
    if (input === undefined) return wrong('noInput');
    const rest = values['input'] === undefined ? others[0] : named;
    if (rest !== undefined) return wrong('unexpected', rest);
    if (values['language'] === undefined) return wrong('noLanguage');
    const language = speechLanguages.find((known) => known === values['language']);
    if (language === undefined) return wrong('badLanguage', stringOf(values['language']));
    if (!/^\d{1,6}$/.test(stringOf(values['wait']))) return wrong('badWait', stringOf(values['wait']));
    return { kind: 'dictate', input, language, waitMs: Number(values['wait']) * 1000, ...forService(values) };
  },
};

const ask: Reader = {
  options: {
    ...forPaid,
    model: textOption,
    system: textOption,
    temperature: textOption,
    about: textsOption,
    attach: textsOption,
    conversation: textOption,
    file: textOption,
    'max-tokens': withDefault('1024'),
  },
  read(values, positionals) {
    const asked = readText(values, positionals);
    if ('kind' in asked) return asked;
    const tokens = stringOf(values['max-tokens']);
    if (!/^[1-9]\d{0,5}$/.test(tokens)) return wrong('badMaxTokens', tokens);
    const conversation = stringOf(values['conversation']) || null;
    const temperature = values['temperature'] === undefined ? null : stringOf(values['temperature']);
    if (temperature !== null && !/^(?:[01](?:\.\d+)?|2(?:\.0+)?)$/.test(temperature))
      return wrong('badTemperature', temperature);
    const isOneQuestion = values['system'] !== undefined || temperature !== null;
    if (conversation !== null && isOneQuestion) return wrong('conversationOnly');
    return {
      kind: 'ask',
      ...asked,
      ...paid(values),
      model: stringOf(values['model']) || null,
      system: stringOf(values['system']) || null,
      temperature: temperature === null ? null : Number(temperature),
      about: stringsOf(values['about']),
      attach: stringsOf(values['attach']),
      maxTokens: Number(tokens),
      conversation,
    };
  },
};

/** How each command is read. */
export const readers: Readonly<Record<CommandName, Reader>> = {
  transcribe,
  export: exporting,
  speak,
  isolate,
  dictate,
  ask,
  voices: {
    options: { practice: flag, language: textOption, mine: flag, legacy: flag },
    read: (values, positionals) =>
      refusePositionals(positionals) ?? {
        kind: 'voices',
        language: stringOf(values['language']) || null,
        isOwnOnly: isOn(values['mine']),
        isLegacy: isOn(values['legacy']),
        ...forService(values),
      },
  },
  models: {
    options: { practice: flag },
    read: (values, positionals) => refusePositionals(positionals) ?? { kind: 'models', ...forService(values) },
  },
  history: {
    options: { practice: flag, limit: withDefault('20') },
    read(values, positionals) {
      const limit = stringOf(values['limit']);
      if (!/^[1-9]\d{0,2}$/.test(limit)) return wrong('badLimit', limit);
      return refusePositionals(positionals) ?? { kind: 'history', limit: Number(limit), ...forService(values) };
    },
  },
  request: {
    options: { practice: flag },
    read(values, [requestId, more]) {
      if (requestId === undefined) return wrong('noRequest');
      if (more !== undefined) return wrong('unexpected', more);
      return { kind: 'request', requestId, ...forService(values) };
    },
  },
  ...accountReaders,
  local: {
    options: {},
    read(values, [typed = 'list', target = '', ...more]) {
      const action = localActions.find((one) => one === typed);
      if (action === undefined) return wrong('badLocalAction', typed);
      if (action !== 'list' && target === '')
        return wrong(action === 'add' || action === 'check' ? 'noFolder' : 'noModel');
      return (
        refusePositionals(action === 'list' && target !== '' ? [target] : more) ?? {
          kind: 'local',
          action,
          target,
          isJson: isOn(values['json']),
        }
      );
    },
  },
  mcp: {
    options: { practice: flag, local: flag },
    read: (values, positionals) => refusePositionals(positionals) ?? { kind: 'mcp', ...forService(values) },
  },
  doctor: {
    options: {},
    read: (values, positionals) => refusePositionals(positionals) ?? { kind: 'doctor', isJson: isOn(values['json']) },
  },
  diagnostics: {
    options: { out: textOption, force: flag },
    read: (values, positionals) =>
      refusePositionals(positionals) ?? {
        kind: 'diagnostics',
        out: stringOf(values['out']) || null,
        overwrites: isOn(values['force']),
        isJson: isOn(values['json']),
      },
  },
};
