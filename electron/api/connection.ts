import type { ModeId } from '../../shared/domain/modes.ts';
import type { Secret } from '../secret/secret.ts';

/**
 * The address and the credentials of requests. A service on this computer may be reached over plain http; any other
 * only when the app runs from source.
 */
export interface Connection {
  readonly kind: ModeId;
  /** Origin and optional path prefix, without a trailing slash. */
  readonly baseUrl: string;
  readonly key: Secret;
  /** The signed-in user's token, for the account routes only; there may be none. */
  readonly accessToken?: Secret;
  /** A key of the legacy API, for its routes only. */
  readonly legacyKey?: Secret;
  /**
   * Where live streams are, when they are not at the address of the service: `wss://host`. Only this origin may get
   * tickets.
   */
  readonly streamUrl?: string;
  /** Host and perhaps port of the legacy call (gRPC). */
  readonly grpcHost?: string;
}

/** Called before each attempt, so that a replaced key is used at once. `null`: there is no key. */
export type ConnectionSource = () => Connection | null;
