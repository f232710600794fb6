import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { openQueueRig, takesAll, type QueueRig } from '../support/queue-rig.ts';
import { sendJson } from '../support/scripted-server.ts';

let rig: QueueRig;
beforeEach(async () => {
  rig = await openQueueRig();
});
afterEach(() => rig.close());

describe('the user controls the queue', () => {
  const idsByName = () => new Map(rig.library.jobs.list().jobs.map(({ name, id }) => [name, id]));
  const idOf = (name: string) => idsByName().get(name) ?? '';
  const stateOf = (name: string) => rig.library.jobs.list().jobs.find((job) => job.name === name)?.state.tag;
  const uploadNames = () => rig.posts().map(({ body }) => /filename="([^"]+)"/.exec(body.toString())?.[1]);
  const hold = (isHeld: boolean) => rig.library.jobs.hold(isHeld);

  it('paused, it starts nothing, even after a restart; resumed, it sends in the order chosen meanwhile', async () => {
    await hold(true);
    rig.library.jobs.setUploadsAtOnce(1);
    await rig.add(...['a', 'b', 'c', 'd'].map((name, at) => rig.record(`${name}.wav`, 200 + at * 13)));
    await rig.reopen();
    rig.library.jobs.setUploadsAtOnce(1);
    expect(rig.library.jobs.list().queue.isHeld).toBe(true);
    await rig.until(['waiting', 'waiting', 'waiting', 'waiting']);
    await rig.library.jobs.move([idOf('d.wav'), idOf('c.wav')], idOf('a.wav'));
    await rig.library.jobs.runNext(idOf('b.wav'));
    expect(rig.posts()).toHaveLength(0);
    await hold(false);
    await rig.until(['done', 'done', 'done', 'done']);
    expect(uploadNames()).toEqual(['b.wav', 'c.wav', 'd.wav', 'a.wav']);
    expect(rig.keys().size).toBe(4);
  });

  it('pausing everything lets the uploads that have begun finish, and begins no other', async () => {
    const answers: (() => unknown)[] = [];
    rig.server.script = (...asked) => {
      answers.push(() => takesAll(...asked));
    };
    rig.library.jobs.setUploadsAtOnce(1);
    await rig.add(rig.record('a.wav', 210), rig.record('b.wav', 220));
    await expect.poll(() => answers.length).toBe(1);
    await hold(true);
    const states = () =>
      rig
        .states()
        .map(({ tag }) => tag)
        .toSorted();
    expect(states()).toEqual(['uploading', 'waiting']);
    rig.server.script = takesAll;
    for (const answer of answers) answer();
    await expect.poll(states).toEqual(['done', 'waiting']);
    expect(rig.posts()).toHaveLength(1);
    await hold(false);
    await rig.until(['done', 'done']);
  });

  it('a pause of one row in the middle of its upload stops it; resuming sends the same file under the same key', async () => {
    rig.server.script = () => undefined;
    await rig.add(rig.record('a.wav', 210));
    await expect.poll(() => rig.posts().length).toBe(1);
    const acted = await rig.library.jobs.act([idOf('a.wav'), 'nobody'], 'pause');
    expect(acted).toEqual({ ok: true, value: { changedCount: 1, acceptedCount: 0 } });
    expect(stateOf('a.wav')).toBe('paused');
    rig.server.script = takesAll;
    await rig.library.jobs.act([idOf('a.wav')], 'go-on');
    await rig.until(['done']);
    expect(rig.keys().size).toBe(1);
  });

  it('a change of position is published, also for the rows behind a cancelled one', async () => {
    await hold(true);
    await rig.add(...[1, 2, 3, 4, 5, 6].map((at) => rig.record(`${String(at)}.wav`, 200 + at * 11)));
    await rig.until(['waiting', 'waiting', 'waiting', 'waiting', 'waiting', 'waiting']);
    const told = new Map<string, number | null>();
    const tell = (jobs: readonly JobView[]) => {
      for (const { name, state } of jobs) {
        if (state.tag === 'waiting') told.set(name, state.placeInQueue);
        else told.delete(name);
      }
    };
    tell(rig.library.jobs.list().jobs);
    rig.library.jobs.onChanged(({ jobs }) => {
      tell(jobs);
    });
    await rig.library.jobs.act([idOf('4.wav')], 'cancel');
    await expect.poll(() => [...told]).toEqual([1, 2, 3, 5, 6].map((name, at) => [`${String(name)}.wav`, at + 1]));
    await rig.library.jobs.runNext(idOf('6.wav'));
    await expect
      .poll(() => [...told].toSorted((a, b) => Number(a[1]) - Number(b[1])).map(([name]) => name))
      .toEqual(['6.wav', '1.wav', '2.wav', '3.wav', '5.wav']);
    await hold(false);
    await rig.until(['done', 'done', 'done', 'cancelled', 'done', 'done']);
  });

  it('what was cancelled before it was sent is restored by one request; a retry of failed rows leaves it alone', async () => {
    await rig.library.jobs.hold(true);
    await rig.add(rig.record('a.wav'), rig.record('b.wav', 240));
    const [a = '', b = ''] = rig.library.jobs.list().jobs.map(({ id }) => id);
    expect(await rig.library.jobs.act([a, b], 'cancel')).toMatchObject({ value: { changedCount: 2 } });
    expect(await rig.library.jobs.act([a, b], 'retry')).toMatchObject({ value: { changedCount: 0 } });
    expect(await rig.library.jobs.act([a], 'undo-cancel')).toMatchObject({ value: { changedCount: 1 } });
    await rig.library.jobs.hold(false);
    await rig.until(['done', 'cancelled']);
    expect(rig.posts()).toHaveLength(1);
    // What is done can't be undone any more.
    expect(await rig.library.jobs.act([a], 'undo-cancel')).toMatchObject({ value: { changedCount: 0 } });
  });

  it('more parallel uploads start at once, and fewer let running ones finish', async () => {
    const waiting: (() => void)[] = [];
    rig.server.script = (request, response, at) => {
      if (request.method === 'POST') waiting.push(() => void takesAll(request, response, at));
      else void takesAll(request, response, at);
    };
    await rig.add(...[1, 2, 3, 4, 5, 6].map((at) => rig.record(`${String(at)}.wav`, 200 + at * 11)));
    await expect.poll(() => waiting.length).toBe(2);
    rig.library.jobs.setUploadsAtOnce(5);
    await expect.poll(() => waiting.length).toBe(5);
    rig.library.jobs.setUploadsAtOnce(1);
    for (const answer of waiting.splice(0, 4)) answer();
    await expect.poll(() => rig.tags().filter((tag) => tag === 'done').length).toBe(4);
    expect([waiting.length, rig.tags().filter((tag) => tag === 'uploading').length]).toEqual([1, 1]);
    for (const answer of waiting.splice(0)) answer();
    await expect.poll(() => waiting.length).toBe(1);
    for (const answer of waiting.splice(0)) answer();
    await rig.until(['done', 'done', 'done', 'done', 'done', 'done']);
    expect(rig.posts()).toHaveLength(6);
  });

  it('the transcript of a duplicate can be reused without sending, and the copy is edited separately', async () => {
    await rig.add(rig.record('a.wav'));
    await rig.until(['done']);
    await rig.add(rig.record('copy.wav'));
    await rig.until(['done', 'needs-user']);
    expect(await rig.library.jobs.copyResult(idOf('copy.wav'))).toEqual({ ok: true, value: null });
    await rig.until(['done', 'done']);
    const [first, second] = rig.states();
    if (first?.tag !== 'done' || second?.tag !== 'done') throw new Error('not done');
    expect(second.transcriptId).not.toBe(first.transcriptId);
    const copy = await rig.library.transcripts.open(second.transcriptId ?? '');
    expect(copy.ok && copy.value).toMatchObject({
      title: 'copy',
      transcript: { segments: [{ text: 'Salom dunyo.' }] },
    });
    expect(rig.posts()).toHaveLength(1);
    expect((await rig.library.jobs.copyResult(idOf('a.wav'))).ok).toBe(false);
  });

  it('one request cancels or removes many rows, and says how many of them the service has nevertheless', async () => {
    rig.server.script = (request, response, at) =>
      request.method === 'POST'
        ? sendJson(response, 202, { id: `tr_${String(at.number)}` })
        : sendJson(response, 200, { id: 'tr', status: 'processing' });
    await rig.add(rig.record('a.wav', 210), rig.record('b.wav', 220));
    await expect.poll(() => rig.tags().every((tag) => /queued-at-service|processing/.test(tag))).toBe(true);
    await hold(true);
    await rig.add(rig.record('c.wav', 230));
    const ids = rig.library.jobs.list().jobs.map(({ id }) => id);
    expect(await rig.library.jobs.act(ids, 'cancel')).toEqual({
      ok: true,
      value: { changedCount: 3, acceptedCount: 2 },
    });
    expect((await rig.library.jobs.act(ids, 'remove')).ok).toBe(true);
    expect(rig.tags()).toEqual([]);
    await rig.reopen();
    expect(rig.tags()).toEqual([]);
  });

  it('a recording that was moved is located by the user and continues (E-010)', async () => {
    await hold(true);
    const path = rig.record('a.wav');
    await rig.add(path);
    const moved = join(rig.folder, 'elsewhere.wav');
    renameSync(path, moved);
    await hold(false);
    await rig.until(['needs-user']);
    expect(rig.states()[0]).toMatchObject({ failure: { row: 'E-010' } });
    expect((await rig.library.jobs.relocate(idOf('a.wav'), moved)).ok).toBe(true);
    await rig.until(['done']);
  });

  it('learns how long uploads and the service take, and remembers it after a restart', async () => {
    await rig.add(...Array.from({ length: 10 }, (_, at) => rig.record(`${String(at)}.wav`, 200 + at * 11)));
    await expect.poll(() => rig.tags().filter((tag) => tag === 'done').length, { timeout: 15_000 }).toBe(10);
    expect(rig.library.jobs.list().queue.pace.sampleCount).toBe(10);
    await rig.reopen();
    expect(rig.library.jobs.list().queue.pace).toMatchObject({ sampleCount: 10, serviceMs: expect.any(Number) });
  });
});
