import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { Change } from '../../shared/domain/transcript/change.ts';
import { packChange } from '../../shared/domain/transcript/packed.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import type { Version } from '../../shared/domain/transcript/versions.ts';
import { callsOf } from '../support/fake-studio.ts';
import { onDisk, type OpenOptions } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

const service: Version = { revision: 0, kind: 'service', atMs: null, name: null, label: null, editCount: 0 };
const now: Version = { revision: 5, kind: 'now', atMs: 5, name: null, label: null, editCount: 1 };
const named: Version = { revision: 3, kind: 'named', atMs: 3, name: 'Tekshirilgan', label: null, editCount: 2 };
const automatic: Version = { revision: 1, kind: 'before', atMs: 1, name: null, label: 'replace-all', editCount: 1 };

/** The versions of `transcript`, of which the earlier ones differ from it by `change`. */
async function openVersions(transcript: Transcript, change: Change, options: Partial<OpenOptions> = {}) {
  const opened = await rig.open({
    detail: detailOf(transcript, null),
    ...options,
    answers: {
      'transcripts.edit': { revision: 6 },
      'transcripts.nameVersion': {},
      'transcripts.versions': { versions: [now, named, automatic, service] },
      'transcripts.version': { ofRevision: 0, change: packChange(change) },
    },
  });
  await opened.page.keyboard.press('Control+Shift+h');
  await opened.page.locator('aside[data-pane="inspector"] li').first().waitFor();
  return opened;
}

const restoreAll = (page: Page) => page.getByRole('button', { name: 'Restore all' });

test('silences that were cut since a version are told, and all is restored with them', async () => {
  const transcript: Transcript = {
    ...sampleTranscript('interview-uz'),
    cuts: [
      { startMs: 100, endMs: 300 },
      { startMs: 4000, endMs: 4200 },
    ],
  };
  const { page, complaints, close } = await openVersions(transcript, [{ type: 'cuts', cuts: [] }]);
  await page.getByText('2 silences are cut', { exact: true }).waitFor();
  expect(await page.getByText('No differences').count()).toBe(0);
  await restoreAll(page).click();
  await expect.poll(async () => (await onDisk(page, transcript)).cuts).toBeUndefined();
  // The edits of the page are now those of the version.
  await page.getByText('No differences').waitFor();
  await expect.poll(() => restoreAll(page).isDisabled()).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

test('silences that are no longer cut are told too, and so are other speakers', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, complaints, close } = await openVersions(transcript, [
    { type: 'cuts', cuts: [{ startMs: 100, endMs: 300 }] },
    { type: 'speakers', speakers: transcript.speakers.map((speaker) => ({ ...speaker, name: 'Anvar' })) },
  ]);
  await page.getByText('1 silence is no longer cut').waitFor();
  await page.getByText('The speakers are different').waitFor();
  await restoreAll(page).click();
  await expect.poll(async () => (await onDisk(page, transcript)).cuts).toEqual([{ startMs: 100, endMs: 300 }]);
  expect(complaints).toEqual([]);
  await close();
});

test('the current text is saved under a name, whichever version is compared with it', async () => {
  const { page, complaints, close } = await openVersions(sampleTranscript('interview-uz'), []);
  await page.getByRole('button', { name: 'Before “Replace all”' }).click();
  await page.getByRole('button', { name: 'Save version' }).click();
  await page.getByRole('textbox', { name: 'Name of the version' }).fill('Tayyor');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => callsOf(page, 'transcripts.nameVersion'))
    .toEqual([{ transcriptId: 't1', revision: 5, name: 'Tayyor' }]);
  expect(complaints).toEqual([]);
  await close();
});

test('a version is named by its own menu, also an automatic one, but not the first result', async () => {
  const { page, complaints, close } = await openVersions(sampleTranscript('interview-uz'), []);
  const list = page.getByRole('list', { name: 'Versions' });
  const menuOf = (title: string) => list.getByRole('listitem').filter({ hasText: title });
  await menuOf('Before “Replace all”').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await page.getByRole('textbox', { name: 'Name of the version' }).fill('Oldin');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await menuOf('Tekshirilgan').getByRole('button', { name: 'Tekshirilgan' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  const name = page.getByRole('textbox', { name: 'Name of the version' });
  expect(await name.inputValue()).toBe('Tekshirilgan');
  await name.fill('20:00 gacha');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => callsOf(page, 'transcripts.nameVersion'))
    .toEqual([
      { transcriptId: 't1', revision: 1, name: 'Oldin' },
      { transcriptId: 't1', revision: 3, name: '20:00 gacha' },
    ]);
  expect(await menuOf('From the service').getByRole('button', { name: 'More' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('the name of a version is removed, which can be undone', async () => {
  const { page, complaints, close } = await openVersions(sampleTranscript('interview-uz'), []);
  await page.getByRole('button', { name: 'Tekshirilgan' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Remove the name' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect
    .poll(() => callsOf(page, 'transcripts.nameVersion'))
    .toEqual([
      { transcriptId: 't1', revision: 3, name: null },
      { transcriptId: 't1', revision: 3, name: 'Tekshirilgan' },
    ]);
  expect(complaints).toEqual([]);
  await close();
});

test.each([1280, 960])(
  'a long name of a speaker ends in an ellipsis beside the other text, %i px wide',
  async (width) => {
    const long = 'Abdurahmonqulov Muhammadyusuf Sherzodbekovich, Oʻzbekiston Milliy universiteti professori';
    const given = sampleTranscript('interview-uz');
    const [first] = given.segments;
    if (first === undefined) throw new Error('no segment');
    const transcript = { ...given, speakers: given.speakers.map((speaker) => ({ ...speaker, name: long })) };
    const other = given.speakers.find(({ id }) => id !== first.speakerId)?.id ?? null;
    const changed = {
      ...first,
      text: `Xoʻsh, ${first.text}`,
      words: [{ ...first.words[0]!, text: 'Xoʻsh,', endMs: first.words[0]!.startMs }, ...first.words],
    };
    const { page, complaints, close } = await openVersions(
      transcript,
      [{ type: 'set', segments: [changed, { ...given.segments[2]!, speakerId: other }] }],
      { size: { width, height: 640 } },
    );
    const names = page.getByRole('region', { name: 'Two versions side by side' }).getByText(long);
    await expect.poll(() => names.count()).toBe(4);
    for (const name of await names.all()) {
      const fits = await name.evaluate((element) => {
        const side = element.closest('[data-side]')?.getBoundingClientRect();
        const { right, left } = element.getBoundingClientRect();
        return {
          isInside: side !== undefined && left >= side.left && right <= side.right + 0.5,
          isShortened:
            element.scrollWidth > element.clientWidth && getComputedStyle(element).textOverflow === 'ellipsis',
        };
      });
      expect(fits).toEqual({ isInside: true, isShortened: true });
      await page.mouse.move(1, 1);
      await name.hover();
      await page.getByRole('tooltip').getByText(long).waitFor();
    }
    expect(complaints).toEqual([]);
    await close();
  },
);

test.each(['uz', 'ru'] as const)(
  'in the narrowest panel the button that saves the text stays in its place (%s)',
  async (language) => {
    const { page, complaints, close } = await openVersions(sampleTranscript('interview-uz'), [], {
      language,
      size: { width: 960, height: 640 },
    });
    const panel = page.locator('aside[data-pane="inspector"]');
    const spaceBeside = await panel.evaluate((element) => {
      const button = element.querySelector('button');
      return element.getBoundingClientRect().right - (button?.getBoundingClientRect().right ?? Infinity);
    });
    expect(spaceBeside).toBeGreaterThanOrEqual(12);
    expect(complaints).toEqual([]);
    await close();
  },
);
