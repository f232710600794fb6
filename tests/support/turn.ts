import type { Locator } from '@playwright/test';

/**
 * Turns a switch, or chooses a radio, by a click and waits until it shows so. Playwright's own `check` looks once, at
 * a moment when a busy page may not have drawn what was chosen.
 */
export async function turn(control: Locator, isOn = true): Promise<void> {
  if ((await control.isChecked()) === isOn) return;
  // The control itself is drawn over by what it looks like.
  await control.click({ force: true });
  await control.and(control.page().locator(isOn ? ':checked' : ':not(:checked)')).waitFor({ state: 'attached' });
}
