import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { modelsInEveryState } from './local-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const all = planStudio({
  settings: { mode: 'local' },
  answers: {
    'models.list': modelsInEveryState,
    'models.get': {},
    'models.pause': {},
    'models.remove': {},
    'models.dismissRefused': {},
    'models.add': { id: null, foundCount: 0 },
  },
});

test('each model offers what its state allows, and says whom it would contact before it does', async () => {
  const page = await served.open({ plan: all, location: '/settings/local' });
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await row('GigaAM absent')
    .getByText('Not here. From models.example, contacted only when you press the button.')
    .waitFor();
  await row('GigaAM absent').getByRole('button', { name: 'Get · 225 MB: GigaAM absent' }).click();
  await row('GigaAM coming').getByText('42%').waitFor();
  await row('GigaAM coming').getByRole('button', { name: 'Pause' }).click();
  await row('GigaAM coming').getByRole('button', { name: 'Cancel the download' }).click();
  await row('GigaAM paused').getByRole('alert').waitFor();
  await row('GigaAM paused').getByRole('button', { name: 'Resume' }).click();
  expect(await row('GigaAM checked').getByRole('button').count()).toBe(0);
  await row('GigaAM ready').getByText('an hour takes about 10 min here').waitFor();
  await row('GigaAM ready').getByRole('button', { name: 'Remove GigaAM ready' }).click();
  expect(await row('GigaAM heavy').getByRole('button').count()).toBe(0);
  expect(await callsOf(page, 'models.get')).toEqual([{ id: 'absent' }, { id: 'paused' }]);
  expect(await callsOf(page, 'models.pause')).toEqual([{ id: 'coming' }]);
  expect(await callsOf(page, 'models.remove')).toEqual([{ id: 'coming' }, { id: 'ready' }]);
  await page.context().close();
});

test('a refused file stays with what its checksum tells until it is removed, and a folder without a model is said', async () => {
  const page = await served.open({ plan: all, location: '/settings/local' });
  const refused = page.getByRole('listitem').filter({ hasText: 'other.onnx' });
  await refused.getByText(`SHA-256 ${'cd'.repeat(32)}`, { exact: true }).waitFor();
  await page.getByText(`SHA-256 ${'cd'.repeat(32)}, published ${'ef'.repeat(32)}`).waitFor();
  await page.getByText('half.onnx is right. Choose it together with letters.txt, which belongs to it.').waitFor();
  await refused.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.poll(() => callsOf(page, 'models.dismissRefused')).toEqual([{}]);
  await page.getByRole('button', { name: 'I already have it…' }).click();
  await page.getByText(/^There is no model among the chosen files/u).waitFor();
  await page.context().close();
  expect(served.complaints).toEqual([]);
});
