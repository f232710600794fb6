import { Secret } from '../../secret/secret.ts';

export interface Environment {
  /** Overrides the stored address; never in a packaged app (S-26). */
  readonly serviceUrl: string | null;
  /** The address of live streams, if not the service's own (`wss://host`); never in a packaged app. */
  readonly streamUrl: string | null;
  /** Host and optional port of the legacy call (gRPC); never in a packaged app. */
  readonly grpcHost: string | null;
  /** Used for this run, never stored. */
  readonly apiKey: Secret | null;
  readonly accountToken: Secret | null;
  readonly legacyKey: Secret | null;
  /** A folder with a model for recognition on this computer, used whatever it is, never stored. */
  readonly localModel: string | null;
  readonly dataDir: string | null;
}

/** Reads the OVOZ_ variables. A packaged app reads only the secrets, so that its environment can't redirect it. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>, isPackaged: boolean): Environment {
  const text = (name: string) => env[name]?.trim() || null;
  const secret = (name: string) => {
    const value = text(name);
    return value === null ? null : new Secret(value);
  };
  return {
    serviceUrl: isPackaged ? null : text('OVOZ_SERVICE_URL'),
    streamUrl: isPackaged ? null : text('OVOZ_SERVICE_WS_URL'),
    grpcHost: isPackaged ? null : text('OVOZ_GRPC_HOST'),
    apiKey: secret('OVOZ_API_KEY'),
    accountToken: secret('OVOZ_ACCOUNT_TOKEN'),
    legacyKey: secret('OVOZ_LEGACY_KEY'),
    localModel: text('OVOZ_LOCAL_MODEL'),
    dataDir: isPackaged ? null : text('OVOZ_DATA_DIR'),
  };
}
