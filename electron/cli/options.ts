import { defaultCopyTemplate, templateFault } from '../../shared/domain/exports/safe-file-name.ts';
import { isLegacyVoice } from '../../shared/domain/speech/voices.ts';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { logMethods, logPeriods } from '../../shared/domain/account/account-views.ts';
import { knownPermissions, type KeyInput } from '../../shared/domain/account/key-input.ts';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import { isCutFormat, type ExportFormat } from '../../shared/domain/exports/formats.ts';
import { speechLanguages } from '../../shared/domain/languages.ts';
import { usagePeriods } from '../../shared/domain/ledger/usage-by-day.ts';
import type { ModeId } from '../../shared/domain/modes.ts';

/** In the order of the help. */
export const commandNames = [
  'transcribe',
  'export',
  'speak',
  'isolate',
  'dictate',
  'ask',
  'voices',
  'models',
  'history',
  'request',
  'usage',
  'requests',
  'keys',
  'webhooks',
  'local',
  'mcp',
  'doctor',
  'diagnostics',
] as const;
export type CommandName = (typeof commandNames)[number];

/** `problem`: a key under `cli.problem`. */
interface Wrong {
  readonly kind: 'wrong';
  readonly problem: string;
  readonly word: string;
}

const wrong = (problem: string, word = ''): Wrong => ({ kind: 'wrong', problem, word });
const refusePositionals = (positionals: readonly string[]): Wrong | null =>
  positionals[0] === undefined ? null : wrong('unexpected', positionals[0]);

type Options = NonNullable<ParseArgsConfig['options']>;

const flag = { type: 'boolean', default: false } as const;
const textOption = { type: 'string' } as const;
const textsOption = { type: 'string', multiple: true, default: [] as string[] } as const;
const withDefault = (value: string) => ({ type: 'string', default: value }) as const;

const forAll = { json: flag, help: { type: 'boolean', short: 'h', default: false } } as const;
const forPaid = { practice: flag, force: flag, 'send-again': flag } as const;

type ValuesOf<Own extends Options> = ReturnType<
  typeof parseArgs<{ options: typeof forAll & Own; allowPositionals: true; strict: true }>
>['values'];

/** One command: its own options, and how its values are read. Null: its help is wanted. */
const reader =
  <const Own extends Options, Read extends { readonly kind: CommandName }>(
    options: Own,
    read: (values: ValuesOf<Own>, positionals: readonly string[]) => Read | Wrong,
  ) =>
  (args: string[]): Read | Wrong | null => {
    const parsed = parseArgs({ args, allowPositionals: true, strict: true, options: { ...forAll, ...options } });
    const values = parsed.values as ValuesOf<Own> & { readonly help: boolean };
    return values.help ? null : read(values, parsed.positionals);
  };

const forService = (values: {
  readonly json: boolean;
  readonly practice?: boolean;
  readonly local?: boolean;
}): { readonly mode: ModeId; readonly isJson: boolean } => ({
  mode: values.practice === true ? 'practice' : values.local === true ? 'local' : 'service',
  isJson: values.json,
});

const paid = (values: ValuesOf<typeof forPaid> & { readonly local?: boolean }) => ({
  overwrites: values.force,
  sendsAgain: values['send-again'],
  ...forService(values),
});

const layouts = ['files', 'folders', 'zip'] as const;
const isolationFormats = ['mp3', 'wav', 'flac', 'ogg', 'original'] as const;
export type IsolationFormat = (typeof isolationFormats)[number];
const localActions = ['list', 'download', 'add', 'remove', 'check'] as const;
const keyActions = ['list', 'create', 'disable', 'enable', 'revoke', 'delete'] as const;
const webhookActions = [
  'list',
  'create',
  'change',
  'disable',
  'enable',
  'delete',
  'rotate',
  'test',
  'deliveries',
  'retry',
] as const;
const isWait = (typed: string): boolean => /^\d{1,6}$/.test(typed);

const isFormat = (name: string): name is ExportFormat => Object.hasOwn(exporters, name);
const isTextFormat = (name: string): name is ExportFormat => isFormat(name) && !isCutFormat(name);
const isIsolationFormat = (name: string): name is IsolationFormat => isolationFormats.some((one) => one === name);
function listOf<T extends string>(typed: string, isOurs: (name: string) => name is T): readonly T[] | string {
  const found: T[] = [];
  for (const name of typed.split(',').map((part) => part.trim().toLowerCase())) {
    if (!isOurs(name)) return name;
    if (!found.includes(name)) found.push(name);
  }
  return found;
}

function readText(file: string | undefined, positionals: readonly string[]) {
  if (file !== undefined) return positionals.length === 0 ? { text: '', file } : wrong('textAndFile');
  const typed = positionals.join(' ').trim();
  return typed === '' ? wrong('noText') : { text: typed, file: null };
}

const isOneOf = <T extends string>(names: readonly T[], name: string): name is T => names.some((one) => one === name);

/** The first of these options that was given, to an action that would ignore it. */
function given(values: Readonly<Record<string, unknown>>, names: readonly string[]): Wrong | null {
  const found = names.find((name) => {
    const value = values[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '' && value !== false;
  });
  return found === undefined ? null : wrong('unexpected', `--${found}`);
}

/** False also for a day that its month does not have: a date would count on into the next month. */
function isDay(text: string): boolean {
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && atMs >= 0 && new Date(atMs).toISOString().startsWith(text);
}

const keyOptions = {
  practice: flag,
  allow: textsOption,
  'allow-all': flag,
  expires: textOption,
  credits: textOption,
  ip: textsOption,
} as const;

function readKeyInput(values: ValuesOf<typeof keyOptions>): KeyInput | Wrong {
  const permissions: Record<string, string> = {};
  for (const typed of values.allow) {
    const [id = '', level = ''] = typed.split('=');
    const known = knownPermissions.find((one) => one.id === id);
    if (known === undefined || !known.levels.includes(level)) return wrong('badPermission', typed);
    permissions[id] = level;
  }
  const isRestricted = !values['allow-all'];
  if (isRestricted === (Object.keys(permissions).length === 0)) return wrong('noPermission');
  const expires = values.expires ?? '';
  if (expires !== '' && !isDay(expires)) return wrong('badExpiry', expires);
  const credits = values.credits ?? '';
  if (!/^\d{0,15}$/.test(credits)) return wrong('badCredits', credits);
  const allowedIps = values.ip;
  return {
    isRestricted,
    ...(isRestricted ? { permissions } : {}),
    ...(expires === '' ? {} : { expiresAt: `${expires}T23:59:59Z` }),
    ...(credits === '' ? {} : { creditLimit: Number(credits) }),
    ...(allowedIps.length === 0 ? {} : { allowedIps }),
  };
}

const readers = {
  transcribe: reader(
    {
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
    (values, paths) => {
      if (paths.length === 0) return wrong('noPaths');
      if (values.language === undefined) return wrong('noLanguage');
      const language = speechLanguages.find((known) => known === values.language);
      if (language === undefined) return wrong('badLanguage', values.language);
      const formats = listOf(values.format, isTextFormat);
      if (typeof formats === 'string') return wrong('badFormat', formats);
      if (!/^[1-8]$/.test(values.concurrency)) return wrong('badConcurrency', values.concurrency);
      if (!isWait(values.wait)) return wrong('badWait', values.wait);
      return {
        kind: 'transcribe',
        paths,
        language,
        includeSpeakers: values.speakers,
        isLegacy: values.legacy,
        formats,
        outDir: values.out || null,
        concurrency: Number(values.concurrency),
        waitMs: Number(values.wait) * 1000,
        sendsAgain: values['send-again'],
        ...forService(values),
      };
    },
  ),
  export: reader(
    {
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
    (values, names) => {
      const isAll = values.all;
      if (names.length === 0 && !isAll) return wrong('noTranscripts');
      const outDir = values.out ?? '';
      if (outDir === '') return wrong('noOut');
      const formats = listOf(values.format, isFormat);
      if (typeof formats === 'string') return wrong('badFormat', formats);
      const layout = layouts.find((known) => known === values.layout);
      if (layout === undefined) return wrong('badLayout', values.layout);
      const template = values.name;
      if (templateFault(template) !== null) return wrong('badTemplate', template);
      return {
        kind: 'export',
        names,
        isAll,
        formats,
        profile: values.profile || null,
        options: values.options ?? '',
        outDir,
        template,
        layout,
        overwrites: values.force,
        ...forService(values),
      };
    },
  ),
  speak: reader(
    {
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
    (values, positionals) => {
      const said = readText(values.file, positionals);
      if ('kind' in said) return said;
      const language = values.language ?? '';
      if (language === '') return wrong('noSpokenLanguage');
      if (!/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?$/.test(language)) return wrong('badSpokenLanguage', language);
      const speed = Number(values.speed || 'none');
      if (!(speed >= 0.5 && speed <= 2)) return wrong('badSpeed', values.speed);
      if (!isWait(values.wait)) return wrong('badWait', values.wait);
      const isStreamed = values.stream;
      if (isStreamed && isLegacyVoice(values.voice ?? '')) return wrong('streamedLegacy');
      return {
        kind: 'speak',
        ...said,
        ...paid(values),
        language,
        voiceId: values.voice || null,
        speed,
        out: values.out || null,
        waitMs: Number(values.wait) * 1000,
        isStreamed,
      };
    },
  ),
  isolate: reader(
    {
      ...forPaid,
      format: withDefault('mp3'),
      out: textOption,
      restore: flag,
      title: textOption,
      wait: withDefault('1800'),
      local: flag,
    },
    (values, paths) => {
      if (paths.length === 0) return wrong('noPathsToClean');
      if (values.title !== undefined && paths.length > 1) return wrong('titleOfMany');
      const formats = listOf(values.format, isIsolationFormat);
      if (typeof formats === 'string') return wrong('badSoundFormat', formats);
      if (!isWait(values.wait)) return wrong('badWait', values.wait);
      return {
        kind: 'isolate',
        ...paid(values),
        paths,
        formats,
        outDir: values.out || null,
        restoresSpeech: values.restore,
        title: (values.title ?? '').trim() || null,
        waitMs: Number(values.wait) * 1000,
      };
    },
  ),
  dictate: reader(
    { practice: flag, local: flag, input: textOption, language: textOption, wait: withDefault('60') },
    (values, positionals) => {
      const [named, ...others] = positionals;
      const input = (values.input ?? '') || named;
      if (input === undefined) return wrong('noInput');
      const rest = values.input === undefined ? others[0] : named;
      if (rest !== undefined) return wrong('unexpected', rest);
      if (values.language === undefined) return wrong('noLanguage');
      const language = speechLanguages.find((known) => known === values.language);
      if (language === undefined) return wrong('badLanguage', values.language);
      if (!isWait(values.wait)) return wrong('badWait', values.wait);
      return { kind: 'dictate', input, language, waitMs: Number(values.wait) * 1000, ...forService(values) };
    },
  ),
  ask: reader(
    {
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
    (values, positionals) => {
      const asked = readText(values.file, positionals);
      if ('kind' in asked) return asked;
      const tokens = values['max-tokens'];
      if (!/^[1-9]\d{0,5}$/.test(tokens)) return wrong('badMaxTokens', tokens);
      const conversation = values.conversation || null;
      const temperature = values.temperature ?? null;
      if (temperature !== null && !/^(?:[01](?:\.\d+)?|2(?:\.0+)?)$/.test(temperature))
        return wrong('badTemperature', temperature);
      const isOneQuestion = values.system !== undefined || temperature !== null;
      if (conversation !== null && isOneQuestion) return wrong('conversationOnly');
      return {
        kind: 'ask',
        ...asked,
        ...paid(values),
        model: values.model || null,
        system: values.system || null,
        temperature: temperature === null ? null : Number(temperature),
        about: values.about,
        attach: values.attach,
        maxTokens: Number(tokens),
        conversation,
      };
    },
  ),
  voices: reader(
    { practice: flag, language: textOption, mine: flag, legacy: flag },
    (values, positionals) =>
      refusePositionals(positionals) ?? {
        kind: 'voices',
        language: values.language || null,
        isOwnOnly: values.mine,
        isLegacy: values.legacy,
        ...forService(values),
      },
  ),
  models: reader(
    { practice: flag },
    (values, positionals) => refusePositionals(positionals) ?? { kind: 'models', ...forService(values) },
  ),
  history: reader({ practice: flag, limit: withDefault('20') }, (values, positionals) => {
    const limit = values.limit;
    if (!/^[1-9]\d{0,2}$/.test(limit)) return wrong('badLimit', limit);
    return refusePositionals(positionals) ?? { kind: 'history', limit: Number(limit), ...forService(values) };
  }),
  request: reader({ practice: flag }, (values, [requestId, more]) => {
    if (requestId === undefined) return wrong('noRequest');
    if (more !== undefined) return wrong('unexpected', more);
    return { kind: 'request', requestId, ...forService(values) };
  }),
  usage: reader({ practice: flag, days: withDefault('30'), account: flag }, (values, positionals) => {
    const days = values.days;
    if (!/^[1-9]\d{0,3}$/.test(days)) return wrong('badDays', days);
    const period = usagePeriods.find((known) => String(known) === days);
    const unexpected = refusePositionals(positionals);
    if (unexpected !== null) return unexpected;
    if (!values.account) return { kind: 'usage', days: Number(days), account: null, ...forService(values) };
    if (period === undefined) return wrong('badAccountDays', days);
    return { kind: 'usage', account: period, ...forService(values) };
  }),
  requests: reader(
    {
      practice: flag,
      days: withDefault('7'),
      status: textOption,
      method: textOption,
      route: textOption,
      key: textOption,
      failed: flag,
      search: textOption,
      limit: withDefault('20'),
    },
    (values, positionals) => {
      const days = logPeriods.find((known) => String(known) === values.days);
      if (days === undefined) return wrong('badLogDays', values.days);
      const limit = values.limit;
      if (!/^[1-9]\d{0,2}$/.test(limit)) return wrong('badLimit', limit);
      const status = values.status ?? '';
      if (!/^(?:[1-5]\d\d)?$/.test(status)) return wrong('badStatus', status);
      const typed = (values.method ?? '').toUpperCase();
      const method = logMethods.find((known) => known === typed) ?? null;
      if (typed !== '' && method === null) return wrong('badMethod', typed);
      const filter = {
        days,
        status: status === '' ? null : Number(status),
        method,
        route: values.route || null,
        keyId: values.key || null,
        isFailedOnly: values.failed,
        hidesReads: false,
        text: values.search ?? '',
      };
      return (
        refusePositionals(positionals) ?? { kind: 'requests', filter, limit: Number(limit), ...forService(values) }
      );
    },
  ),
  keys: reader(keyOptions, (values, [action = 'list', subject, more]) => {
    if (!isOneOf(keyActions, action)) return wrong('badKeyAction', action);
    if (more !== undefined) return wrong('unexpected', more);
    if (action === 'list' ? subject !== undefined : subject === undefined)
      return subject === undefined
        ? wrong(action === 'create' ? 'noKeyName' : 'noKeyId')
        : wrong('unexpected', subject);
    const idle = action === 'create' ? null : given(values, ['allow', 'allow-all', 'expires', 'credits', 'ip']);
    if (idle !== null) return idle;
    const wanted = action === 'create' ? readKeyInput(values) : {};
    if ('kind' in wanted) return wanted;
    return { kind: 'keys', action, subject: subject ?? '', wanted, ...forService(values) };
  }),
  webhooks: reader(
    { practice: flag, event: textsOption, url: textOption },
    (values, [action = 'list', subject, deliveryId, more]) => {
      if (!isOneOf(webhookActions, action)) return wrong('badWebhookAction', action);
      const unexpected =
        more ?? (action === 'retry' ? undefined : deliveryId) ?? (action === 'list' ? subject : undefined);
      if (unexpected !== undefined) return wrong('unexpected', unexpected);
      if (action !== 'list' && subject === undefined)
        return wrong(action === 'create' ? 'noWebhookAddress' : 'noWebhookId');
      if (action === 'retry' && deliveryId === undefined) return wrong('noDeliveryId');
      const isNew = action === 'create';
      const idle = action === 'change' ? null : given(values, isNew ? ['url'] : ['url', 'event']);
      if (idle !== null) return idle;
      const eventTypes = values.event;
      const url = values.url ?? null;
      if (action === 'change' && url === null && eventTypes.length === 0) return wrong('nothingToChange');
      const at = { action, subject: subject ?? '', deliveryId: deliveryId ?? '' };
      return { kind: 'webhooks', ...at, url, eventTypes, ...forService(values) };
    },
  ),
  local: reader({}, (values, [typed = 'list', target = '', ...more]) => {
    const action = localActions.find((one) => one === typed);
    if (action === undefined) return wrong('badLocalAction', typed);
    if (action !== 'list' && target === '')
      return wrong(action === 'add' || action === 'check' ? 'noFolder' : 'noModel');
    return (
      refusePositionals(action === 'list' && target !== '' ? [target] : more) ?? {
        kind: 'local',
        action,
        target,
        isJson: values.json,
      }
    );
  }),
  mcp: reader(
    { practice: flag, local: flag },
    (values, positionals) => refusePositionals(positionals) ?? { kind: 'mcp', ...forService(values) },
  ),
  doctor: reader(
    {},
    (values, positionals) => refusePositionals(positionals) ?? { kind: 'doctor', isJson: values.json },
  ),
  diagnostics: reader(
    { out: textOption, force: flag },
    (values, positionals) =>
      refusePositionals(positionals) ?? {
        kind: 'diagnostics',
        out: values.out || null,
        overwrites: values.force,
        isJson: values.json,
      },
  ),
} satisfies Readonly<Record<CommandName, unknown>>;

type CommandOf<Name extends CommandName> = Exclude<ReturnType<(typeof readers)[Name]>, Wrong | null>;
export type TranscribeCommand = CommandOf<'transcribe'>;
export type ExportCommand = CommandOf<'export'>;
export type SpeakCommand = CommandOf<'speak'>;
export type IsolateCommand = CommandOf<'isolate'>;
export type DictateCommand = CommandOf<'dictate'>;
export type AskCommand = CommandOf<'ask'>;
export type VoicesCommand = CommandOf<'voices'>;
export type ModelsCommand = CommandOf<'models'>;
export type HistoryCommand = CommandOf<'history'>;
export type RequestCommand = CommandOf<'request'>;
export type RequestsCommand = CommandOf<'requests'>;
export type KeysCommand = CommandOf<'keys'>;
export type WebhooksCommand = CommandOf<'webhooks'>;
export type LocalCommand = CommandOf<'local'>;
export type DiagnosticsCommand = CommandOf<'diagnostics'>;
export type UsageCommand = Extract<CommandOf<'usage'>, { readonly account: null }>;
export type AccountUsageCommand = Exclude<CommandOf<'usage'>, UsageCommand>;
export type Command =
  | CommandOf<CommandName>
  | { readonly kind: 'help'; readonly topic: CommandName | null }
  | { readonly kind: 'version' }
  | Wrong;

const isCommandName = (name: string): name is CommandName => commandNames.some((one) => one === name);

/** Reads the arguments after the script's name. The first one is the command. Never throws. */
export function readCommand(args: readonly string[]): Command {
  const [name, ...rest] = args;
  if (name === undefined) return wrong('noCommand');
  if (name === '--help' || name === '-h') return { kind: 'help', topic: null };
  if (name === '--version' || name === '-V') return { kind: 'version' };
  if (name === 'help') return { kind: 'help', topic: commandNames.find((one) => one === rest[0]) ?? null };
  if (!isCommandName(name)) return name.startsWith('-') ? wrong('noCommand') : wrong('unknownCommand', name);
  try {
    return readers[name](rest) ?? { kind: 'help', topic: name };
  } catch (error) {
    const named = error instanceof Error ? /'(-[^']*)'/.exec(error.message)?.[1] : undefined;
    return wrong('unknownOption', named ?? rest.find((arg) => arg.startsWith('-')) ?? '');
  }
}
