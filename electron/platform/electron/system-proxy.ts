import { app, session } from 'electron';

/** What the system, or the script of its network, says of an address. */
export async function systemProxy(url: URL): Promise<string> {
  await app.whenReady();
  return session.defaultSession.resolveProxy(url.href);
}
