import { expect, test } from 'vitest';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { callsOf } from '../support/fake-studio.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { onDisk } from './support/editor-page.ts';
import { alternating, runCommand, speakersRig } from './support/speakers-rig.ts';
import { detailOf, longTranscript } from './support/transcripts.ts';

const { rig, openMenu } = speakersRig();

/** The same text with these speakers. */
const inTurns = (...speakers: readonly string[]): Transcript => ({
  ...alternating,
  segments: alternating.segments.map((segment, at) => ({ ...segment, speakerId: speakers[at] ?? null })),
});

const saying = ({ segments }: Transcript) => segments.map(({ speakerId }) => speakerId);

test('two speakers are merged into one, everywhere, and one undo parts them again', async () => {
  const { page, saved, undo, close } = await openMenu();
  await page.getByRole('menuitem', { name: 'Merge Dilnoza into' }).click();
  await page.getByRole('menuitem', { name: 'Usta Rahmatillo', exact: true }).click();
  await saved(saying, ['p1', 'p1', 'p2', 'p1', 'p1', 'p2']);
  await saved(({ speakers }) => speakers.map(({ id }) => id), ['p1', 'p2']);
  expect(await page.getByRole('button', { name: 'Dilnoza', exact: true }).count()).toBe(0);
  await page.getByText('Dilnoza merged into Usta Rahmatillo.').waitFor();
  await undo();
  await expect.poll(() => page.getByText('Dilnoza merged into Usta Rahmatillo.').count()).toBe(0);
  await page.getByRole('button', { name: 'Dilnoza', exact: true }).first().waitFor();
  await close();
});

test('a merge of two speakers without names is told by the name that is shown from then on', async () => {
  const speakers = alternating.speakers.map((speaker) => ({ ...speaker, name: null }));
  const { page, close } = await openMenu({ ...alternating, speakers }, 'Speaker 1');
  await page.getByRole('menuitem', { name: 'Merge Speaker 1 into' }).click();
  await page.getByRole('menuitem', { name: 'Speaker 2', exact: true }).click();
  await page.getByText('Both are Speaker 1 now.').waitFor();
  // The third one is the second now.
  expect(await page.getByRole('button', { name: 'Speaker 3', exact: true }).count()).toBe(0);
  await close();
});

test('a new speaker takes over the turn they were added at, and one undo takes both back', async () => {
  const { page, saved, undo, close } = await openMenu();
  await page.getByRole('menuitem', { name: 'New speaker for this segment…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Komila');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Komila', exact: true }).first().waitFor();
  await saved(
    ({ speakers, segments }) => {
      const added = speakers.find(({ name }) => name === 'Komila')?.id;
      return segments.map(({ speakerId }) => added !== undefined && speakerId === added);
    },
    [true, false, false, false, false, false],
  );
  await undo();
  await close();
});

test('a new speaker is given a segment from the menu of its words too', async () => {
  const { page, texts, close } = await rig.openText(alternating);
  await texts.nth(3).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Assign speaker' }).click();
  await page.getByRole('menuitemradio', { name: 'New speaker…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Komila');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => {
      const { segments, speakers } = await onDisk(page, alternating);
      const added = speakers.find(({ name }) => name === 'Komila')?.id;
      return segments.flatMap(({ speakerId }, at) => (speakerId === added ? [at] : []));
    })
    .toEqual([3]);
  await close();
});

test('the menu says how many segments of a turn a speaker takes over, and shows the key only where it does the same', async () => {
  const { page, saved, close } = await openMenu(inTurns('p0', 'p0', 'p0', 'p1', 'p2', 'p1'));
  const all = page.getByRole('menuitem', { name: 'Usta Rahmatillo says all 3 segments', exact: true });
  await page.getByRole('menuitem', { name: 'New speaker for all 3 segments…', exact: true }).waitFor();
  await all.waitFor();
  expect(await all.locator('kbd').count()).toBe(0);
  await all.click();
  await saved(saying, ['p1', 'p1', 'p1', 'p1', 'p2', 'p1']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Speaker 3', exact: true }).first().click();
  const one = page.getByRole('menuitem', { name: 'Usta Rahmatillo says this' });
  await one.locator('kbd').first().waitFor();
  await close();
});

test('a speaker gets another colour, and one undo brings the first one back', async () => {
  const { page, saved, undo, close } = await openMenu();
  await page.getByRole('menuitem', { name: 'Colour' }).click();
  await page.getByRole('menuitemradio', { name: 'Purple' }).click();
  await saved(({ speakers }) => speakers[0]?.colour, 5);
  await undo();
  await close();
});

test('a right click on a name opens the menu of that speaker; only their words are found, whatever was searched for', async () => {
  const { page, close } = await openMenu();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('zzz');
  await page.getByRole('button', { name: 'Dilnoza', exact: true }).first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Search what they say' }).click();
  await expect.poll(() => panel.getByRole('searchbox', { name: 'Find' }).inputValue()).toBe('');
  await panel.getByRole('button', { name: 'Only what Dilnoza says' }).click();
  await expect.poll(() => panel.getByRole('button', { name: 'Only what Dilnoza says' }).count()).toBe(0);
  await close();
});

test('playing one speaker alone is said above the text until everyone is played again', async () => {
  const { page, close } = await openMenu();
  await page.getByRole('menuitem', { name: 'Play only this speaker' }).click();
  const strip = page.getByText('Only Dilnoza is played');
  await strip.waitFor();
  await page.getByRole('button', { name: 'Play everyone again' }).click();
  await expect.poll(() => strip.count()).toBe(0);
  await close();
});

test('the palette merges the speaker of the current segment with one from a list that says who is merged', async () => {
  const { page, saved, close } = await openMenu();
  await page.keyboard.press('Escape');
  await runCommand(page, 'Merge Dilnoza with another speaker…');
  const menu = page.getByRole('menu', { name: 'Merge Dilnoza into' });
  await menu.getByText('Merge Dilnoza into').waitFor();
  expect(await tellBarriers(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await saved(({ speakers }) => speakers.length, alternating.speakers.length - 1);
  await page.getByText(/^Dilnoza merged into/).waitFor();
  await close();
});

test('the palette gives the current segment alone a new speaker', async () => {
  const { page, saved, close } = await openMenu();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+ArrowDown');
  await runCommand(page, 'New speaker for this segment…');
  await page.getByRole('textbox', { name: 'Name' }).fill('Komila');
  await page.keyboard.press('Enter');
  await saved(
    ({ speakers, segments }) => {
      const added = speakers.find(({ name }) => name === 'Komila')?.id;
      return segments.map(({ speakerId }) => added !== undefined && speakerId === added);
    },
    [false, true, false, false, false, false],
  );
  await close();
});

test('the palette colours the speaker of the current segment, plays them alone, and everyone again', async () => {
  const { page, saved, close } = await openMenu();
  await page.keyboard.press('Escape');
  await runCommand(page, 'Colour of Dilnoza…');
  const menu = page.getByRole('menu', { name: 'Colour of Dilnoza' });
  await expect
    .poll(() => menu.getByRole('menuitemradio', { name: 'Blue', exact: true }).getAttribute('aria-checked'))
    .toBe('true');
  await menu.getByRole('menuitemradio', { name: 'Purple' }).click();
  await saved(({ speakers }) => speakers[0]?.colour, 5);
  await runCommand(page, 'Play only Dilnoza');
  await page.getByText('Only Dilnoza is played').waitFor();
  await runCommand(page, 'Play everyone again');
  await expect.poll(() => page.getByText('Only Dilnoza is played').count()).toBe(0);
  await close();
});

test('a transcript without speakers says so in their tab, and the first one is named from there', async () => {
  const transcript = {
    ...alternating,
    speakers: [],
    segments: alternating.segments.map((one) => ({ ...one, speakerId: null })),
  };
  const { page, close } = await rig.open({
    detail: detailOf(transcript, null),
    answers: { 'transcripts.edit': { revision: 0 } },
  });
  const panel = page.getByRole('tabpanel', { name: 'Speakers' });
  await panel.getByRole('heading', { name: 'No speakers yet' }).waitFor();
  await panel.getByRole('button', { name: 'New speaker…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Komila');
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Komila' }).waitFor();
  await panel.getByRole('button', { name: 'New speaker…' }).waitFor();
  await close();
});

test.each([
  [longTranscript(4), 'There is no speaker 5: the text has 3 speakers.'],
  [{ ...inTurns(), speakers: [] }, 'No speakers yet'],
] as const)(
  'the key of a speaker who is not there says so, and offers to add one to the segment',
  async (start, said) => {
    const { page, texts, complaints, close } = await rig.openText(start);
    await texts.nth(2).click();
    const caret = () =>
      texts.nth(2).evaluate((host) => [document.activeElement === host, document.getSelection()?.focusOffset]);
    const before = await caret();
    await page.keyboard.press('Alt+Digit5');
    const notice = page.locator('[data-pane="notices"] output > *', { hasText: said });
    await notice.waitFor();
    await page.keyboard.press('Alt+Digit5');
    expect(await notice.count()).toBe(1);
    expect(await callsOf(page, 'transcripts.edit')).toEqual([]);
    await notice.getByRole('button', { name: 'New speaker…' }).click();
    const dialog = page.getByRole('dialog', { name: 'New speaker' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Nodira');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => {
        const { segments, speakers } = await onDisk(page, start);
        return speakers.find(({ id }) => id === segments[2]?.speakerId)?.name;
      })
      .toBe('Nodira');
    await expect.poll(caret).toEqual(before);
    // The commands that would do nothing are not offered.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('says this');
    expect(await page.getByRole('option', { name: /^Speaker 5 says/u }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  },
);

test('a segment of nobody after one of somebody says so, and is given to a speaker from there', async () => {
  const transcript = inTurns('p0', '', '', 'p1', 'p1', 'p1');
  const segments = transcript.segments.map((one) => ({
    ...one,
    speakerId: one.speakerId === '' ? null : one.speakerId,
  }));
  const { page, saved, undo, close } = await openMenu({ ...transcript, segments }, 'Nobody in particular');
  // The next one of nobody is a paragraph of the same.
  expect(await page.getByText('Nobody in particular', { exact: true }).count()).toBe(1);
  expect(await page.getByRole('menuitem', { name: 'Rename' }).count()).toBe(0);
  await page.getByRole('menuitem', { name: 'Usta Rahmatillo says all 2 segments' }).click();
  await saved(saying, ['p0', 'p1', 'p1', 'p1', 'p1', 'p1']);
  await undo();
  await close();
});
