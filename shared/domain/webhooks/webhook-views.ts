/** A subscription in the form pages get (contract 2.7); it never contains the secret. */
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

/** The name of a webhook: the host in its address. */
export const hostOf = ({ url, id }: Pick<WebhookView, 'url' | 'id'>): string =>
  URL.parse(url ?? '')?.hostname ?? url ?? id;

export const deliveryStates = ['pending', 'delivering', 'retrying', 'succeeded', 'failed', 'canceled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

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
