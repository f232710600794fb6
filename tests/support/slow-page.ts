import type { Page } from '@playwright/test';

/** How many times slower than this machine pages run, to find tests that depend on timing: `OVOZ_SLOW_PAGE=10`. */
const times = Number(process.env['OVOZ_SLOW_PAGE'] ?? 1);

export async function slowDown(page: Page): Promise<void> {
  if (times <= 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: times });
}
