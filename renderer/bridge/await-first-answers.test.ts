import { describe, expect, it } from 'vitest';
import type { StudioBridge } from '../../shared/ipc/derive.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { awaitFirstAnswers } from './await-first-answers.ts';

type Answer = (method: string, input: unknown) => Promise<Result<unknown>>;
const never = new Promise<never>(() => undefined);

function build(answer: Answer, partCount = 1) {
  const asked: string[] = [];
  const bridge: StudioBridge = {
    request: (method, input) => {
      asked.push(`${method} ${JSON.stringify(input)}`);
      return method === 'jobs.list' && partCount > 0
        ? Promise.resolve(ok({ number: 7, partCount, asked: asked.length }))
        : answer(method, input);
    },
    on: () => () => undefined,
    openStream: () => never,
    fileTokenFor: () => never,
  };
  return { asked, bridge };
}

const answered: Answer = async (method) => ok(method);

describe('the first answers', () => {
  it('are requested all at once, and the parts of a list after its first one', async () => {
    const { asked, bridge } = build(answered, 3);
    expect((await awaitFirstAnswers(bridge, never)).areThere).toBe(true);
    expect(asked).toEqual([
      'jobs.list {}',
      'app.describe {}',
      'usage.today {}',
      'usage.rate {}',
      'jobs.list {"part":{"number":7,"index":1}}',
      'jobs.list {"part":{"number":7,"index":2}}',
    ]);
  });

  it('are returned once each; a repeated or different request goes to main', async () => {
    const { asked, bridge } = build(answered, 2);
    const first = await awaitFirstAnswers(bridge, never);
    const before = asked.length;
    expect(await first.bridge.request('jobs.list', { part: { number: 7, index: 1 } })).toEqual(
      ok({ number: 7, partCount: 2, asked: 5 }),
    );
    expect(await first.bridge.request('app.describe', {})).toEqual(ok('app.describe'));
    expect(asked).toHaveLength(before);
    await first.bridge.request('app.describe', {});
    await first.bridge.request('jobs.list', { part: { number: 8, index: 1 } });
    expect(asked).toHaveLength(before + 2);
  });

  it('have a time limit: a late one is passed on as it is', async () => {
    const late = Promise.withResolvers<Result<unknown>>();
    const { bridge, asked } = build((method) => (method === 'app.describe' ? late.promise : answered(method, {})));
    const first = await awaitFirstAnswers(bridge, Promise.resolve());
    expect(first.areThere).toBe(false);
    const count = asked.length;
    const answer = first.bridge.request('app.describe', {});
    late.resolve(ok('at last'));
    expect([await answer, asked.length]).toEqual([ok('at last'), count]);
  });

  it('do not delay the screen for a long list', async () => {
    const { bridge, asked } = build(answered, 20);
    expect((await awaitFirstAnswers(bridge, never)).areThere).toBe(false);
    expect(asked.filter((one) => one.startsWith('jobs.list'))).toHaveLength(1);
  });

  it('may be a refusal, an error or invalid: the caller gets the same', async () => {
    const refusal = err(makeFailure('E-184'));
    const refused = await awaitFirstAnswers(build(async () => refusal, 0).bridge, never);
    expect([refused.areThere, await refused.bridge.request('jobs.list', {})]).toEqual([false, refusal]);

    const broken = await awaitFirstAnswers(build(() => Promise.reject(new Error('gone')), 0).bridge, never);
    expect(broken.areThere).toBe(false);
    await expect(broken.bridge.request('app.describe', {})).rejects.toThrow('gone');

    const nonsense = await awaitFirstAnswers(build(async () => ok(null), 0).bridge, never);
    expect([nonsense.areThere, await nonsense.bridge.request('usage.rate', {})]).toEqual([false, ok(null)]);
  });
});
