import type { ModeId } from '../../../shared/domain/modes.ts';
import type { KeyDescription } from '../secrets/key-service.ts';
import type { StoredSettings } from '../settings/stored-settings.ts';
import type { PaidRecord } from '../account/ledger.ts';
import type { StorageUse } from '../../storage/storage-folder.ts';

export interface JobFacts {
  readonly id: string;
  readonly tag: string;
  readonly addedAtMs: number;
  readonly language: string;
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  readonly ending: string | null;
  readonly attempt: number | null;
  readonly row: string | null;
  readonly code: string | null;
  readonly status: number | null;
  readonly requestId: string | null;
}

export interface LibraryFacts {
  readonly kind: ModeId;
  readonly state: string;
  readonly schemaVersion: number | null;
  readonly bytes: number;
  readonly jobs: readonly JobFacts[];
}

/** Everything that a support report may contain; there is no field for anything else. */
export interface DiagnosticsFacts {
  readonly madeAtMs: number;
  readonly app: { readonly version: string; readonly shell: 'window' | 'terminal'; readonly isPackaged: boolean };
  readonly system: {
    readonly platform: string;
    readonly arch: string;
    readonly release: string;
    readonly node: string;
    readonly electron: string | null;
    readonly timeZone: string;
    readonly memoryMb: number;
  };
  readonly settings: {
    readonly mode: StoredSettings['mode'];
    readonly interfaceLanguage: string;
    readonly appearance: string;
    readonly uploadsAtOnce: number;
    readonly keepsLog: boolean;
    readonly hasAddress: boolean;
  };
  readonly key: Pick<KeyDescription, 'present' | 'store' | 'keychain'>;
  readonly products: readonly {
    readonly product: string;
    readonly access: string;
    readonly permission: string | null;
  }[];
  readonly storage: StorageUse;
  readonly libraries: readonly LibraryFacts[];
  readonly ledger: readonly PaidRecord[] | null;
  readonly logs: readonly { readonly name: string; readonly lines: readonly string[] }[];
}

const format = 1;
const idFields = new Set(['id', 'requestId', 'llmRequestId', 'item']);
/** No spaces: a sentence has them, a code does not. */
const safe = /^[A-Za-z0-9_.:/{}+-]{0,160}$/;
const stricter: Readonly<Record<string, RegExp>> = {
  permission: /^[a-z_]{1,40}: (?:none|read|write|access)$/,
  language: /^[a-z]{2,3}(?:-[A-Za-z]{2,8})?$/,
};
const looksLikeKey = (text: string) => /(^|[^a-z])(sk|pk)[_-]/i.test(text) || /:\/\//.test(text);
const looksRandom = (text: string) => /[A-Za-z0-9]{21,}/.test(text) && /\d/.test(text);

export const diagnosticsName = (nowMs: number): string =>
  `ovoz-diagnostics-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}.json`;

/** Whatever could be anything but a word of ours, a number or an id is replaced (S-08, S-09). */
export function writeDiagnostics(facts: DiagnosticsFacts): string {
  const { ledger, logs, ...rest } = facts;
  const report = {
    format,
    ...rest,
    madeAt: new Date(facts.madeAtMs).toISOString(),
    ledger: ledger?.map(withoutIdsOfWork) ?? null,
    logs: logs.map(({ name, lines }) => ({ name, lines: lines.map(parseLine) })),
  };
  return `${JSON.stringify(clean(report, ''), null, 1)}\n`;
}

/** The id of a work leads to its content, whereas support needs the ids of requests. */
const withoutIdsOfWork = (record: PaidRecord) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'remoteId'));

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return '[unreadable]';
  }
}

function clean(value: unknown, name: string): unknown {
  if (typeof value === 'string') return isSafe(value, name) ? value : '[unsafe]';
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map((item) => clean(item, name));
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? value : null;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [isSafe(key, '') ? key : '[unsafe]', clean(item, key)]),
  );
}

const isSafe = (text: string, name: string): boolean =>
  (stricter[name] ?? safe).test(text) && !looksLikeKey(text) && (idFields.has(name) || !looksRandom(text));
