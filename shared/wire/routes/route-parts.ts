/** Longest waits for the first byte of an answer, milliseconds. */
export const firstByte = {
  read: 30_000,
  speak: 120_000,
  ask: 120_000,
  attachment: 130_000,
  enrollment: 200_000,
  upload: 300_000,
} as const;

const http = { transport: 'http', firstByteMs: firstByte.read, answer: 'json' } as const;

/** A plain read: repeated freely. */
export const reading = { ...http, method: 'GET', retry: 'safe' } as const;
/** A change to a stated end: repeating it changes nothing more. */
export const renaming = { ...http, method: 'PATCH', retry: 'safe' } as const;
export const replacing = { ...http, method: 'PUT', retry: 'safe' } as const;
export const removing = { ...http, method: 'DELETE', retry: 'safe', answer: 'none' } as const;
/** A creation whose repeats are recognised by the key. */
export const creatingWithKey = { ...http, method: 'POST', retry: 'with-idempotency-key' } as const;
/** A creation that may happen twice: after a lost answer the result must be looked up first. */
export const creating = { ...http, method: 'POST', retry: 'never' } as const;
/** An action whose repeat does no harm. */
export const acting = { ...http, method: 'POST', retry: 'safe' } as const;
/** A socket: the upgrade is one attempt; what follows depends on the messages exchanged. */
export const socket = {
  transport: 'websocket',
  method: 'GET',
  retry: 'never',
  firstByteMs: 10_000,
  answer: 'messages',
} as const;

export const documented = { evidence: 'documented' } as const;
export const assumed = { evidence: 'assumed' } as const;
