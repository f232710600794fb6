import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { simplePdf } from '../support/simple-pdf.ts';
import { dragFiles } from './support/drag-files.ts';
import { ask } from './support/ask.ts';
import { enterPractice, test } from './support/journey.ts';

const sample = fileURLToPath(new URL('../../assets/samples/podcast-en.flac', import.meta.url));

test('a question about a recording is answered with moments to play, stopped, asked again, and restored after a restart', async ({
  journey,
}) => {
  test.setTimeout(240_000);
  const { dataDir } = journey;
  let studio = await journey.start();
  let { page } = studio;
  await enterPractice(page);
  await dragFiles(page, [sample]);
  await expect(page.getByRole('row').filter({ hasText: 'podcast-en' }).getByText('Done')).toBeVisible({
    timeout: 30_000,
  });

  await page.getByRole('link', { name: 'Ask' }).click();
  await page
    .getByRole('button', { name: /^(?:Add|Choose recordings)$/u })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Choose from the library…' }).click();
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Done' }).click();
  let field = page.getByRole('textbox', { name: 'Question' });
  await field.fill('What is said about the kiln and the workshop?');
  await expect(page.getByText('free in practice mode')).toBeVisible();
  await field.press('Enter');
  await expect(page.getByRole('button', { name: 'Copy the answer' })).toBeVisible({ timeout: 30_000 });
  // Practice mode charges nothing, so no amount is shown.
  await expect(page.getByRole('main').getByText(/credits/)).toHaveCount(0);

  const moment = page
    .getByRole('log')
    .getByRole('button', { name: /^Hear podcast-en \d/ })
    .first();
  const time = (await moment.locator('span').last().textContent()) ?? '';
  await moment.click();
  const passage = page.getByRole('figure', { name: 'Quote' });
  await expect(passage).toContainText(time);
  await expect(passage.getByRole('button', { name: 'Pause' })).toBeVisible();
  await passage.getByRole('button', { name: /^Open at/ }).click();
  await page.getByRole('link', { name: 'Ask' }).click();
  await expect(page.getByRole('button', { name: 'Copy the answer' })).toBeVisible();
  // What was quoted is still heard after another screen was open.
  await passage.getByRole('button', { name: /^Play/ }).click();
  await expect(passage.getByRole('button', { name: 'Pause' })).toBeVisible();

  await field.fill('And what comes last?');
  // Stopped by the page itself: an answer may be complete before a busy machine has told that its button is there.
  await page.evaluate(() =>
    new MutationObserver((_changes, observer) => {
      const stop = [...document.querySelectorAll('button')].find(({ textContent }) => textContent.startsWith('Stop'));
      // Something of the answer has come.
      if (stop?.closest('article')?.textContent.includes('[No') !== true) return;
      observer.disconnect();
      stop.click();
    }).observe(document.body, { childList: true, characterData: true, subtree: true }),
  );
  await field.press('Enter');
  await expect(page.getByText('You stopped the answer')).toBeVisible();
  await page.getByRole('button', { name: 'Ask again' }).last().click();
  const asked = page.getByRole('article').last();
  await expect(asked).not.toContainText('You stopped the answer');
  await expect(asked.getByRole('button', { name: 'Copy the answer' })).toBeVisible();

  // A file comes by the dialog of the system, and the model that takes files is chosen.
  const plan = join(dataDir, 'plan.pdf');
  writeFileSync(plan, simplePdf([['The roof of the workshop is mended on Wednesday.']]));
  await studio.app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
  }, plan);
  const more = page.getByRole('button', { name: 'More' }).last();
  await more.click();
  await page.getByRole('menuitem', { name: 'Attach a picture or PDF…' }).click();
  await expect(page.getByRole('button', { name: 'Remove plan.pdf' })).toBeVisible();
  await field.fill('When is the roof mended?');
  await field.press('Enter');
  const answer = page.getByRole('article').last();
  await expect(answer).toContainText(/it sees nothing in \w+\.pdf/);
  await expect(answer.getByRole('list', { name: 'Attached files' })).toContainText('plan.pdf');

  // A translation says what it does first, and is saved beside the transcript.
  // Not before the answer is complete.
  await expect(answer.getByRole('button', { name: 'Copy the answer' })).toBeVisible();
  await more.click();
  await page.getByRole('menuitem', { name: 'Ready questions' }).press('ArrowRight');
  await page.getByRole('menuitem', { name: 'Translate into Russian' }).press('Enter');
  const task = page.getByRole('dialog', { name: 'Translate into Russian' });
  await expect(task).toContainText(/\d+ segments/);
  await task.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Save as a transcript' }).click({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Open the transcript' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('podcast-en (Russian)');
  await page.getByRole('link', { name: 'Ask' }).click();
  // Four whole answers, and the stopped one if anything of it came.
  const answers = page.getByRole('button', { name: 'Copy the answer' });
  await expect.poll(() => answers.count()).toBeGreaterThanOrEqual(4);
  const answerCount = await answers.count();

  await studio.quit();
  studio = await journey.start();
  ({ page } = studio);
  field = page.getByRole('textbox', { name: 'Question' });
  await page.keyboard.press('Control+Digit7');
  await page.getByRole('button', { name: 'Past questions' }).click();
  await page.getByRole('menuitemradio', { name: /kiln/ }).click();
  await expect(page.getByRole('button', { name: 'Copy the answer' })).toHaveCount(answerCount);
  await page
    .getByRole('log')
    .getByRole('button', { name: /^Hear podcast-en \d/ })
    .first()
    .click();
  await page
    .getByRole('button', { name: /^Open at/ })
    .first()
    .click();
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect(page.locator('[data-time]')).toContainText(time);

  // A folder is asked about as one; it stays for the next question, with a Word file in it.
  const folder = await ask(page, 'library.saveFolder', { id: null, name: 'Case 214', parentId: null });
  const items = await ask(page, 'library.list', {});
  if (!folder.ok || !items.ok) throw new Error('no folder');
  const recordings = items.value.items
    .filter(({ kind }) => kind === 'transcript')
    .map(({ kind, id }) => ({ kind, id }));
  await ask(page, 'library.move', { items: recordings, folderId: folder.value.id });
  await page.getByRole('link', { name: 'Ask' }).click();
  await page.getByRole('button', { name: 'New question' }).click();
  const removable = page.getByRole('button', { name: /^Remove / });
  for (let left = await removable.count(); left > 0; left -= 1) {
    await removable.first().click();
    await expect(removable).toHaveCount(left - 1);
  }
  await page
    .getByRole('button', { name: /^(?:Add|Choose recordings)$/u })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Folder' }).press('ArrowRight');
  await page.getByRole('menuitem', { name: 'Case 214' }).press('Enter');
  await field.fill('What is said about the kiln?');
  await field.press('Enter');
  await expect(page.getByRole('button', { name: 'Copy the answer' })).toHaveCount(1, { timeout: 30_000 });
  await expect(
    page
      .getByRole('log')
      .getByRole('button', { name: /^Hear podcast-en \d/ })
      .first(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'New question' }).click();
  await expect(page.getByRole('button', { name: 'Remove Case 214' })).toBeVisible();
});
