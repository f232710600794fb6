import { judgeWebhookAddress, type UnsafeAddress } from '../urls/judge-address.ts';

/** Limits of webhooks (contract 4.11, 6.1, 8); times in milliseconds. */
export const webhookLimits = {
  activePerAccount: 20,
  urlCharacters: 2048,
  port: 443,
  bodyBytes: 16 * 1024,
  eventTypes: { min: 1, max: 4 },
  receiverTimeoutMs: 10_000,
  attempts: 8,
  backoffMs: [5_000, 30_000, 120_000, 600_000, 3_600_000, 10_800_000, 43_200_000],
  retriedStatuses: [408, 409, 425, 429],
  signatureAgeMs: 300_000,
} as const;

/** Subscribable events (contract 6.1); the current routes send only those about finished speech. */
export const webhookEventTypes = [
  'tts.generation.completed',
  'stt.transcription.queued',
  'stt.transcription.completed',
  'stt.transcription.failed',
] as const;

/** Whether only the older transcription routes send it: current transcriptions are polled for and send no events. */
export const isOlderEvent = (type: string): boolean => type.startsWith('stt.');

export interface WebhookInput {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
}

export type WebhookFault =
  | { readonly field: 'url'; readonly problem: UnsafeAddress | 'empty' }
  | { readonly field: 'eventTypes'; readonly problem: 'none' | 'unknown' };

export function judgeWebhookInput({ url, eventTypes }: WebhookInput): readonly WebhookFault[] {
  return [...judgeUrl(url), ...judgeTypes(eventTypes)];
}

function judgeUrl(url: string | undefined): readonly WebhookFault[] {
  if (url === undefined) return [];
  if (url.trim() === '') return [{ field: 'url', problem: 'empty' }];
  const judged = judgeWebhookAddress(url);
  return judged.ok ? [] : [{ field: 'url', problem: judged.error }];
}

function judgeTypes(types: readonly string[] | undefined): readonly WebhookFault[] {
  if (types === undefined) return [];
  if (types.length === 0) return [{ field: 'eventTypes', problem: 'none' }];
  const areKnown = types.every((type) => webhookEventTypes.some((known) => known === type));
  return areKnown && new Set(types).size === types.length ? [] : [{ field: 'eventTypes', problem: 'unknown' }];
}

export interface WebhookView {
  readonly id: string;
  readonly url: string | null;
  readonly eventTypes: readonly string[];
  readonly secretSuffix: string | null;
  readonly enabled: boolean;
  readonly revision: number | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly disabledAt: string | null;
}

export const hostOf = ({ url, id }: Pick<WebhookView, 'url' | 'id'>): string =>
  URL.parse(url ?? '')?.hostname ?? url ?? id;

const deliveryStates = ['pending', 'delivering', 'retrying', 'succeeded', 'failed', 'canceled'] as const;
type DeliveryState = (typeof deliveryStates)[number];

/** One delivery of an event; `state` null: a newer state that this version does not know. */
export interface DeliveryView {
  readonly id: string;
  readonly eventId: string | null;
  readonly eventType: string | null;
  readonly state: DeliveryState | null;
  readonly attempts: number | null;
  readonly responseStatus: number | null;
  readonly errorCode: string | null;
  readonly createdAt: string | null;
  readonly deliveredAt: string | null;
  readonly nextAttemptAt: string | null;
}
