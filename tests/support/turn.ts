import type { Locator } from '@playwright/test';

/**
 * Switches a switch, or selects a radio, by a click and waits until it shows so. Playwright's own `check` looks once,
 * when a busy page may not have drawn the change yet.
 */
export async function turn(control: Locator, isOn = true): Promise<void> {
  if ((await control.isChecked()) === isOn) return;
  // The control itself is covered by its drawing.
  await control.click({ force: true });
  await control.and(control.page().locator(isOn ? ':checked' : ':not(:checked)')).waitFor({ state: 'attached' });
}
