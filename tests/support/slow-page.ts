import type { Page } from '@playwright/test';

/** How many times slower than this machine pages are run, to find tests that race with them: `OVOZ_SLOW_PAGE=10`. */
const times = Number(process.env['OVOZ_SLOW_PAGE'] ?? 1);

export async function slowDown(page: Page): Promise<void> {
  if (times <= 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: times });
}
