import { manualProxy, proxyFromSystem, type ProxyChoice } from '../../../shared/domain/network/proxy.ts';
import { assertNever } from '../../../shared/result/result.ts';

/** The system's answer for an address, in the syntax of a PAC script: `PROXY proxy.example:3128; DIRECT`. */
export type SystemProxy = (url: URL) => Promise<string>;

/**
 * The proxy for an address according to the current settings, so that a change applies to the next connection. A system
 * without an answer means a direct connection.
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
