import { manualProxy, proxyFromSystem, type ProxyChoice } from '../../../shared/domain/network/proxy.ts';
import { assertNever } from '../../../shared/result/result.ts';

/** What the system says of an address, in the words of a PAC script: `PROXY proxy.example:3128; DIRECT`. */
export type SystemProxy = (url: URL) => Promise<string>;

/**
 * The proxy for an address by the settings as they are at that moment, so that a change holds for the next connection.
 * A system that gives no answer means straight.
 */
export const createProxySource =
  (choice: () => ProxyChoice, system: SystemProxy) =>
  async (url: URL): Promise<string | null> => {
    const chosen = choice();
    switch (chosen.mode) {
      case 'none':
        return null;
      case 'manual':
        return manualProxy(chosen);
      case 'system':
        return proxyFromSystem(await system(url).catch(() => 'DIRECT'));
      default:
        return assertNever(chosen.mode);
    }
  };
