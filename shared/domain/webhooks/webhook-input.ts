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

/**
 * The events that can be subscribed to (contract 6.1). Of these, the current routes send only those about finished
 * speech.
 */
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

/** Finds what the service would refuse in a webhook (contract 4.11), before it is sent. */
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
