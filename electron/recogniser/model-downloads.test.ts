import { expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localModels } from '../../shared/domain/local-models.ts';
import { err, type Result } from '../../shared/result/result.ts';
import { createModelDownloads } from './model-downloads.ts';
import type { ModelStore } from './model-store.ts';

it('an old error goes when the next try starts, from the network or from files', async () => {
  const [model] = localModels;
  if (model === undefined) throw new Error('no model');
  let answer = Promise.withResolvers<Result<null>>();
  const adding = Promise.withResolvers<Awaited<ReturnType<ModelStore['add']>>>();
  const downloads = createModelDownloads({
    store: {
      list: async () => [{ model, state: 'absent', bytes: 0, total: 1, measuredFactor: null }],
      download: () => answer.promise,
      add: () => adding.promise,
      remove: async () => undefined,
    },
    onChanged: () => undefined,
    onHere: () => undefined,
    now: () => 0,
  });
  const rowOf = async () => (await downloads.list())[0]?.failure?.row;
  const fail = async () => {
    downloads.get(model.id);
    answer.resolve(err(makeFailure('E-254')));
    await expect.poll(rowOf).toBe('E-254');
    answer = Promise.withResolvers<Result<null>>();
  };
  await fail();
  downloads.get(model.id);
  expect(await rowOf()).toBeUndefined();
  answer.resolve(err(makeFailure('E-252')));
  await expect.poll(rowOf).toBe('E-252');
  void downloads.add(['/somewhere']);
  expect(await rowOf()).toBeUndefined();
  adding.resolve({ ok: true, value: { model: null, found: [] } });
});
