import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '../../../shared/domain/urls/public-address.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';

/** Every address of a name. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** The error code with which the connection reports a refused address. */
export const unsafeAddressCode = 'unsafe_address';

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * Resolves a name once and hands the connection exactly the addresses that were judged, so that a second DNS answer
 * can't replace them. A name with even one address outside the public internet is refused.
 */
export function guardedLookup(resolve: Resolve = systemResolve): LookupFunction {
  return (hostname, options, callback) => {
    void checkedAddresses(hostname, resolve).then((found) => {
      const [first] = found.ok ? found.value : [];
      if (!found.ok || first === undefined) {
        const code = found.ok ? 'ENOTFOUND' : found.error;
        return setImmediate(callback, Object.assign(new Error('not looked up'), { code }), '', 0);
      }
      return options.all === true
        ? setImmediate(callback, null, found.value)
        : setImmediate(callback, null, first.address, first.family);
    });
  };
}

type Addresses = Awaited<ReturnType<Resolve>>;

async function checkedAddresses(hostname: string, resolve: Resolve): Promise<Result<Addresses[number][], string>> {
  try {
    const addresses = await resolve(hostname);
    return addresses.every(({ address }) => isPublicAddress(address)) ? ok([...addresses]) : err(unsafeAddressCode);
  } catch (error) {
    return err(error instanceof Error && 'code' in error ? String(error.code) : 'ENOTFOUND');
  }
}
