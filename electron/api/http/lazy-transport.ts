import type { Transport } from './transport.ts';

/**
 * A transport that is made for its first request. The HTTP client is half of the program's code, and a start that shows
 * the list has no use for it.
 */
export function lazyTransport(make: () => Promise<Transport>): Transport {
  let asked: Promise<Transport> | null = null;
  let made: Transport | null = null;
  const get = () => {
    asked ??= make().then((transport) => (made = transport));
    return asked;
  };
  return {
    send: async (request) => (made ?? (await get())).send(request),
    dropAll: (code) => made?.dropAll(code),
    dropStale: (addresses) => made?.dropStale(addresses),
    close: async () => {
      if (asked !== null) await (await asked).close();
    },
  };
}
