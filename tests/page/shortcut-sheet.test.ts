import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

describe('the list of the keys', () => {
  it.each([
    ['/isolate', 'Isolate'],
    ['/speak', 'Speak'],
    ['/dictate', 'Dictate'],
    ['/transcripts/t-1', 'Editor'],
    ['/', 'Transcribe'],
    ['/settings', 'Everywhere'],
  ] as const)(
    'at %s begins with the keys of this place and names every other place, each once',
    async (location, here) => {
      const page = await served.open({ plan: planStudio(), location });
      await page.keyboard.press('Control+Slash');
      const places = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('heading', { level: 3 });
      await places.first().waitFor();
      const named = await places.allTextContents();
      expect(named[0]).toBe(here);
      expect(named.slice(0, 2)).toContain('Everywhere');
      expect(named.toSorted()).toEqual(['Dictate', 'Editor', 'Everywhere', 'Isolate', 'Speak', 'Transcribe']);
      await page.context().close();
    },
  );

  it.each([
    ['en', 'outside the text'],
    ['ru', 'вне текста'],
    ['uz', 'matndan tashqarida'],
  ] as const)('says below what the list says, that Space plays outside the text (%s)', async (language, outside) => {
    const plan = planStudio({ settings: { interfaceLanguage: language } });
    const page = await served.open({ plan, location: '/transcripts/t-1' });
    await page.keyboard.press('Control+Slash');
    const sheet = page.getByRole('dialog');
    await expect.poll(async () => (await sheet.locator('footer').textContent())?.toLowerCase()).toContain(outside);
    expect((await sheet.locator('dt').allTextContents()).some((name) => name.endsWith(outside))).toBe(true);
    await page.context().close();
  });

  it('lists a key of two places once in each of them', async () => {
    const page = await served.open({ plan: planStudio() });
    await page.keyboard.press('Control+Slash');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByRole('searchbox').fill('zoom in on the waveform');
    await expect.poll(() => sheet.getByRole('heading', { level: 3 }).allTextContents()).toEqual(['Editor', 'Isolate']);
    for (const place of ['Editor', 'Isolate'])
      await expect.poll(() => sheet.getByRole('region', { name: place }).getByRole('definition').count()).toBe(1);
    await page.context().close();
  });

  it('that is opened again searches for nothing', async () => {
    const page = await served.open({ plan: planStudio(), location: '/transcripts/t-1' });
    await page.keyboard.press('Control+Slash');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const field = sheet.getByRole('searchbox');
    await field.fill('split');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Slash');
    await sheet.waitFor();
    expect(await field.inputValue()).toBe('');
    await page.context().close();
  });

  it('puts a heading over every column', async () => {
    const page = await served.open({ plan: planStudio(), location: '/transcripts/t-1' });
    await page.keyboard.press('Control+Slash');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const headings = sheet.getByRole('heading', { level: 4 });
    await headings.first().waitFor();
    const outside = await headings.evaluateAll((all) =>
      all.flatMap((heading) => {
        const { bottom } = heading.getBoundingClientRect();
        const rows = [...(heading.parentElement?.querySelectorAll('dt') ?? [])];
        return rows.filter((row) => row.getBoundingClientRect().top < bottom).map((row) => row.textContent);
      }),
    );
    expect(outside).toEqual([]);
    await page.context().close();
  });

  it('draws keys that belong together as one', async () => {
    const page = await served.open({ plan: planStudio(), location: '/transcripts/t-1' });
    await page.keyboard.press('Control+Slash');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const assign = sheet.getByText('Speaker 1 to 8 says this').locator('..');
    await expect.poll(() => assign.locator('kbd').allTextContents()).toEqual(['Alt', '1–8']);
    await page.context().close();
  });
});
