import { session } from 'electron';

/** What the system, or the script of its network, says of an address. */
export const systemProxy = async (url: URL): Promise<string> => session.defaultSession.resolveProxy(url.href);
