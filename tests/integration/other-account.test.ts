import { expect, it, onTestFinished, vi } from 'vitest';
import { jobProcedures } from '../../electron/sections/jobs.ts';
import { Secret } from '../../electron/secret/secret.ts';
import type { SpendEstimate } from '../../shared/domain/spend/spend-limit.ts';
import type { SpendQuestion } from '../../electron/services/spend/spend-guard.ts';
import type { FileSize } from '../../electron/queue/rows.ts';
import { ok } from '../../shared/result/result.ts';
import { openQueueRig } from '../support/queue-rig.ts';
import { sendJson } from '../support/scripted-server.ts';

vi.mock('electron', () => ({ dialog: {}, shell: {} }));

const asker = { windowId: 1, activation: 1 };

/** Two recordings that were ordered for an account, whose key was replaced before they were sent. */
async function afterAnotherKey() {
  const rig = await openQueueRig();
  onTestFinished(rig.close);
  const asked: (SpendEstimate & Pick<SpendQuestion, 'newAddress'>)[] = [];
  const answer = { isYes: false, isUnwanted: false };
  const procedures = jobProcedures({
    workspaces: { opened: async () => ok(rig.library) },
    connection: { serviceIdentity: () => 'known', readAddress: () => ok('https://service.example') },
    paid: {
      async startQueued(_asker: unknown, estimate: SpendEstimate, newAddress: string | undefined) {
        asked.push({ ...estimate, newAddress });
        return ok(answer.isYes || (!answer.isUnwanted && 'waits'));
      },
    },
  } as unknown as Parameters<typeof jobProcedures>[0]);
  await rig.library.jobs.hold(true);
  const { jobIds } = await rig.add(rig.record('a.wav', 210), rig.record('b.wav', 220, 0.4));
  await rig.until(['waiting', 'waiting']);
  const first = rig.connection;
  const connect = (connection: typeof first) => {
    rig.connection = connection;
    rig.library.jobs.noteConnectionChange();
  };
  connect({ ...first, key: new Secret('sk-test-another-1') });
  const goOn = () => procedures['jobs.act'].handle({ jobIds: [...jobIds], action: 'go-on' }, asker as never);
  return { rig, asked, answer, first, connect, goOn, procedures, jobIds };
}

it('another key at the same address pauses what waits, which says so; nothing of it is sent without consent', async () => {
  const { rig, asked, goOn, procedures, jobIds } = await afterAnotherKey();
  await rig.until(['paused', 'paused']);
  expect(rig.states()).toMatchObject([{ isElsewhere: true }, { isElsewhere: true }]);
  await rig.library.jobs.hold(false);
  await goOn();
  await procedures['jobs.runNext'].handle({ jobId: jobIds[1] ?? '' }, asker as never);
  expect(asked.map(({ requests, audioMs }) => [requests, audioMs])).toEqual([
    [2, 600],
    [1, 400],
  ]);
  expect(asked[0]?.recordings).toMatchObject([{ language: 'uz' }, { language: 'uz' }]);
  // Neither trying again nor a restart is consent.
  for (const id of jobIds) await rig.library.jobs.retry(id, false);
  await rig.until(['paused', 'paused']);
  await rig.reopen();
  expect(rig.states()).toMatchObject([{ isElsewhere: true }, { isElsewhere: true }]);
  expect(rig.posts()).toHaveLength(0);
});

it('with consent another account pays for it, and once', async () => {
  const { rig, asked, answer, goOn } = await afterAnotherKey();
  await rig.library.jobs.hold(false);
  answer.isYes = true;
  await goOn();
  await rig.until(['done', 'done']);
  expect([asked.length, rig.posts().length]).toEqual([1, 2]);
});

it('what is not wanted at all is cancelled, whichever way it was to go on; taking that back sends nothing', async () => {
  const { rig, answer, goOn, procedures, jobIds } = await afterAnotherKey();
  await rig.library.jobs.hold(false);
  await rig.until(['paused', 'paused']);
  answer.isUnwanted = true;
  expect(await goOn()).toMatchObject({ ok: true, value: { cancelledIds: jobIds } });
  expect(rig.states()).toMatchObject([{ tag: 'cancelled' }, { tag: 'cancelled' }]);
  await procedures['jobs.act'].handle({ jobIds: [...jobIds], action: 'undo-cancel' }, asker as never);
  await rig.until(['paused', 'paused']);
  await procedures['jobs.hold'].handle({ isHeld: false }, asker as never);
  await rig.until(['cancelled', 'cancelled']);
  expect(rig.posts()).toHaveLength(0);
});

it('resuming the whole queue asks once for what another account would pay for, and names its service', async () => {
  const { rig, asked, answer, procedures } = await afterAnotherKey();
  await rig.until(['paused', 'paused']);
  const resume = () => procedures['jobs.hold'].handle({ isHeld: false }, asker as never);
  await resume();
  expect(rig.states()).toMatchObject([{ isElsewhere: true }, { isElsewhere: true }]);
  answer.isYes = true;
  await resume();
  await rig.until(['done', 'done']);
  const once = { requests: 2, audioMs: 600, newAddress: 'https://service.example' };
  expect(asked).toMatchObject([once, once]);
});

it('a row that the user had paused stays so when the whole queue goes on', async () => {
  const { rig, asked, answer, first, connect, goOn, procedures, jobIds } = await afterAnotherKey();
  connect(first);
  await goOn();
  await rig.until(['waiting', 'waiting']);
  await rig.library.jobs.act([jobIds[1] ?? ''], 'pause');
  connect({ ...first, key: new Secret('sk-test-another-1') });
  await rig.until(['paused', 'paused']);
  answer.isYes = true;
  await procedures['jobs.hold'].handle({ isHeld: false }, asker as never);
  await rig.until(['done', 'paused']);
  expect(asked).toMatchObject([{ requests: 1 }]);
});

it('what was added for later is an order when it goes on, whichever way, and stays when that is declined', async () => {
  const { rig, asked, answer, first, connect, procedures } = await afterAnotherKey();
  connect(first);
  for (const { id } of rig.library.jobs.list().jobs) await rig.library.jobs.remove(id);
  await rig.library.jobs.hold(false);
  const file = { path: rig.record('c.wav', 230), kind: 'transcribe', language: 'uz', includeSpeakers: false } as const;
  const watch = {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    admit: async (files: readonly FileSize[]) => (expect(files).toMatchObject([{ language: 'uz' }]), 'waits' as const),
  };
  const [jobId = ''] = (await rig.library.jobs.add([file], watch)).jobIds;
  const goOn = () => procedures['jobs.act'].handle({ jobIds: [jobId], action: 'go-on' }, asker as never);
  await goOn();
  await procedures['jobs.runNext'].handle({ jobId }, asker as never);
  await procedures['jobs.retry'].handle({ jobId, acceptsNewCharge: false }, asker as never);
  // Cancelling it and taking that back is no consent either.
  for (const action of ['cancel', 'undo-cancel'] as const)
    await procedures['jobs.act'].handle({ jobIds: [jobId], action }, asker as never);
  expect(rig.states()).toMatchObject([{ tag: 'paused', isAwaitingAnswer: true }]);
  expect([asked.length, asked[0]?.requests, asked[0]?.newAddress]).toEqual([3, 1, undefined]);
  answer.isYes = true;
  await goOn();
  await rig.until(['done']);
  expect(asked).toHaveLength(4);
});

it('back at the account it was ordered for, it goes on without a question', async () => {
  const { rig, asked, first, connect, goOn } = await afterAnotherKey();
  await rig.library.jobs.hold(false);
  // The way within the same origin is no other account.
  connect({ ...first, baseUrl: `${first.baseUrl}/v2` });
  expect(rig.states()).not.toContainEqual(expect.objectContaining({ isElsewhere: true }));
  connect(first);
  await goOn();
  await rig.until(['done', 'done']);
  expect(asked).toEqual([]);
});

it('a key in place of a refused one pays for what waits, without a question, at the same service only', async () => {
  const rig = await openQueueRig();
  onTestFinished(rig.close);
  const taken = rig.server.script;
  rig.server.script = (_request, response) => sendJson(response, 401, { error: { code: 'invalid_api_key' } });
  await rig.add(rig.record('a.wav', 210), rig.record('b.wav', 220, 0.4));
  await rig.until(['blocked', 'blocked']);
  const first = rig.connection;
  const postCount = rig.posts().length;
  const connect = (connection: typeof first) => {
    rig.connection = connection;
    rig.library.jobs.noteConnectionChange();
  };
  connect({ ...first, baseUrl: 'https://other.example', key: new Secret('sk-test-another-1') });
  await rig.until(['paused', 'paused']);
  expect(rig.posts()).toHaveLength(postCount);
  connect(first);
  for (const { id } of rig.library.jobs.list().jobs) await rig.library.jobs.act([id], 'go-on');
  await rig.until(['blocked', 'blocked']);
  rig.server.script = taken;
  connect({ ...first, key: new Secret('sk-test-another-2') });
  await rig.until(['done', 'done']);
});
