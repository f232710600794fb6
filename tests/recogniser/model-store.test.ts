import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keptFiles, createModelStore, type DownloadWatch } from '../../electron/recogniser/model-store.ts';
import type { LocalModel, ModelFile } from '../../shared/domain/local-models.ts';
import { folderOfTest } from '../support/test-folders.ts';

const network = randomBytes(3_000_000);
const vocabulary = Buffer.from('a 0\n<blk> 1\n');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

type Answer = (request: IncomingMessage, response: ServerResponse, from: number) => void;
let folder = '';
let server: Server;
let url = '';
let asked: string[] = [];
/** How the network's file is answered, request by request; then as it should be. */
let answers: Answer[] = [];

const whole: Answer = (_request, response, from) => {
  const isPart = from > 0;
  response.writeHead(isPart ? 206 : 200, {
    'content-length': network.length - from,
    ...(isPart && { 'content-range': `bytes ${from}-${network.length - 1}/${network.length}` }),
  });
  response.end(network.subarray(from));
};
/** Sends up to `most` bytes and breaks the connection. */
const cut =
  (most: number): Answer =>
  (_request, response, from) => {
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': network.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${network.length - 1}/${network.length}` }),
    });
    response.write(network.subarray(from, from + most), () => response.destroy());
  };

beforeEach(async () => {
  folder = folderOfTest();
  [asked, answers] = [[], []];
  server = createServer((request, response) => {
    const from = Number(/^bytes=(\d+)-$/u.exec(request.headers.range ?? '')?.[1] ?? 0);
    asked.push(`${request.url ?? ''} ${from}`);
    if (request.url === '/vocabulary') response.end(vocabulary);
    else (answers.shift() ?? whole)(request, response, from);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const fileOf = (bytes: Buffer, ...paths: string[]): ModelFile => ({
  bytes: bytes.length,
  sha256: sha256(bytes),
  addresses: paths.map((path) => `${url}${path}`),
});
const modelWith = (change: Partial<LocalModel> = {}): LocalModel => ({
  id: 'small',
  name: 'Small',
  languages: ['uz'],
  licence: 'MIT',
  network: fileOf(network, '/network', '/second'),
  vocabulary: fileOf(vocabulary, '/vocabulary'),
  memoryBytes: 1,
  leastMemoryBytes: 1,
  wordErrors: {},
  hasPunctuation: false,
  ...change,
});
const storeWith = (change: Partial<LocalModel> = {}, proxy: string | null = null) =>
  createModelStore({ folder, proxyOf: async () => proxy, models: [modelWith(change)], allowsLoopbackHttp: true });
const watch = (change: Partial<DownloadWatch> = {}): DownloadWatch => ({
  signal: new AbortController().signal,
  onProgress: () => undefined,
  ...change,
});
const kept = () => keptFiles(folder, 'small');
const isUsable = () => existsSync(kept().networkPath);

it('a model is got, checked, listed and removed', async () => {
  const store = storeWith();
  const seen: number[] = [];
  expect(await store.list()).toMatchObject([{ state: 'absent', bytes: 0 }]);
  expect(await store.download('small', watch({ onProgress: (bytes) => seen.push(bytes) }))).toEqual({
    ok: true,
    value: null,
  });
  expect(seen.at(-1)).toBe(network.length + vocabulary.length);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(await readFile(kept().networkPath)).toEqual(network);
  expect(await store.list()).toMatchObject([{ state: 'here' }]);
  await store.remove('small');
  expect(await store.list()).toMatchObject([{ state: 'absent', bytes: 0 }]);
});

it('a download that is cut goes on from where it stopped, as often as it brings something', async () => {
  answers = [cut(500_000), cut(500_000), cut(500_000), cut(500_000), cut(500_000)];
  expect(await storeWith().download('small', watch())).toMatchObject({ ok: true });
  expect(await readFile(kept().networkPath)).toEqual(network);
  const starts = asked.filter((one) => one.startsWith('/network')).map((one) => Number(one.split(' ')[1]));
  expect(starts).toHaveLength(6);
  expect(starts.slice(1).every((from) => from > 0)).toBe(true);
});

it('another run goes on with what an earlier one left', async () => {
  await mkdir(join(folder, 'small'));
  await writeFile(`${kept().networkPath}.part`, network.subarray(0, 1_234_567));
  expect(await storeWith().list()).toMatchObject([{ state: 'partial', bytes: 1_234_567 }]);
  expect(await storeWith().download('small', watch())).toMatchObject({ ok: true });
  expect(asked).toContain('/network 1234567');
  expect(await readFile(kept().networkPath)).toEqual(network);
});

it('a server that can’t continue sends all of it again', async () => {
  answers = [cut(1_000_000), (request, response) => whole(request, response, 0)];
  expect(await storeWith().download('small', watch())).toMatchObject({ ok: true });
  expect(await readFile(kept().networkPath)).toEqual(network);
});

it('a file whose exact length is not published is got whole, and not again when it was only not checked yet', async () => {
  for (const bytes of [2_900_000, 3_100_000]) {
    const about = { ...fileOf(network, '/network'), bytes };
    answers = [cut(1_000_000)];
    expect(await storeWith({ network: about }).download('small', watch())).toMatchObject({ ok: true });
    expect(await readFile(kept().networkPath)).toEqual(network);
    await storeWith().remove('small');
    await mkdir(join(folder, 'small'));
    await writeFile(`${kept().networkPath}.part`, network);
    asked = [];
    answers = [
      (_request, response) => response.writeHead(416, { 'content-range': `bytes */${network.length}` }).end(),
      (_request, response) => response.writeHead(500).end(),
    ];
    expect(await storeWith({ network: about }).download('small', watch())).toMatchObject({ ok: true });
    expect(asked.filter((one) => one.startsWith('/network'))).toHaveLength(1);
    await storeWith().remove('small');
  }
});

/** Runs a download in a process of its own, which prints its progress and its result as lines of JSON. */
function downloadAlone(before: string, onProgress: string, shell: readonly string[] = []): ChildProcess {
  const store = new URL('../../electron/recogniser/model-store.ts', import.meta.url).href;
  const program = `import { createModelStore } from ${JSON.stringify(store)};
const { rmSync, writeFileSync } = process.getBuiltinModule('node:fs');
const { folder, models } = JSON.parse(process.env.PLACE);
const store = createModelStore({ folder, models, proxyOf: async () => null, allowsLoopbackHttp: true });
const say = (value) => console.log(JSON.stringify(value));
const { signal } = new AbortController();
${before}
say(await store.download('small', { signal, onProgress(bytes) { ${onProgress} } }));`;
  const [command, ...rest] = [...shell, process.execPath, '--input-type=module', '-e', program];
  return spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PLACE: JSON.stringify({ folder, models: [modelWith()] }) },
  });
}

it('a download that is killed goes on where it was, and is used only once it is whole and checked', async () => {
  answers = [
    (_request, response) => {
      response.writeHead(200, { 'content-length': network.length });
      response.write(network.subarray(0, 1_500_000));
    },
  ];
  const child = downloadAlone('', 'say({ bytes })');
  const closed = once(child, 'close');
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes('"bytes":15000')) child.kill('SIGKILL');
  expect(await closed).toEqual([null, 'SIGKILL']);
  expect(isUsable()).toBe(false);
  expect(await storeWith().download('small', watch())).toMatchObject({ ok: true });
  expect(asked).toContain('/network 1500000');
  expect(await readFile(kept().networkPath)).toEqual(network);
});

const canMount = spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0;
it.skipIf(!canMount)('a disk that fills up meanwhile is told, and what came is used once there is room', async () => {
  const fill = `try { for (let at = 0; ; at += 1) writeFileSync(folder + '/filler' + at, new Uint8Array(1e6)); } catch {}`;
  const before = `let isFull = false;
const fill = () => { isFull = true; ${fill} };
say(await store.download('small', { signal, onProgress(bytes) { if (bytes > 500_000 && !isFull) fill(); } }));
for (let at = 0; at < 300; at += 1) rmSync(folder + '/filler' + at, { force: true });`;
  const mount = ['unshare', '-Urm', 'sh', '-c', 'mount -t tmpfs -o size=210m tmpfs "$0" && exec "$@"', folder];
  const child = downloadAlone(before, '', mount);
  let said = '';
  child.stdout?.on('data', (chunk) => (said += String(chunk)));
  await once(child, 'close');
  const [first, second] = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(first).toMatchObject({ ok: false, error: { kind: 'disk-space-short', code: 'disk_full' } });
  expect(second).toMatchObject({ ok: true });
  expect(asked.filter((one) => one.startsWith('/network')).at(-1)).toMatch(/ [1-9]\d+$/u);
});

it('a folder that can’t be written is told, and the row goes on to be usable', async () => {
  await writeFile(join(folder, 'small'), 'in the way');
  expect(await storeWith().download('small', watch())).toMatchObject({
    ok: false,
    error: { kind: 'data-folder-unwritable' },
  });
  await rm(join(folder, 'small'));
  expect(await storeWith().download('small', watch())).toMatchObject({ ok: true });
});

it('a file with another checksum or length, or refused, is never used; the second address is asked', async () => {
  const other = Buffer.from(network);
  other[1_500_000] = (other[1_500_000] ?? 0) ^ 1;
  const wrong: Answer = (_request, response) => response.end(other);
  const longer: Answer = (_request, response) => response.end(Buffer.concat([network, network]));
  const refused: Answer = (_request, response) => response.writeHead(404).end();
  for (const answer of [wrong, longer, refused]) {
    asked = [];
    answers = [answer];
    expect(await storeWith().download('small', watch())).toMatchObject({ ok: true });
    expect(asked.filter((one) => one.startsWith('/second'))).toHaveLength(1);
    await storeWith().remove('small');
  }

  answers = [wrong, wrong];
  expect(await storeWith().download('small', watch())).toMatchObject({ ok: false, error: { kind: 'model-checksum' } });
  expect([isUsable(), existsSync(`${kept().networkPath}.part`)]).toEqual([false, false]);
});

it('redirects are followed, but never to an address that is not secure', async () => {
  answers = [(_request, response) => response.writeHead(302, { location: '/elsewhere' }).end()];
  expect(await storeWith().download('small', watch())).toMatchObject({ ok: true });
  expect(asked).toContain('/elsewhere 0');
  await storeWith().remove('small');
  const away: Answer = (_request, response) => response.writeHead(302, { location: 'http://198.51.100.1/x' }).end();
  answers = [away, away];
  expect(await storeWith().download('small', watch())).toMatchObject({ ok: false, error: { code: 'other_scheme' } });
});

it('canceling keeps what came, and nothing is used', async () => {
  const controller = new AbortController();
  answers = [
    (_request, response) => {
      response.writeHead(200, { 'content-length': network.length });
      response.write(network.subarray(0, 1_000_000));
    },
  ];
  const onProgress = (bytes: number) => void (bytes >= 1_000_000 && controller.abort());
  expect(await storeWith().download('small', watch({ signal: controller.signal, onProgress }))).toMatchObject({
    ok: false,
    error: { kind: 'connection-slow' },
  });
  expect(isUsable()).toBe(false);
  expect(await storeWith().download('small', watch())).toMatchObject({ ok: true });
  expect(asked).toContain('/network 1000000');
});

it('a disk without room is told before anything is asked', async () => {
  const big = { ...fileOf(network, '/network'), bytes: 2 ** 50 };
  expect(await storeWith({ network: big }).download('small', watch())).toMatchObject({
    ok: false,
    error: { kind: 'disk-space-short' },
  });
  expect(asked).toEqual([]);
});

it('a computer without a network is told as such', async () => {
  const closed = { ...fileOf(network), addresses: ['http://127.0.0.1:1/network'] };
  expect(await storeWith({ network: closed }).download('small', watch())).toMatchObject({
    ok: false,
    error: { kind: 'model-host-unreachable', code: 'econnrefused', params: { name: '127.0.0.1:1' } },
  });
});

it('the proxy of the settings is used', async () => {
  const tunnels: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket, head) => {
    tunnels.push(request.url ?? '');
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  await new Promise<void>((done) => void proxy.listen(0, '127.0.0.1', done));
  const way = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  expect(await storeWith({}, way).download('small', watch())).toMatchObject({ ok: true });
  expect(tunnels.every((one) => one === url.replace('http://', ''))).toBe(true);
  expect(tunnels.length).toBeGreaterThan(0);
  proxy.closeAllConnections();
  proxy.close();
});

it('files that came another way are taken when their checksums are known, whatever they are called', async () => {
  const from = await mkdtemp(join(folder, 'from-'));
  await writeFile(join(from, 'some network.onnx'), network);
  const right = {
    name: 'some network.onnx',
    sha256: sha256(network),
    published: sha256(network),
    missing: 'vocabulary',
  };
  expect(await storeWith().add([from])).toMatchObject({ ok: true, value: { model: null, found: [right] } });
  await writeFile(join(from, 'letters.txt'), vocabulary);
  expect(await storeWith().add([from])).toMatchObject({ ok: true, value: { model: { id: 'small' } } });
  expect(await storeWith().list()).toMatchObject([{ state: 'here' }]);
});
