import { expect, test } from 'vitest';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { enter, onDisk } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { longTranscript } from './support/transcripts.ts';

const rig = editorRig();
/** Two named speakers in turns, and a third. */
const alternating = longTranscript(6);

/** The editor; `saved` waits for what main was told to save, `undo` for the state in which the text was opened. */
async function openSpeakers(transcript = alternating) {
  const { page } = await rig.open({
    detail: rig.detailOf(transcript),
    answers: { 'library.speakers': { speakers: [] } },
  });
  const openMenu = (speaker: string) => page.getByRole('button', { name: speaker, exact: true }).first().click();
  const saved = async <T>(pick: (text: Transcript) => T, expected: T) => {
    await expect.poll(async () => pick(await onDisk(page, transcript))).toEqual(expected);
  };
  const undo = async () => {
    await page.locator('[data-text]').first().click();
    await page.keyboard.press('Control+z');
    await saved((text) => text, transcript);
  };
  return { page, openMenu, saved, undo };
}

/** The same text with these speakers. */
const inTurns = (...speakers: readonly (string | null)[]): Transcript => ({
  ...alternating,
  segments: alternating.segments.map((segment, at) => ({ ...segment, speakerId: speakers[at] ?? null })),
});
const saying = ({ segments }: Transcript) => segments.map(({ speakerId }) => speakerId);
const sayingAs = (name: string) => (text: Transcript) => {
  const added = text.speakers.find((speaker) => speaker.name === name)?.id;
  return saying(text).flatMap((id, at) => (added !== undefined && id === added ? [at] : []));
};

test('the menu of a speaker merges, colours, adds, plays and searches, each one step', async () => {
  const { page, openMenu, saved, undo } = await openSpeakers();
  const choose = (name: string) => page.getByRole('menuitem', { name }).click();
  await openMenu('Dilnoza');
  await page.getByRole('menuitem', { name: 'Merge Dilnoza into' }).click();
  await page.getByRole('menuitem', { name: 'Usta Rahmatillo', exact: true }).click();
  await saved(saying, ['p1', 'p1', 'p2', 'p1', 'p1', 'p2']);
  await saved(({ speakers }) => speakers.map(({ id }) => id), ['p1', 'p2']);
  const told = page.getByText('Dilnoza merged into Usta Rahmatillo.');
  await told.waitFor();
  await undo();
  await expect.poll(() => told.count()).toBe(0);

  await openMenu('Dilnoza');
  await choose('Colour');
  await page.getByRole('menuitemradio', { name: 'Purple' }).click();
  await saved(({ speakers }) => speakers[0]?.colour, 5);
  await undo();
  await openMenu('Dilnoza');
  await choose('New speaker for this segment…');
  await enter(page.getByRole('textbox', { name: 'Name' }), 'Komila');
  await saved(sayingAs('Komila'), [0]);
  await undo();

  await page.keyboard.press('Control+f');
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  await panel.getByRole('searchbox', { name: 'Find' }).fill('zzz');
  await page.getByRole('button', { name: 'Dilnoza', exact: true }).first().click({ button: 'right' });
  await choose('Search what they say');
  await expect.poll(() => panel.getByRole('searchbox', { name: 'Find' }).inputValue()).toBe('');
  const only = panel.getByRole('button', { name: 'Only what Dilnoza says' });
  await only.click();
  await expect.poll(() => only.count()).toBe(0);
  await openMenu('Dilnoza');
  await choose('Play only this speaker');
  await page.getByText('Only Dilnoza is played').waitFor();
  await page.getByRole('button', { name: 'Play everyone again' }).click();
  await expect.poll(() => page.getByText('Only Dilnoza is played').count()).toBe(0);
});

test('a turn is given to a speaker as a whole, also one of nobody; a segment by its words’ menu', async () => {
  const start = inTurns('p0', 'p0', 'p0', null, null, 'p2');
  const { page, openMenu, saved, undo } = await openSpeakers(start);
  const all = page.getByRole('menuitem', { name: 'Usta Rahmatillo says all 3 segments', exact: true });
  await openMenu('Dilnoza');
  await page.getByRole('menuitem', { name: 'New speaker for all 3 segments…', exact: true }).waitFor();
  expect(await all.locator('kbd').count()).toBe(0);
  await all.click();
  await saved(saying, ['p1', 'p1', 'p1', null, null, 'p2']);
  await undo();
  // The next one of nobody is a paragraph of the same.
  expect(await page.getByText('Nobody in particular', { exact: true }).count()).toBe(1);
  await openMenu('Nobody in particular');
  expect(await page.getByRole('menuitem', { name: 'Rename' }).count()).toBe(0);
  await page.getByRole('menuitem', { name: 'Usta Rahmatillo says all 2 segments' }).click();
  await saved(saying, ['p0', 'p0', 'p0', 'p1', 'p1', 'p2']);
  await undo();
  await openMenu('Speaker 3');
  await page.getByRole('menuitem', { name: 'Usta Rahmatillo says this' }).locator('kbd').first().waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-text]').nth(3).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Assign speaker' }).click();
  await page.getByRole('menuitemradio', { name: 'New speaker…' }).click();
  await enter(page.getByRole('textbox', { name: 'Name' }), 'Komila');
  await saved(sayingAs('Komila'), [3]);
});
