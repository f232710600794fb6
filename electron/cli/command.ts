import type { LogFilterView } from '../../shared/domain/account/account-views.ts';
import type { KeyInput } from '../../shared/domain/account/key-input.ts';
import type { ExportFormat } from '../../shared/domain/exports/formats.ts';
import type { ModeId } from '../../shared/domain/modes.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import type { UsagePeriod } from '../../shared/domain/ledger/usage-by-day.ts';

/** All commands, in the order of the help. */
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

interface ForAll {
  /** One JSON object a line on standard output, and nothing else there. */
  readonly isJson: boolean;
}

interface ForService extends ForAll {
  readonly mode: ModeId;
}

interface Paid extends ForService {
  /** Whether existing files may be replaced. */
  readonly overwrites: boolean;
  /** Allows a new request, which may be charged, where an earlier one for the same content has an unknown outcome. */
  readonly sendsAgain: boolean;
}

export interface TranscribeCommand extends ForService {
  readonly kind: 'transcribe';
  readonly paths: readonly string[];
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
  /** The legacy API transcribes. */
  readonly isLegacy: boolean;
  readonly formats: readonly ExportFormat[];
  /** Null: beside each recording. */
  readonly outDir: string | null;
  readonly concurrency: number;
  readonly waitMs: number;
  /** Sends again what may be charged again: jobs that the service lost, failed or knows under another key. */
  readonly sendsAgain: boolean;
}

export interface ExportCommand extends ForAll {
  readonly kind: 'export';
  /** Ids or titles of transcripts. */
  readonly names: readonly string[];
  readonly isAll: boolean;
  readonly formats: readonly ExportFormat[];
  /** For subtitles: a guide, a file, or the name of a profile of one's own. */
  readonly profile: string | null;
  /** `name=value` pairs with commas. */
  readonly options: string;
  readonly outDir: string;
  readonly template: string;
  readonly layout: 'files' | 'folders' | 'zip';
  readonly overwrites: boolean;
  readonly mode: ModeId;
}

export interface SpeakCommand extends Paid {
  readonly kind: 'speak';
  readonly text: string;
  /** The file that holds the text instead; `-` is standard input. */
  readonly file: string | null;
  readonly language: string;
  /** Null: the first voice of the language. */
  readonly voiceId: string | null;
  readonly speed: number;
  /** Null: `speech.wav` in this folder, with a number when that exists. */
  readonly out: string | null;
  readonly waitMs: number;
  /** Over the live stream of the service. */
  readonly isStreamed: boolean;
}

/** The formats of the service's exports. */
export const isolationFormats = ['mp3', 'wav', 'flac', 'ogg', 'original'] as const;
export type IsolationFormat = (typeof isolationFormats)[number];

export interface IsolateCommand extends Paid {
  readonly kind: 'isolate';
  readonly paths: readonly string[];
  readonly formats: readonly IsolationFormat[];
  /** Null: beside each recording. */
  readonly outDir: string | null;
  readonly restoresSpeech: boolean;
  /** The name at the service and in the library; null: the file's name. */
  readonly title: string | null;
  readonly waitMs: number;
}

export interface DictateCommand extends ForService {
  readonly kind: 'dictate';
  readonly input: string;
  readonly language: SpeechLanguage;
  readonly waitMs: number;
}

export interface AskCommand extends Paid {
  readonly kind: 'ask';
  readonly text: string;
  readonly file: string | null;
  /** Null: the first model of the catalogue. */
  readonly model: string | null;
  readonly system: string | null;
  /** 0 to 2; null: the service's own. */
  readonly temperature: number | null;
  /** Ids or titles of the transcripts that the question is about. */
  readonly about: readonly string[];
  /** Pictures and PDFs that are asked about. */
  readonly attach: readonly string[];
  readonly maxTokens: number;
  /** A conversation of the library to continue, by id or title; `new` begins one; null: nothing is kept. */
  readonly conversation: string | null;
}

export interface VoicesCommand extends ForService {
  readonly kind: 'voices';
  readonly language: string | null;
  readonly isOwnOnly: boolean;
  /** The voices of the legacy API instead. */
  readonly isLegacy: boolean;
}

export interface ModelsCommand extends ForService {
  readonly kind: 'models';
}

/** Lists the speech generated before, as the service has it. */
export interface HistoryCommand extends ForService {
  readonly kind: 'history';
  readonly limit: number;
}

export interface RequestCommand extends ForService {
  readonly kind: 'request';
  /** The id of a question, as `ask` printed it. */
  readonly requestId: string;
}

export interface UsageCommand extends ForService {
  readonly kind: 'usage';
  readonly days: number;
  /** What this computer knows. */
  readonly account: null;
}

export interface AccountUsageCommand extends ForService {
  readonly kind: 'usage';
  /** The period that the service counts for the account. */
  readonly account: UsagePeriod;
}

/** Lists the requests of the account, as the service logs them. */
export interface RequestsCommand extends ForService {
  readonly kind: 'requests';
  readonly filter: LogFilterView;
  readonly limit: number;
}

export interface KeysCommand extends ForService {
  readonly kind: 'keys';
  readonly action: 'list' | 'create' | 'disable' | 'enable' | 'revoke' | 'delete';
  /** The name of a new key, otherwise the id of a key. */
  readonly subject: string;
  readonly wanted: KeyInput;
}

export interface WebhooksCommand extends ForService {
  readonly kind: 'webhooks';
  readonly action:
    | 'list'
    | 'create'
    | 'change'
    | 'disable'
    | 'enable'
    | 'delete'
    | 'rotate'
    | 'test'
    | 'deliveries'
    | 'retry';
  /** The address of a new webhook, otherwise the id of a webhook. */
  readonly subject: string;
  readonly deliveryId: string;
  /** The new address; null leaves it unchanged. */
  readonly url: string | null;
  /** Empty leaves them unchanged; a new webhook needs some. */
  readonly eventTypes: readonly string[];
}

export interface ToolServerCommand extends ForService {
  readonly kind: 'mcp';
}

/** What is done with the models of this computer. */
export const localActions = ['list', 'download', 'add', 'remove', 'check'] as const;

export interface LocalCommand extends ForAll {
  readonly kind: 'local';
  readonly action: (typeof localActions)[number];
  /** The id of a model, or a folder; empty for a list. */
  readonly target: string;
}

export interface DoctorCommand extends ForAll {
  readonly kind: 'doctor';
}

export interface DiagnosticsCommand extends ForAll {
  readonly kind: 'diagnostics';
  /** Null: a new file in this folder. */
  readonly out: string | null;
  readonly overwrites: boolean;
}

/** `problem`: a key under `cli.problem`. */
export interface Wrong {
  readonly kind: 'wrong';
  readonly problem: string;
  readonly word: string;
}

export const wrong = (problem: string, word = ''): Wrong => ({ kind: 'wrong', problem, word });

export type Command =
  | TranscribeCommand
  | ExportCommand
  | SpeakCommand
  | IsolateCommand
  | DictateCommand
  | AskCommand
  | VoicesCommand
  | ModelsCommand
  | HistoryCommand
  | RequestCommand
  | UsageCommand
  | AccountUsageCommand
  | RequestsCommand
  | KeysCommand
  | WebhooksCommand
  | LocalCommand
  | ToolServerCommand
  | DoctorCommand
  | DiagnosticsCommand
  | { readonly kind: 'help'; readonly topic: CommandName | null }
  | { readonly kind: 'version' }
  | Wrong;

/** Why a file of corrections was rejected; the problem is a key under `corrections.problems`. */
export interface Complaint {
  readonly line: number;
  readonly at: string;
  readonly problem: string;
}
