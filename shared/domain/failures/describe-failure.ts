import type { Failure } from '../../result/failure.ts';
import type { InterfaceLanguage } from '../languages.ts';
import type { FailureAction } from './actions.ts';
import { isUzbek, numberLocales, writeDate, writeTime } from '../text/write-locale.ts';
import { failureParamKinds, type FailureParamKind, type FailureParamName } from './row.ts';
import { failureRows, isFailureKind } from './rows.ts';
import type { FailureKind } from '../../result/failure-kinds.ts';
import type { Origin } from '../modes.ts';

/** What to show for a failure: keys of `shared/i18n`, values already formatted for people, and the actions to offer. */
export interface FailureDescription {
  /** A short status phrase for a row of a list. */
  readonly titleKey: string;
  /** What happened, what is kept, what to do next. */
  readonly textKey: string;
  readonly params: Readonly<Record<string, string>>;
  readonly actions: readonly FailureAction[];
}

/** Codes that are more precise than their kind; their strings are under `errors.variants`. */
export const failureVariants = [
  'empty_file',
  'empty_folder',
  'not_audio',
  'text_file',
  'no_sound',
  'no_pictures',
  'needs_converter',
  'not_convertible',
  'not_a_file',
  'file_missing',
  'no_recording',
  'file_unreadable',
  'folder_unreadable',
  'file_too_large_here',
  'export_disk_full',
  'export_folder_gone',
  'export_folder_not_writable',
  'export_not_writable',
  'legacy_type',
  'legacy_key_missing',
  'legacy_key_refused',
  'legacy_text_too_long',
  'legacy_speed',
] as const;

/** Codes of the service that are more precise than the kind they share; their strings are under `errors.codes`. */
export const codesWithWords = {
  'proxy-sign-in': ['proxy_unreachable'],
  'file-unreadable': ['speech_gone'],
  'file-changed': ['other_recording'],
  'no-receipt': ['tool_no_receipt'],
  'deleted-at-service': ['in_trash', 'unknown_transcript', 'one_transcript'],
  'job-not-found': ['maybe_sent', 'old_request', 'spoken_live', 'record_lost'],
  'disk-space-short': ['disk_full'],
  'library-damaged': ['library_restored', 'library_new', 'library_unread'],
  'not-a-recording': ['transcript_too_long'],
  'already-in-queue': ['same_in_queue', 'same_in_trash', 'other_language'],
  'export-unfinished': ['pdf_needs_browser'],
  'library-not-moved': ['move_inside', 'move_not_empty', 'move_no_room', 'move_not_writable', 'move_cancelled'],
  'key-secret-lost': ['not_copied'],
  'not-a-key': ['key_token', 'key_key'],
  'attachment-unusable': [
    'attachment_empty',
    'attachment_too_many_pages',
    'attachment_files',
    'attachment_all_files',
    'attachment_model',
  ],
  'stream-piece-unreadable': ['lines_missing'],
  'message-too-large': ['answer_too_large', 'speech_too_long'],
  'stream-complete-extra': ['answer_cut'],
  'product-unavailable': ['voice_cloning_unavailable'],
  'reading-mismatch': ['challenge_mismatch', 'speaker_mismatch'],
  'webhook-unchanged': [
    'webhook_not_found',
    'webhook_revision_conflict',
    'webhook_delivery_not_retryable',
    'webhook_limit_reached',
    'webhook_exists',
  ],
} as const satisfies Partial<Record<FailureKind, readonly string[]>>;

/** Kinds that speak of the service, with words for a computer that does the work itself, under `errors.local`. */
export const kindsWithLocalWords = [
  'service-unreachable',
  'service-timeout',
  'file-changed',
  'connection-dropped',
  'answer-lost',
  'service-troubled',
  'job-not-found',
  'type-unsupported',
  'gateway-error',
  'phrase-busy',
  'live-busy',
  'phrase-late',
  'recording-unprocessable',
  'unusually-long',
  'practice-not-started',
] as const satisfies readonly FailureKind[];
const localKinds: ReadonlySet<string> = new Set(kindsWithLocalWords);

const wordedCodes: Readonly<Record<string, readonly string[]>> = codesWithWords;
const variants: ReadonlySet<string> = new Set(failureVariants);
/** Only our own failures on this computer use variants: a server's code must never select them. */
const variantKinds = new Set(['file-unreadable', 'disk-space-short', 'not-a-recording', 'export-unfinished']);

/** The actions to offer for a failure, without its texts: cheap enough for every row of a long queue. */
export function actionsOfFailure({ kind }: Failure): readonly FailureAction[] {
  return isFailureKind(kind) ? failureRows[kind].actions : ['copy-details'];
}

/**
 * Texts and actions of a failure. The detailed text needs its values; when one is missing the plain text of the kind is
 * used, so that no placeholder is ever shown. A kind from a newer version gets the general text. `origin`: who does the
 * work.
 */
export function describeFailure(
  failure: Failure,
  language: InterfaceLanguage = 'en',
  origin: Origin = 'service',
): FailureDescription {
  if (!isFailureKind(failure.kind)) {
    return {
      titleKey: 'errors.fallback.title',
      textKey: 'errors.fallback.text',
      params: {},
      actions: ['copy-details'],
    };
  }
  const { actions, params: needed = [] } = failureRows[failure.kind];
  const params = writeParams(failure, language);
  const key = `errors.${failure.kind}`;
  if (variantKinds.has(failure.kind) && failure.layer === 'local' && variants.has(failure.code)) {
    const isNamed = params['name'] !== undefined;
    const variant = `errors.variants.${failure.code}`;
    return { titleKey: `${variant}.title`, textKey: `${variant}.${isNamed ? 'text' : 'textPlain'}`, params, actions };
  }
  if (wordedCodes[failure.kind]?.includes(failure.code)) {
    const own = `errors.codes.${failure.code}`;
    return { titleKey: `${own}.title`, textKey: `${own}.text`, params, actions };
  }
  if (origin === 'local' && localKinds.has(failure.kind)) {
    const own = `errors.local.${failure.kind}`;
    return { titleKey: `${own}.title`, textKey: `${own}.text`, params, actions };
  }
  // What is already at the service was sent, whatever its last request met.
  if (failure.kind === 'key-missing' && (failure.outcome === 'accepted' || failure.outcome === 'unknown'))
    return { titleKey: `${key}.title`, textKey: `errors.keyAfterSending.${failure.outcome}`, params, actions };
  const isComplete = needed.every((name) => params[name] !== undefined);
  return { titleKey: `${key}.title`, textKey: `${key}.${isComplete ? 'text' : 'textPlain'}`, params, actions };
}

function writeParams(failure: Failure, language: InterfaceLanguage): Record<string, string> {
  const written: Record<string, string> = {};
  for (const [name, value] of Object.entries(failure.params ?? {})) {
    const kind = isParamName(name) ? failureParamKinds[name] : 'text';
    const text = writeParam(kind, value, language);
    if (text !== '') written[name] = text;
  }
  return written;
}

function writeParam(kind: FailureParamKind, value: string | number, language: InterfaceLanguage): string {
  if (kind === 'text' || typeof value === 'string') return String(value);
  if (!Number.isFinite(value)) return '';
  switch (kind) {
    case 'bytes':
      return writeBytes(value, language);
    case 'wait-ms':
      return writeWait(value, language);
    case 'date-ms':
      return `${writeDate(value, language)} ${writeTime(value, language)}`;
    default:
      return String(value);
  }
}

function writeBytes(bytes: number, language: InterfaceLanguage): string {
  const step = Math.min(4, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** step;
  if (isUzbek(language))
    return `${writeNumber(value, step === 0 ? 0 : 1, language)}\u00a0${uzbekUnits[language].bytes[step] ?? ''}`;
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
  return unitFormat(language, units[step] ?? 'byte', step === 0 ? 0 : 1, 'short').format(value);
}

function writeWait(waitMs: number, language: InterfaceLanguage): string {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const isShort = seconds < 90;
  const count = isShort ? seconds : Math.ceil(seconds / 60);
  if (isUzbek(language)) {
    const { second, minute } = uzbekUnits[language];
    return `${writeNumber(count, 0, language)} ${isShort ? second : minute}`;
  }
  return unitFormat(language, isShort ? 'second' : 'minute', 0, 'long').format(count);
}

const uzbekUnits = {
  uz: { bytes: ['B', 'KB', 'MB', 'GB', 'TB'], second: 'soniya', minute: 'daqiqa' },
  'uz-Cyrl': { bytes: ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ'], second: 'сония', minute: 'дақиқа' },
};

const writeNumber = (value: number, maximumFractionDigits: number, language: InterfaceLanguage): string =>
  new Intl.NumberFormat(numberLocales[language], { maximumFractionDigits }).format(value);

const unitFormat = (
  language: InterfaceLanguage,
  unit: string,
  maximumFractionDigits: number,
  unitDisplay: 'short' | 'long',
): Intl.NumberFormat =>
  new Intl.NumberFormat(numberLocales[language], { style: 'unit', unit, unitDisplay, maximumFractionDigits });

const isParamName = (name: string): name is FailureParamName => Object.hasOwn(failureParamKinds, name);
