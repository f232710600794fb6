import { expect, it } from 'vitest';
import { defaultSettings, type SettingsStore, type StoredSettings } from '../settings/stored-settings.ts';
import { ok } from '../../../shared/result/result.ts';
import type { AdmitFiles } from '../../queue/rows.ts';
import { createIntake } from '../intake/intake.ts';
import { estimateAudio, type AudioWork, type SpendEstimate } from '../../../shared/domain/spend/spend-limit.ts';
import {
  admitUnasked,
  createPaidActions,
  createSpendGuard,
  createUserActivations,
  type SpendQuestion,
} from './spend-guard.ts';

const minute = 60_000;

function build(change: Partial<StoredSettings> = {}, identity: string | null = null, priced = new Set<AudioWork>()) {
  let settings: StoredSettings = { ...defaultSettings, mode: 'service', spendLimitMinutes: 60, ...change };
  const store: SettingsStore = {
    wasReset: false,
    get: () => settings,
    update: (next) => (settings = { ...settings, ...next }),
    onChanged: () => () => undefined,
  };
  const asked: SpendQuestion[] = [];
  const told: string[] = [];
  const clock = { now: 1_000_000_000_000 };
  const answer = { isYes: false, isUnwanted: false };
  const activations = createUserActivations(() => clock.now);
  const guard = createSpendGuard({
    settings: store,
    now: () => clock.now,
    identity: () => identity,
    isPriced: (work) => identity === null || priced.has(work),
    confirm: async (_window, question) => {
      asked.push(question);
      told.push('asks');
      return answer.isYes || (question.waits === true && !answer.isUnwanted && 'waits');
    },
    publishAsking: (isOpen) => void told.push(isOpen ? 'opens' : 'closes'),
    log: { write: () => undefined },
  });
  const paid = createPaidActions({ guard, activations });
  const agree = (connection: string) => void store.update({ agreedConnections: [connection] });
  return { paid, agree, activations, asked, told, answer, clock, store, settings: () => settings };
}

const audio = (minutes: number) => estimateAudio('transcribe', [minutes * minute]);

it('a thousand requests of a page without user activation have no effect (S-15)', async () => {
  const { paid, activations, clock, settings } = build({ mode: 'practice' });
  const moments = [null, 0, clock.now - 5_001, clock.now + 60_000];
  for (let at = 0; at < 1000; at += 1) {
    const asker = { windowId: 1, activation: moments[at % moments.length] ?? null };
    const admitted = await (at % 2 === 0
      ? paid.start(asker, audio(1))
      : paid.sendFiles({ windowId: 1, isByPerson: activations.take(1, asker.activation) }, 'transcribe'));
    expect(admitted).toMatchObject({ ok: false, error: { kind: 'not-asked-for' } });
  }
  expect(settings().spentLately).toEqual([]);
});

it('one click or key press allows one request, in its own window, for five seconds', async () => {
  const { paid, clock } = build();
  const activation = clock.now;
  expect((await paid.start({ windowId: 1, activation }, audio(1))).ok).toBe(true);
  expect((await paid.start({ windowId: 1, activation }, audio(1))).ok).toBe(false);
  expect((await paid.start({ windowId: 2, activation }, audio(1))).ok).toBe(true);
  clock.now += 4_999;
  expect((await paid.start({ windowId: 3, activation }, audio(1))).ok).toBe(true);
  clock.now += 2;
  expect((await paid.start({ windowId: 4, activation }, audio(1))).ok).toBe(false);
});

it('above the limit of the hour the user is asked and sees the sum, and no means nothing is sent', async () => {
  const { paid, asked, answer, clock, settings } = build();
  const request = (minutes: number) => {
    clock.now += 1;
    return paid.start({ windowId: 1, activation: clock.now }, audio(minutes));
  };
  expect(await request(40)).toEqual({ ok: true, value: true });
  expect(await request(40)).toEqual({ ok: true, value: false });
  expect(asked).toEqual([{ tag: 'ask', estimate: audio(40), spentMs: 40 * minute, limitMs: 60 * minute }]);
  answer.isYes = true;
  expect(await request(40)).toEqual({ ok: true, value: true });
  expect(settings().spentLately.reduce((sum, { audioMs }) => sum + audioMs, 0)).toBe(80 * minute);
});

it('a file of unknown length is judged by its size', async () => {
  const { paid, asked } = build({ spendLimitMinutes: 20 });
  const sending = paid.sendFiles({ windowId: 1, isByPerson: true }, 'transcribe');
  const file = { sizeBytes: 16_000 * 60 * 30, durationMs: null };
  expect(sending.ok && (await sending.value([file], true))).toBe(false);
  expect(asked[0]?.estimate).toMatchObject({
    recordings: [{ work: 'transcribe', durationMs: 30 * minute }],
    requests: 1,
    audioMs: 30 * minute,
    characters: 0,
    isRough: true,
  });
});

it('samples are judged by the price with speakers as soon as one of them has several', async () => {
  const { paid, asked } = build({ spendLimitMinutes: 0 });
  const jobs = {
    add: async (_jobs: unknown, { admit }: { readonly admit: AdmitFiles }) => (
      await admit([{ sizeBytes: 1, durationMs: minute }], true),
      { jobIds: [], refused: [], repeated: [], cutShort: [] }
    ),
  };
  const files = { walk: async () => ({ files: [], refused: [] }) };
  const sample = { path: 'a.wav', name: 'a.wav', sizeBytes: 1, language: 'uz' } as const;
  const intake = createIntake({
    library: async () => ok({ jobs, files }),
    paid,
    samples: async () => [1, 2].map((speakers) => ({ ...sample, speakers })),
  } as unknown as Parameters<typeof createIntake>[0]);
  const watch = { signal: new AbortController().signal, onProgress: () => undefined };
  await intake.add({ windowId: 1, isByPerson: true, watch }, 'samples');
  expect(asked).toMatchObject([{ estimate: { recordings: [{ work: 'speakers' }] } }]);
});

it('of a folder the whole is judged before any is sent, each recording by its started minutes', async () => {
  const { paid, asked, answer, settings } = build();
  const sending = paid.sendFiles({ windowId: 1, isByPerson: true }, 'transcribe');
  const admit = sending.ok ? sending.value : async () => true;
  const clips = Array.from({ length: 65 }, () => ({ sizeBytes: 1, durationMs: 1000 }));
  expect([await admit(clips.slice(0, 48), false), asked.length, settings().spentLately]).toEqual([false, 0, []]);
  answer.isYes = true;
  expect(await admit(clips, true)).toBe(true);
  expect(asked).toMatchObject([{ estimate: { requests: 65, audioMs: 65_000 }, spentMs: 0 }]);
  expect(settings().spentLately).toMatchObject([{ audioMs: 65 * minute }]);
});

it.each([{ spendLimitMinutes: null }, { mode: 'practice' } as const])(
  'where nothing can be asked, a folder is sent as it is found: %j',
  async (change) => {
    const sending = build(change).paid.sendFiles({ windowId: 1, isByPerson: true }, 'transcribe');
    expect(sending.ok && (await sending.value([{ sizeBytes: 1, durationMs: minute }], false))).toBe(true);
  },
);

it('what has no audio is asked about too while its price is unknown', async () => {
  const { paid, asked, agree, clock, store } = build({}, 'one');
  const costing = (price: SpendEstimate['price']) =>
    ({ requests: 1, audioMs: 0, characters: 20, price, isRough: false }) as const;
  const start = (price: SpendEstimate['price']) =>
    paid.start({ windowId: 1, activation: (clock.now += 1) }, costing(price));
  // Where nobody can be asked, it is not sent.
  const isSentUnasked = (most: string | null) => admitUnasked(store, 'one', costing({ usual: null, most }), clock.now);
  expect([isSentUnasked(null), isSentUnasked('9')]).toEqual([false, true]);
  for (const price of [undefined, { usual: null, most: null }])
    expect(await start(price)).toEqual({ ok: true, value: false });
  expect(asked).toMatchObject([{ isUnpriced: true }, { isUnpriced: true }]);
  for (const price of [
    { usual: '2', most: null },
    { usual: null, most: '9' },
  ])
    expect(await start(price)).toEqual({ ok: true, value: true });
  agree('one');
  expect([await start(undefined), asked.length]).toEqual([{ ok: true, value: true }, 2]);
});

it('a hundred at once are judged one after another', async () => {
  const { paid, asked, clock, settings } = build();
  const all = Array.from({ length: 100 }, (_, at) => paid.start({ windowId: at, activation: clock.now }, audio(10)));
  const values = (await Promise.all(all)).map((one) => one.ok && one.value);
  expect([values.filter(Boolean).length, asked.length]).toEqual([6, 94]);
  expect(settings().spentLately).toEqual([{ atMs: clock.now, requests: 6, audioMs: 60 * minute }]);
});

it('while a price is unknown each addition is asked about, however it is added; then the limit of the hour decides', async () => {
  const priced = new Set<AudioWork>();
  const { paid, asked, answer, agree, clock, settings } = build({}, 'one', priced);
  const send = async (work: AudioWork, isLastBatch = true, isResting = false) => {
    const sending = paid.sendFiles({ windowId: 1, isByPerson: true }, work);
    return sending.ok && (await sending.value([{ sizeBytes: 1, durationMs: minute }], isLastBatch, isResting));
  };
  const start = (work: AudioWork) =>
    paid.start({ windowId: 1, activation: (clock.now += 1) }, estimateAudio(work, [minute]));
  expect([await send('transcribe', false), asked.length]).toEqual([false, 0]);
  expect([await send('transcribe'), await send('isolate', true, true)]).toEqual(['waits', true]);
  const unpriced = { tag: 'ask', spentMs: 0, limitMs: 60 * minute, isUnpriced: true };
  expect(asked).toMatchObject([{ ...unpriced, estimate: estimateAudio('transcribe', [minute]), waits: true }]);
  expect([await start('transcribe'), asked.length]).toEqual([{ ok: true, value: false }, 2]);
  answer.isYes = true;
  expect([await send('transcribe'), await send('isolate'), asked.length]).toEqual([true, true, 4]);
  priced.add('transcribe');
  expect([await send('transcribe'), asked.length]).toEqual([true, 4]);
  expect([await start('transcribe'), asked.length]).toEqual([{ ok: true, value: true }, 4]);
  answer.isYes = false;
  expect([await send('isolate'), asked.length]).toEqual(['waits', 5]);
  agree('one');
  expect([await send('isolate'), asked.length]).toEqual([true, 5]);
  agree('another');
  expect([await send('isolate'), asked.length]).toEqual(['waits', 6]);
  answer.isUnwanted = true;
  expect([await send('isolate'), asked.length]).toEqual([false, 7]);
  expect(settings().spentLately).toMatchObject([{ audioMs: 5 * minute }]);
});

it('what was ordered for another account is asked about even within the limit, unless nothing ever is', async () => {
  for (const spendLimitMinutes of [60, null]) {
    const { paid, asked, clock } = build({ spendLimitMinutes });
    const newAddress = 'https://other.example';
    const admitted = await paid.startQueued({ windowId: 1, activation: clock.now }, audio(1), newAddress);
    expect(admitted).toEqual({ ok: true, value: spendLimitMinutes === null || 'waits' });
    expect(asked).toMatchObject(spendLimitMinutes === null ? [] : [{ newAddress, waits: true }]);
  }
});

it.each([null, 0])('with a limit of %s an unknown price is no question of its own', async (spendLimitMinutes) => {
  const { paid, asked } = build({ spendLimitMinutes }, 'one');
  const sending = paid.sendFiles({ windowId: 1, isByPerson: true }, 'transcribe');
  const isSent = sending.ok && (await sending.value([{ sizeBytes: 1, durationMs: minute }], true));
  expect(isSent).toBe(spendLimitMinutes === null);
  expect(asked.map(({ isUnpriced }) => isUnpriced)).toEqual(spendLimitMinutes === null ? [] : [undefined]);
});

it('a press counts when it is made, however long the estimate takes', async () => {
  const { paid, clock } = build();
  const activation = clock.now;
  const estimate = Promise.resolve().then(() => ((clock.now += 60_000), audio(1)));
  expect(await paid.start({ windowId: 1, activation }, estimate)).toEqual({ ok: true, value: true });
});

it('a page is told while the question is open, and only then', async () => {
  const { paid, told, clock } = build({ spendLimitMinutes: 5 });
  await paid.start({ windowId: 1, activation: clock.now }, audio(1));
  expect(told).toEqual([]);
  await paid.start({ windowId: 2, activation: clock.now }, audio(10));
  expect(told).toEqual(['opens', 'asks', 'closes']);
});

it('what comes into a watched folder is sent within the limit of the hour, and waits while its price is unknown', async () => {
  const priced = new Set<AudioWork>();
  const { paid, asked, settings } = build({}, 'one', priced);
  const file = { sizeBytes: 1, durationMs: 40 * minute };
  expect([await paid.sendWatched(file, 'transcribe'), settings().spentLately]).toEqual(['waits', []]);
  priced.add('transcribe');
  expect([await paid.sendWatched(file, 'transcribe'), await paid.sendWatched(file, 'transcribe')]).toEqual([
    true,
    false,
  ]);
  expect(asked).toEqual([]);
});

it('practice mode costs nothing and asks nothing', async () => {
  const { paid, asked, clock, settings } = build({ mode: 'practice', spendLimitMinutes: 0 });
  expect(await paid.start({ windowId: 1, activation: clock.now }, audio(1e6))).toEqual({ ok: true, value: true });
  expect([asked, settings().spentLately]).toEqual([[], []]);
});
