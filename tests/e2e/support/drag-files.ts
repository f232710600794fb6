import type { Page } from '@playwright/test';

/** Drags files and folders of this computer onto the middle of the window with real drag events. */
export async function dragFiles(page: Page, paths: readonly string[], at = { x: 480, y: 320 }): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: at.x, y: at.y, data });
  }
  await session.detach();
}
