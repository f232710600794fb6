import { isAddressOrRange } from '../urls/judge-address.ts';

/** Limits of keys of the account (contract 2.1, 4.1, 8). */
export const keyLimits = { nameCharacters: { min: 1, max: 80 }, allowedIps: 100 } as const;

/** Windows that usage can be asked for (contract 4.2, 8), milliseconds. */
export const analyticsLimits = { windowMs: 90 * 86_400_000, hourlyWindowMs: 31 * 86_400_000 } as const;

export interface KeyInput {
  readonly name?: string | undefined;
  /** Permission id to level; replaces the whole map. */
  readonly permissions?: Readonly<Record<string, string>> | undefined;
  /** RFC 3339; null: never. */
  readonly expiresAt?: string | null | undefined;
  readonly creditLimit?: number | null | undefined;
  readonly allowedIps?: readonly string[] | undefined;
  readonly isRestricted?: boolean | undefined;
  readonly disablesIfLeaked?: boolean | undefined;
  readonly enabled?: boolean | undefined;
}

export type KeyFault =
  | { readonly field: 'name'; readonly problem: 'empty' | 'long' | 'control' }
  | { readonly field: 'expiresAt'; readonly problem: 'malformed' | 'past' }
  | { readonly field: 'creditLimit'; readonly problem: 'malformed' }
  | { readonly field: 'allowedIps'; readonly problem: 'malformed'; readonly which: string }
  | { readonly field: 'allowedIps'; readonly problem: 'many' };

/** What the service would refuse in a key (contract 4.1), one fault per field. */
export function judgeKeyInput(wanted: KeyInput, nowMs: number): readonly KeyFault[] {
  return [
    ...judgeName(wanted.name),
    ...judgeExpiry(wanted.expiresAt, nowMs),
    ...judgeCredits(wanted.creditLimit),
    ...judgeIps(wanted.allowedIps),
  ];
}

function judgeName(name: string | undefined): readonly KeyFault[] {
  if (name === undefined) return [];
  if (name.trim() === '') return [{ field: 'name', problem: 'empty' }];
  if (/\p{Cc}/u.test(name)) return [{ field: 'name', problem: 'control' }];
  return Array.from(name).length > keyLimits.nameCharacters.max ? [{ field: 'name', problem: 'long' }] : [];
}

function judgeExpiry(expiresAt: string | null | undefined, nowMs: number): readonly KeyFault[] {
  if (expiresAt === undefined || expiresAt === null) return [];
  const isWhole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/u.test(expiresAt);
  const ms = isWhole ? Date.parse(expiresAt) : Number.NaN;
  if (Number.isNaN(ms)) return [{ field: 'expiresAt', problem: 'malformed' }];
  return ms <= nowMs ? [{ field: 'expiresAt', problem: 'past' }] : [];
}

const judgeCredits = (limit: number | null | undefined): readonly KeyFault[] =>
  limit === undefined || limit === null || (Number.isSafeInteger(limit) && limit >= 0)
    ? []
    : [{ field: 'creditLimit', problem: 'malformed' }];

function judgeIps(ips: readonly string[] | undefined): readonly KeyFault[] {
  if (ips === undefined) return [];
  if (ips.length > keyLimits.allowedIps) return [{ field: 'allowedIps', problem: 'many' }];
  const which = ips.find((ip) => !isAddressOrRange(ip));
  return which === undefined ? [] : [{ field: 'allowedIps', problem: 'malformed', which }];
}

export const readIpList = (text: string): readonly string[] =>
  text
    .split(/[\s,;]+/u)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export const knownPermissions: readonly { readonly id: string; readonly levels: readonly string[] }[] = [
  { id: 'speech_to_text', levels: ['none', 'read', 'write', 'access'] },
  { id: 'stt_realtime', levels: ['none', 'access'] },
  { id: 'text_to_speech', levels: ['none', 'read', 'write', 'access'] },
  { id: 'tts_realtime', levels: ['none', 'access'] },
  { id: 'audio_isolation', levels: ['none', 'read', 'write', 'access'] },
  { id: 'voices', levels: ['none', 'read', 'write', 'access'] },
  { id: 'llm', levels: ['none', 'read', 'write', 'access'] },
  { id: 'webhooks', levels: ['none', 'access'] },
];
