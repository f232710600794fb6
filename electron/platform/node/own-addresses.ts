import { networkInterfaces } from 'node:os';

/** The addresses of this computer, and whether they changed since the last call. */
export interface OwnAddresses {
  current(): ReadonlySet<string>;
  haveChanged(): boolean;
}

/** Every interface that is up, including loopback; read from the system each time. */
export function watchAddresses(): OwnAddresses {
  const current = (): ReadonlySet<string> =>
    new Set(Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []));
  let last = current();
  return {
    current,
    haveChanged() {
      const now = current();
      const isSame = now.size === last.size && now.isSubsetOf(last);
      last = now;
      return !isSame;
    },
  };
}
