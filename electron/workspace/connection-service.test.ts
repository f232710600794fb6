import { expect, it, vi } from 'vitest';
import { noQueue } from '../../shared/domain/jobs/job-view.ts';
import { readCallHost, readServiceAddress, readStreamAddress } from '../services/connection/service-address.ts';
import { buildConnection, row } from '../../tests/support/connection-rig.ts';

it('the service needs an address and a key; without them nothing changes', async () => {
  const { connection, keys, settings } = buildConnection();
  expect(await connection.choose('service')).toMatchObject({
    ok: false,
    error: { kind: 'address-invalid', code: 'address_missing' },
  });
  expect(connection.setAddress('http://api.example.uz')).toMatchObject({
    ok: false,
    error: { kind: 'address-invalid' },
  });
  expect(connection.setAddress('api.example.uz/')).toMatchObject({
    ok: true,
    value: { serviceAddress: 'https://api.example.uz' },
  });
  expect(await connection.choose('service')).toMatchObject({ ok: false, error: { kind: 'key-missing' } });
  expect(settings().mode).toBe('unset');
  await keys.save('sk_live_0123456789');
  expect(await connection.choose('service')).toMatchObject({ ok: true, value: { mode: 'service' } });
  expect(connection.sourceFor('service')()).toMatchObject({ kind: 'service', baseUrl: 'https://api.example.uz' });
});

it('at another origin no key is sent that was entered for this one, what waits is paused, no folder is watched; back here both are known', async () => {
  const { connection, keys, accountTokens, story, settings, updateSettings } = buildConnection({
    serviceAddress: 'https://api.example.uz',
  });
  await keys.save('sk_live_0123456789');
  await accountTokens.save('token-of-the-account');
  await connection.choose('service');
  updateSettings({ watchFolders: ['/recordings'] });
  expect(connection.setAddress('https://api.example.uz/v2')).toMatchObject({ value: { key: { present: true } } });
  expect(story).not.toContain('service leaves s1 s2');
  expect(connection.setAddress('https://other.example.uz')).toMatchObject({
    value: { key: { present: false }, accountToken: { present: false } },
  });
  expect([connection.sourceFor('service')(), story.at(-1)]).toEqual([null, 'service leaves s1 s2']);
  expect(settings().watchFolders).toEqual([]);
  await keys.save('sk_live_of_the_other');
  expect(connection.sourceFor('service')()).not.toHaveProperty('accessToken');
  connection.setAddress('https://api.example.uz');
  expect(connection.describe()).toMatchObject({ key: { present: true }, accountToken: { present: true } });
  expect(keys.current()?.reveal()).toBe('sk_live_0123456789');
});

it('a key that was entered before there was an address belongs to the first one', async () => {
  const { connection, keys } = buildConnection();
  await keys.save('sk_live_0123456789');
  expect(connection.setAddress('https://api.example.uz')).toMatchObject({ value: { key: { present: true } } });
  expect(connection.setAddress('https://other.example.uz')).toMatchObject({ value: { key: { present: false } } });
});

it('practice mode that does not start never becomes the real service, nor the reverse (F-56)', async () => {
  const { connection, keys, settings, breakPractice, workspaces } = buildConnection({
    serviceAddress: 'https://api.example.uz',
  });
  await keys.save('sk_live_0123456789');
  breakPractice();
  expect(await connection.choose('practice')).toMatchObject({ ok: false, error: { kind: 'practice-not-started' } });
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
    await connection.choose(mode);
    const workspace = workspaces.current();
    if (!workspace.ok) throw new Error(workspace.error.code);
    const sendLeft = vi.spyOn(workspace.value.dictation, 'sendLeft');
    await keys.save(`sk_live_9876543210${mode}`);
    expect(sendLeft).toHaveBeenCalledTimes(times);
  }
});

it('a folder that was chosen in one mode is not watched in another, where what comes into it may cost', async () => {
  const { connection, keys, settings } = buildConnection({
    serviceAddress: 'https://api.example.uz',
    mode: 'practice',
    watchFolders: ['/recordings'],
  });
  await keys.save('sk_live_0123456789');
  await connection.choose('practice');
  expect(settings().watchFolders).toEqual(['/recordings']);
  await connection.choose('service');
  expect(settings().watchFolders).toEqual([]);
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
  expect(await workspaces.opened()).toMatchObject({ ok: false, error: { kind: 'library-newer' } });
  await resumed;
});

it('the next start continues in the same mode, and does not start an unwanted practice service', async () => {
  const { connection, story } = buildConnection({ mode: 'service', serviceAddress: 'https://api.example.uz' });
  await connection.resume();
  expect([story, connection.describe().practice]).toEqual([['service starts'], 'off']);
  await connection.stop();
  expect(story).toEqual(['service starts', 'service stops', 'service closes']);
});

/** The last column: whether the app runs from source, where this computer may be named without https. */
it.each([
  [' api.example.uz/v/ ', 'https://api.example.uz/v', true],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', true],
  ['http://127.0.0.1:8080', null, false],
  ['http://127.0.0.1.evil.uz', null, true],
  ['http://api.example.uz', null, true],
  ['https://me:pw@api.example.uz', null, true],
  ['https://api.example.uz/?token=1', null, true],
  ['javascript://x', null, true],
  ['sk_live_0123456789abcdef', null, true],
  ['https://sk_live_0123456789abcdef', null, true],
])('the address %j becomes %j, from source: %s', (text, address, isSource) => {
  const read = readServiceAddress(text, isSource);
  expect(read.ok ? read.value : null).toBe(address);
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

it.each([
  [readStreamAddress, '', ''],
  [readStreamAddress, ' wss://live.example.com/ ', 'wss://live.example.com'],
  [readStreamAddress, 'live.example.com:8443', 'wss://live.example.com:8443'],
  [readStreamAddress, 'ws://live.example.com', null],
  [readStreamAddress, 'wss://u:p@live.example.com', null],
  [readStreamAddress, 'wss://live.example.com/v1/stt/stream?ticket=1', null],
  [readStreamAddress, 'sk_live_0123456789abcdef0123', null],
  [readStreamAddress, 'ws://127.0.0.1:4100', null],
  [readCallHost, ' Grpc.Example.com:8443 ', 'grpc.example.com:8443'],
  [readCallHost, 'https://grpc.example.com', null],
  [readCallHost, 'grpc.example.com:70000', null],
  [readCallHost, '127.0.0.1:5001', null],
])('%o reads an address of live streams or of the legacy call %j as %j', (readAddress, typed, address) => {
  const read = readAddress(typed, false);
  expect(read.ok ? read.value : null).toBe(address);
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
