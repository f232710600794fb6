import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { LocalModelView } from '../../shared/ipc/contract-models.ts';
import { callsOf } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const model = (id: string, part: Partial<LocalModelView>): LocalModelView => ({
  id,
  name: `GigaAM ${id}`,
  languages: ['uz', 'ru', 'en'],
  licence: 'MIT',
  source: 'models.example',
  sha256: 'ab'.repeat(32),
  bytes: 0,
  totalBytes: 225_000_000,
  bytesPerSecond: null,
  memoryBytes: 1.2e9,
  leastMemoryBytes: 4e9,
  wordErrors: [{ language: 'uz', least: 10, most: 14 }],
  hasPunctuation: false,
  measuredFactor: null,
  state: 'absent',
  failure: null,
  ...part,
});
const all = planStudio({
  settings: { mode: 'local' },
  answers: {
    'models.list': {
      models: [
        model('absent', {}),
        model('coming', { state: 'downloading', bytes: 94_500_000, bytesPerSecond: 3_100_000 }),
        model('paused', {
          state: 'partial',
          bytes: 137_000_000,
          failure: makeFailure('E-252', { code: 'other_checksum' }),
        }),
        model('checked', { state: 'checking', bytes: 225_000_000 }),
        model('ready', { state: 'here', bytes: 225_000_000, measuredFactor: 1 / 6 }),
        model('heavy', { state: 'too-little-memory', leastMemoryBytes: 8e9 }),
      ],
      refused: [{ name: 'other.onnx', sha256: 'cd'.repeat(32) }],
      hasOwn: false,
    },
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
  await row('GigaAM absent').getByRole('button', { name: 'Get GigaAM absent, 225 MB' }).click();
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

test('a refused file stays with both checksums until it is removed, and a folder without a model is said', async () => {
  const page = await served.open({ plan: all, location: '/settings/local' });
  const refused = page.getByRole('listitem').filter({ hasText: 'other.onnx' });
  await refused.getByText(`SHA-256 ${'cd'.repeat(32)}, published ${'ab'.repeat(32)}`).waitFor();
  await refused.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.poll(() => callsOf(page, 'models.dismissRefused')).toEqual([{}]);
  await page.getByRole('button', { name: 'I already have it…' }).click();
  await page.getByText(/^There is no model among the chosen files/u).waitFor();
  await page.context().close();
  expect(served.complaints).toEqual([]);
});
