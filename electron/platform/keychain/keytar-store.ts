import {
  Secret,
  type KeychainTrouble,
  type SecretRead,
  type SecretStore,
  type SecretWrite,
} from '../../services/secrets/key-service.ts';

export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

export interface KeytarStoreOptions {
  readonly service?: string;
  readonly timeLimitMs?: number;
  readonly load?: () => Promise<Keytar>;
  /** A read that finished after its time limit; the answer still counts (keychain-slow). */
  readonly onLateRead?: (account: string, read: SecretRead) => void;
}

/** Loaded on first use: the addon needs a system library that may be missing, which must not stop the app. */
const loadKeytar = async (): Promise<Keytar> => {
  const module: { readonly default?: Keytar } & Keytar = await import('keytar');
  return module.default ?? module;
};

const slow = Symbol('slow');

/** Classifies the error of a system by what the user can do about it. Unknown texts count as "no service". */
export function keychainTroubleOf(error: unknown): KeychainTrouble {
  const text = error instanceof Error ? error.message : String(error);
  if (/locked|interaction is not allowed/i.test(text)) return 'locked';
  if (/cancel|denied|dismiss|not allowed|not permitted|auth.*fail/i.test(text)) return 'denied';
  if (/timed? ?out|no ?reply/i.test(text)) return 'slow';
  return 'no-service';
}

/** Secrets in the system's keychain. Every call ends within its time limit, and an unanswered one is not repeated. */
export function createKeytarStore(options: KeytarStoreOptions = {}): SecretStore {
  const { service = 'uz.ovoz.studio', timeLimitMs = 5000, load = loadKeytar, onLateRead } = options;
  const pendingReads = new Map<string, Promise<SecretRead>>();
  let keytar: Promise<Keytar> | null = null;

  const call = async <T>(ask: (api: Keytar) => Promise<T>): Promise<T> => {
    keytar ??= load();
    return ask(await keytar);
  };

  const withinLimit = async <T>(work: Promise<T>): Promise<T | typeof slow> => {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<typeof slow>((resolve) => {
      timer = setTimeout(() => resolve(slow), timeLimitMs);
    });
    try {
      return await Promise.race([work, limit]);
    } finally {
      clearTimeout(timer);
    }
  };

  const readNow = async (account: string): Promise<SecretRead> => {
    try {
      const value = await call((api) => api.getPassword(service, account));
      return value === null || value === '' ? { state: 'absent' } : { state: 'present', secret: new Secret(value) };
    } catch (error) {
      return { state: keychainTroubleOf(error) };
    }
  };

  const read = async (account: string): Promise<SecretRead> => {
    const pending = pendingReads.get(account) ?? readNow(account);
    pendingReads.set(account, pending);
    const answer = await withinLimit(pending);
    if (answer !== slow) {
      pendingReads.delete(account);
      return answer;
    }
    void pending.then((late) => {
      if (pendingReads.get(account) !== pending) return;
      pendingReads.delete(account);
      onLateRead?.(account, late);
    });
    return { state: 'slow' };
  };

  const change = async (work: () => Promise<SecretWrite>): Promise<SecretWrite> => {
    const answer = await withinLimit(
      work().catch((error: unknown): SecretWrite => ({ state: keychainTroubleOf(error) })),
    );
    return answer === slow ? { state: 'slow' } : answer;
  };

  return {
    read,
    write: (account, secret) =>
      change(async () => {
        await call((api) => api.setPassword(service, account, secret.reveal()));
        const kept = await call((api) => api.getPassword(service, account));
        return { state: kept === secret.reveal() ? 'saved' : 'unsaved' };
      }),
    clear: (account) =>
      change(async () => {
        await call((api) => api.deletePassword(service, account));
        const kept = await call((api) => api.getPassword(service, account));
        return { state: kept === null ? 'saved' : 'unsaved' };
      }),
  };
}
