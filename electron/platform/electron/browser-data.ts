import { session } from 'electron';

/** Takes away what the browser part keeps for our pages. The pages that are open go on. */
export async function clearBrowserData(): Promise<void> {
  await session.defaultSession.clearStorageData();
  await session.defaultSession.clearCache();
}
