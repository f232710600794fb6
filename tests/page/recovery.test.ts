import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { restoredLibrary } from './shell-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

describe('a damaged library', () => {
  it('is reported first: what happened, what was restored, where the damaged file is; then the studio opens', async () => {
    const plan = planStudio({ recovery: { areSettingsReset: false, library: restoredLibrary, failure: null } });
    const page = await served.open({ plan });
    const heading = page.getByRole('heading', { level: 1, name: 'Library file was damaged' });
    await heading.waitFor();
    await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByText('198 of 203').waitFor();
    await page.getByText('12 transcripts, 17 items').waitFor();
    await page.getByText('1 item of the queue', { exact: true }).waitFor();
    await page.getByText('2 transcripts are lost here and are read from the service again').waitFor();
    await page.getByText('3 items may already have been sent').waitFor();
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
    expect(await tellBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show the damaged file' }).click();
    await expect.poll(() => callsOf(page, 'recovery.reveal')).toEqual([{ what: 'damaged-file' }]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('navigation').waitFor();
    await page.context().close();
  });

  it('keeps the continue button visible, however long the report is', async () => {
    const page = await served.open({
      plan: planStudio({
        settings: { interfaceLanguage: 'ru' },
        recovery: { areSettingsReset: true, library: restoredLibrary, failure: null },
      }),
      viewport: { width: 960, height: 640 },
    });
    const wayOn = page.getByRole('button', { name: 'Продолжить' });
    const box = await wayOn.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(640);
    await page.getByText('Настройки были повреждены').scrollIntoViewIfNeeded();
    await wayOn.click();
    await page.getByRole('navigation').waitFor();
    await page.context().close();
  });

  it('shows its progress while it is restored, then the result', async () => {
    const page = await served.open({
      plan: planStudio({
        waits: ['recovery.describe'],
        recovery: { areSettingsReset: false, library: restoredLibrary, failure: null },
      }),
    });
    await page.getByRole('navigation').waitFor();
    await emitEvent(page, 'library.restoring', { share: 0 });
    await page.getByRole('heading', { level: 1, name: 'Restoring the library' }).waitFor();
    const bar = page.getByRole('progressbar', { name: 'Restoring the library' });
    await expect.poll(() => bar.getAttribute('aria-valuenow')).toBeNull();
    await emitEvent(page, 'library.restoring', { share: 0.427 });
    await expect.poll(() => bar.getAttribute('aria-valuetext')).toBe('42%');
    expect(await tellBarriers(page)).toEqual([]);
    await page.evaluate(() => window.fakeStudio.letGo('recovery.describe'));
    await page.getByRole('heading', { level: 1, name: 'Library file was damaged' }).waitFor();
    await page.context().close();
  });

  it('that can’t be opened keeps its screen until it can, and says why it still can’t', async () => {
    const failure = makeFailure('E-185');
    const plan = planStudio({
      recovery: { areSettingsReset: false, library: null, failure },
      failures: { 'recovery.reveal': makeFailure('E-010', { code: 'folder_unreadable' }) },
    });
    const page = await served.open({ plan });
    await page.getByRole('heading', { level: 1, name: 'App folder can’t be written' }).waitFor();
    await page.getByRole('button', { name: 'Show the app’s folder' }).click();
    await page.getByRole('alert').filter({ hasText: 'folder' }).waitFor();
    await page.evaluate(
      (state) => {
        window.fakeStudio.setAnswer('recovery.retry', state);
      },
      { areSettingsReset: false, library: null, failure: makeFailure('E-183') },
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Already open' }).waitFor();
    // This computer has the same library as the service.
    expect(await page.getByRole('button', { name: /meanwhile$/u }).allInnerTexts()).toEqual([
      'Use practice mode meanwhile',
    ]);
    await page.getByRole('button', { name: 'Use practice mode meanwhile' }).click();
    await page.waitForFunction(() => window.fakeStudio.calls.some(({ method }) => method === 'connection.choose'));
    await page.context().close();
  });

  it('does not hide that settings were reset: the first screen follows after it was read', async () => {
    const plan = planStudio({
      settings: { mode: 'unset', serviceAddress: '' },
      recovery: { areSettingsReset: true, library: null, failure: null },
    });
    const page = await served.open({ plan });
    await page.getByRole('heading', { level: 1, name: 'Settings were reset' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings were reset' }).waitFor({ state: 'detached' });
    await expect.poll(() => callsOf(page, 'recovery.acknowledge')).toHaveLength(1);
    await page.context().close();
  });
});
