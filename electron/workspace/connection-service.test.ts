import { expect, it, vi } from 'vitest';
import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
import { ok } from '../../shared/result/result.ts';
import { Secret } from '../services/secrets/secret-store.ts';
import {
  readCallHost,
  readServiceAddress,
  readStreamAddress,
  readStreamPlaces,
} from '../services/connection/service-address.ts';
import { buildConnection, row } from '../../tests/support/connection-rig.ts';

it('the first screen ends with practice mode: it starts, its library opens, the choice is stored', async () => {
  const { connection, story, settings, workspaces } = buildConnection();
  expect(workspaces.current()).toMatchObject({ ok: false, error: { row: 'E-236' } });
  expect(await connection.choose('practice')).toMatchObject({
    ok: true,
    value: { mode: 'practice', practice: 'running' },
  });
  expect([story, settings().mode]).toEqual([['practice starts'], 'practice']);
  const source = connection.sourceFor('practice')();
  expect([source?.kind, source?.baseUrl, source?.key.reveal()]).toEqual([
    'practice',
    'http://127.0.0.1:4000',
    'practice-token',
  ]);
});

it('the service needs an address and a key; without them nothing changes', async () => {
  const { connection, keys, settings } = buildConnection();
  expect(await connection.choose('service')).toMatchObject({
    ok: false,
    error: { row: 'E-234', code: 'address_missing' },
  });
  expect(connection.setAddress('http://api.example.uz')).toMatchObject({ ok: false, error: { row: 'E-234' } });
  expect(connection.setAddress('api.example.uz/')).toMatchObject({
    ok: true,
    value: { serviceAddress: 'https://api.example.uz' },
  });
  expect(await connection.choose('service')).toMatchObject({ ok: false, error: { row: 'E-235' } });
  expect(settings().mode).toBe('unset');
  await keys.save('sk_live_0123456789');
  expect(await connection.choose('service')).toMatchObject({ ok: true, value: { mode: 'service' } });
  expect(connection.sourceFor('service')()).toMatchObject({ kind: 'service', baseUrl: 'https://api.example.uz' });
});

it('practice mode that does not start never becomes the real service, nor the reverse (F-56)', async () => {
  const { connection, keys, settings, breakPractice, workspaces } = buildConnection({
    serviceAddress: 'https://api.example.uz',
  });
  await keys.save('sk_live_0123456789');
  breakPractice();
  expect(await connection.choose('practice')).toMatchObject({ ok: false, error: { row: 'E-232' } });
  expect([settings().mode, workspaces.current().ok]).toEqual(['unset', false]);
  expect(connection.sourceFor('practice')()).toBeNull();
});

it('a style that a model writes, chosen in practice where it is free, is not paid for at the service unasked', async () => {
  const { connection, keys, settings } = buildConnection({
    serviceAddress: 'https://api.example.uz',
    mode: 'practice',
    dictationStyle: 'email',
  });
  await keys.save('sk_live_0123456789');
  await connection.choose('practice');
  expect(settings().dictationStyle).toBe('email');
  await connection.choose('service');
  expect(settings().dictationStyle).toBe('tidy');
  // Chosen at the service, beside its price, it stays.
  const other = buildConnection({ serviceAddress: 'https://api.example.uz', mode: 'service', dictationStyle: 'email' });
  await other.keys.save('sk_live_0123456789');
  await other.connection.choose('service');
  expect(other.settings().dictationStyle).toBe('email');
});

it('what dictation left without a text is sent by itself where it is free, and at the service only when asked for', async () => {
  const { connection, keys, workspaces } = buildConnection({ serviceAddress: 'https://api.example.uz' });
  await keys.save('sk_live_0123456789');
  for (const [mode, times] of [
    ['local', 1],
    ['service', 0],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one mode after the other
    await connection.choose(mode);
    const workspace = workspaces.current();
    if (!workspace.ok) throw new Error(workspace.error.code);
    const sendLeft = vi.spyOn(workspace.value.dictation, 'sendLeft');
    // oxlint-disable-next-line no-await-in-loop -- a change of the connection
    await keys.save(`sk_live_9876543210${mode}`);
    expect(sendLeft).toHaveBeenCalledTimes(times);
  }
});

it('a folder that was chosen in one mode is not watched in another, where what comes into it may cost', async () => {
  const { connection, keys, settings } = buildConnection({
    serviceAddress: 'https://api.example.uz',
    mode: 'practice',
    watchFolder: '/recordings',
  });
  await keys.save('sk_live_0123456789');
  await connection.choose('practice');
  expect(settings().watchFolder).toBe('/recordings');
  await connection.choose('service');
  expect(settings().watchFolder).toBeNull();
});

it('a change of mode closes one library before it opens the other, and the numbers of the changed rows only grow', async () => {
  const { connection, keys, story, changes, workspaces, fakes } = buildConnection({
    serviceAddress: 'https://api.example.uz',
  });
  await keys.save('sk_live_0123456789');
  await connection.choose('service');
  await connection.choose('practice');
  fakes.practice.change({ jobs: [row('p1', 4)], removedIds: [], queue: noQueue });
  await connection.choose('service');
  expect(story).toEqual([
    'service starts',
    'service stops',
    'service closes',
    'practice starts',
    'practice stops',
    'practice closes',
    'service starts',
    'practice ends',
  ]);
  expect(changes.map(({ jobs, removedIds }) => [jobs.map(({ id }) => id), removedIds])).toEqual([
    [['s1', 's2'], []],
    [['p1'], ['s1', 's2']],
    [['p1'], []],
    [['s1', 's2'], ['p1']],
  ]);
  expect(workspaces.list().jobs.map(({ id }) => id)).toEqual(['s1', 's2']);
});

it('a library that does not open is reported to every caller, even to early ones', async () => {
  const { connection, workspaces, breakLibrary } = buildConnection({ mode: 'practice' });
  breakLibrary('practice');
  const resumed = connection.resume();
  expect(await workspaces.opened()).toMatchObject({ ok: false, error: { row: 'E-184' } });
  await resumed;
});

it('a library that throws is reported as a defect, and the app continues', async () => {
  const { connection, workspaces, spoilLibrary, bugs } = buildConnection({ mode: 'practice' });
  spoilLibrary();
  await connection.resume();
  expect(await workspaces.opened()).toMatchObject({ ok: false, error: { row: 'E-230', code: 'library_not_opened' } });
  expect(bugs).toHaveLength(1);
});

it('the next start continues in the same mode, and does not start an unwanted practice service', async () => {
  const { connection, story } = buildConnection({ mode: 'service', serviceAddress: 'https://api.example.uz' });
  await connection.resume();
  expect([story, connection.describe().practice]).toEqual([['service starts'], 'off']);
  await connection.stop();
  expect(story).toEqual(['service starts', 'service stops', 'service closes']);
});

it('an address from the environment overrides the stored one', () => {
  const { connection } = buildConnection({ serviceAddress: 'https://stored.example' }, 'http://127.0.0.1:9');
  expect(connection.describe().serviceAddress).toBe('http://127.0.0.1:9');
  expect(connection.readAddress('')).toEqual(ok('http://127.0.0.1:9'));
});

it.each([
  ['https://api.example.uz', 'https://api.example.uz'],
  [' api.example.uz/v/ ', 'https://api.example.uz/v'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://localhost:1', 'http://localhost:1'],
  ['http://127.0.0.1.evil.uz', null],
  ['http://api.example.uz', null],
  ['https://me:pw@api.example.uz', null],
  ['https://api.example.uz/?token=1', null],
  ['ftp://api.example.uz', null],
  ['javascript://x', null],
  ['two words', null],
  ['sk_live_0123456789abcdef', null],
  ['0123456789abcdef0123456789abcdef', null],
  ['https://sk_live_0123456789abcdef', null],
  ['https://ovoz', 'https://ovoz'],
])('the address %j becomes %j', (text, address) => {
  const read = readServiceAddress(text, true);
  expect(read.ok ? read.value : null).toBe(address);
});

it('a packaged app accepts no plain http, not even on this computer', () => {
  expect(readServiceAddress('http://127.0.0.1:8080', false)).toMatchObject({
    ok: false,
    error: { code: 'address_not_https' },
  });
  expect(new Secret('x').maskedSuffix).toBe('');
});

it('while its files change practice mode is closed: its rows disappear, and it reopens with the files as they are then', async () => {
  const { connection, story, changes, workspaces } = buildConnection();
  await connection.choose('practice');
  changes.length = 0;
  story.length = 0;
  const answer = await connection.whileClosed('practice', async () => {
    story.push('files change');
    expect([workspaces.current().ok, connection.describe().practice]).toEqual([false, 'off']);
    return 'done';
  });
  expect(answer).toBe('done');
  expect(story).toEqual(['practice stops', 'practice closes', 'practice ends', 'files change', 'practice starts']);
  expect(changes[0]).toMatchObject({ jobs: [], removedIds: ['p1'] });
  expect(changes.at(-1)).toMatchObject({ jobs: [{ id: 'p1' }], removedIds: [], queue: noQueue });
  expect(connection.describe()).toMatchObject({ mode: 'practice', practice: 'running' });
});

it('the library of the service is left alone while practice files change, and a change of mode waits', async () => {
  const { connection, keys, story } = buildConnection({ serviceAddress: 'https://api.example.uz' });
  await keys.save('sk_live_0123456789');
  await connection.choose('service');
  story.length = 0;
  let finish: () => void = () => undefined;
  const work = connection.whileClosed('practice', () => new Promise<void>((resolve) => (finish = resolve)));
  const choice = connection.choose('practice');
  await Promise.resolve();
  expect(story).toEqual([]);
  finish();
  await Promise.all([work, choice]);
  expect(story).toEqual(['service stops', 'service closes', 'practice starts']);
});

it('a key of the legacy API goes with the current one, under a name of its own, and is forgotten alone', async () => {
  const { connection, keys, legacyKeys, settings } = buildConnection({ serviceAddress: 'https://speech.example.test' });
  await legacyKeys.save('older_key_0123456789');
  expect(connection.sourceFor('service')()).toBeNull();
  await keys.save('sk_live_0123456789abcdef');
  const both = connection.sourceFor('service')();
  expect([both?.key.maskedSuffix, both?.legacyKey?.maskedSuffix]).toEqual(['cdef', '6789']);
  expect(connection.describe()).toMatchObject({
    legacyKey: { present: true, maskedSuffix: '6789', store: 'keychain' },
  });
  expect([settings().keySaved, settings().olderKeySaved]).toEqual([true, true]);
  await legacyKeys.forget();
  expect(connection.sourceFor('service')()?.legacyKey).toBeUndefined();
  expect([settings().keySaved, settings().olderKeySaved]).toEqual([true, false]);
});

it('with the token of the account it is looked up what was paid for before', async () => {
  const { connection, keys, accountTokens, story } = buildConnection({ serviceAddress: 'https://api.example.uz' });
  await keys.save('sk_live_0123456789');
  await connection.choose('service');
  await accountTokens.save('token_0123456789');
  expect(story.at(-1)).toBe('service looks costs up');
});

it('a move to another network reports the abandoned addresses to the open library', async () => {
  const { connection, keys, story, moveTo } = buildConnection({ serviceAddress: 'https://api.example.uz' });
  await keys.save('sk_live_0123456789');
  moveTo('10.0.0.7');
  await connection.choose('service');
  story.length = 0;
  const states: boolean[] = [];
  connection.onChanged(({ isOnline }) => states.push(isOnline));
  moveTo('127.0.0.1', '192.168.1.4');
  expect([story, states]).toEqual([['service has 127.0.0.1 192.168.1.4'], [true]]);
});

it.each([
  ['', ''],
  [' wss://live.example.com/ ', 'wss://live.example.com'],
  ['live.example.com:8443', 'wss://live.example.com:8443'],
  ['https://live.example.com', null],
  ['ws://live.example.com', null],
  ['wss://u:p@live.example.com', null],
  ['wss://live.example.com/v1/stt/stream?ticket=1', null],
  ['wss://live.example.com/v1', null],
  ['sk_live_0123456789abcdef0123', null],
  ['ws://127.0.0.1:4100', null],
])('an address of live streams %j is read as %j', (typed, address) => {
  const read = readStreamAddress(typed, false);
  expect(read.ok ? read.value : null).toBe(address);
});

it.each([
  ['', ''],
  [' Grpc.Example.com ', 'grpc.example.com'],
  ['grpc.example.com:8443', 'grpc.example.com:8443'],
  ['https://grpc.example.com', null],
  ['grpc.example.com/path', null],
  ['grpc.example.com:70000', null],
  ['grpc', null],
  ['127.0.0.1:5001', null],
])('a host of the legacy call %j is read as %j', (typed, host) => {
  const read = readCallHost(typed, false);
  expect(read.ok ? read.value : null).toBe(host);
});

it('the environment overrides the settings, and invalid addresses are ignored', () => {
  const written = { streamAddress: 'wss://live.example.com', callHost: 'grpc.example.com' };
  const nothing = { streamUrl: null, grpcHost: null };
  expect(readStreamPlaces(nothing, written, false)).toEqual({
    streamUrl: 'wss://live.example.com',
    grpcHost: 'grpc.example.com',
  });
  expect(readStreamPlaces({ streamUrl: 'ws://127.0.0.1:1', grpcHost: 'localhost:2' }, written, true)).toEqual({
    streamUrl: 'ws://127.0.0.1:1',
    grpcHost: 'localhost:2',
  });
  expect(
    readStreamPlaces({ streamUrl: 'nonsense', grpcHost: null }, { streamAddress: '', callHost: '' }, false),
  ).toEqual({});
});

it('recognition here waits on battery while the setting is on, and goes on with either', async () => {
  let isOnBattery = false;
  let changed = (): void => undefined;
  const power = { isOnBattery: () => isOnBattery, onChanged: (listener: () => void) => void (changed = listener) };
  const { connection, updateSettings, story } = buildConnection({ mode: 'local', pausesOnBattery: true }, null, power);
  await connection.resume();
  const plug = (isOut: boolean): void => {
    isOnBattery = isOut;
    changed();
  };
  const seen: boolean[] = [];
  connection.onChanged((state) => seen.push(state.isPausedOnBattery));
  plug(true);
  expect([connection.describe().isPausedOnBattery, seen.at(-1)]).toEqual([true, true]);
  plug(true);
  plug(false);
  plug(true);
  updateSettings({ pausesOnBattery: false });
  expect(connection.describe().isPausedOnBattery).toBe(false);
  expect(story.filter((line) => /pauses|goes on/u.test(line))).toEqual([
    'local pauses',
    'local goes on',
    'local pauses',
    'local goes on',
  ]);
});
