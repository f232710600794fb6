import {
  copyFile,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  statfs,
  readFile,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Agent, ProxyAgent, request, type Dispatcher } from 'undici';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { classify } from '../../shared/domain/failures/classify.ts';
import { localModels, modelForLanguage, type LocalModel, type ModelFile } from '../../shared/domain/local-models.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { hashFile } from '../platform/node/hash-file.ts';
import { hasNoRoom, libraryFailure, systemCode } from '../platform/node/storage-failure.ts';
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import type { ModelFiles } from './network.ts';
import { z } from 'zod';

/** Where the files of a model stand: `bytes` of `total` are here and not yet checked. */
export interface ModelState {
  readonly model: LocalModel;
  readonly state: 'absent' | 'partial' | 'here';
  readonly bytes: number;
  readonly total: number;
  /** Seconds of work for a second of audio on this computer; null: not measured yet. */
  readonly measuredFactor: number | null;
}

export interface FoundFile {
  readonly name: string;
  readonly sha256: string;
  readonly published: string | null;
  readonly missing: string | null;
}

export interface ModelStoreOptions {
  readonly folder: string;
  readonly proxyOf: (url: URL) => Promise<string | null>;
  readonly models?: readonly LocalModel[];
  readonly allowsLoopbackHttp?: boolean;
}

export interface DownloadWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number, total: number) => void;
}

const mostHops = 5;
/** A connection that brings nothing for this long is given up. */
const silenceMs = 30_000;
const reserveBytes = 200 * 1024 ** 2;
const mostBreaks = 3;

const totalOf = ({ network, vocabulary }: LocalModel): number => network.bytes + vocabulary.bytes;
const headerOf = ({ headers }: Dispatcher.ResponseData, name: string): string => [headers[name]].flat()[0] ?? '';
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
const nameOf = ({ addresses }: ModelFile): string => basename(addresses[0] ?? '');

async function modelFilesIn(paths: readonly string[]): Promise<readonly string[]> {
  const isModelFile = /\.(?:onnx|txt)$/iu;
  const found = new Set<string>();
  for (const path of paths) {
    const names = await readdir(path).catch(() => null);
    for (const name of names ?? []) if (isModelFile.test(name)) found.add(join(path, name));
    if (names !== null) continue;
    found.add(path);
    const beside = await readdir(dirname(path)).catch((): string[] => []);
    for (const name of beside) if (/\.txt$/iu.test(name)) found.add(join(dirname(path), name));
  }
  return [...found];
}

const isOfDisk = (error: unknown, code: string): boolean =>
  (hasNoRoom(error) || ['EACCES', 'EPERM', 'EROFS', 'EIO'].includes(code)) &&
  !(error instanceof Error && 'address' in error);

async function onDisk<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    return err(
      hasNoRoom(error) ? makeFailure('disk-space-short', { code: 'disk_full', layer: 'local' }) : libraryFailure(error),
    );
  }
}

/** The models of this computer: gets, checks, lists and removes them. What was not checked has another name. */
export function createModelStore(options: ModelStoreOptions) {
  const { folder, proxyOf, models = localModels, allowsLoopbackHttp = false } = options;
  const modelOf = (id: string) => models.find((one) => one.id === id) ?? null;
  const filesOf = (model: LocalModel): readonly (readonly [ModelFile, string])[] => {
    const { networkPath, vocabularyPath } = keptFiles(folder, model.id);
    return [
      [model.vocabulary, vocabularyPath],
      [model.network, networkPath],
    ];
  };

  function publishedAs(name: string, sha256: string): Pick<FoundFile, 'published' | 'missing'> {
    const pairs = models.flatMap(({ network, vocabulary }) => [
      { file: network, other: vocabulary },
      { file: vocabulary, other: network },
    ]);
    const own = pairs.find(({ file }) => file.sha256 === sha256);
    const published = (own ?? pairs.find(({ file }) => nameOf(file) === name))?.file.sha256 ?? null;
    return { published, missing: own === undefined ? null : nameOf(own.other) };
  }

  async function stateOf(model: LocalModel): Promise<ModelState> {
    const measuredFactor = (await readFactors(folder))[model.id] ?? null;
    const sizes = await Promise.all(
      filesOf(model).map(async ([, path]) => ({ kept: await sizeOf(path), part: await sizeOf(`${path}.part`) })),
    );
    const bytes = sizes.reduce((sum, { kept, part }) => sum + (kept === 0 ? part : kept), 0);
    const isHere = sizes.every(({ kept }) => kept > 0);
    return {
      model,
      state: isHere ? 'here' : bytes === 0 ? 'absent' : 'partial',
      bytes,
      total: totalOf(model),
      measuredFactor,
    };
  }

  async function ask(address: string, from: number, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    let url = new URL(address);
    for (let hop = 0; hop <= mostHops; hop += 1) {
      const isSafe = url.protocol === 'https:' || (allowsLoopbackHttp && url.hostname === '127.0.0.1');
      if (!isSafe) throw Object.assign(new Error('the address is not secure'), { code: 'other_scheme' });
      const proxy = await proxyOf(url);
      const limits = { headersTimeout: silenceMs, bodyTimeout: silenceMs, connect: { timeout: silenceMs } };
      const answer = await request(url, {
        method: 'GET',
        headers: { 'user-agent': 'OvozStudio', ...(from > 0 && { range: `bytes=${from}-` }) },
        dispatcher: proxy === null ? new Agent(limits) : new ProxyAgent({ uri: proxy, proxyTunnel: true, ...limits }),
        signal,
      });
      const location = [answer.headers.location].flat()[0];
      if (answer.statusCode < 300 || answer.statusCode >= 400 || location === undefined) return answer;
      await answer.body.dump();
      url = new URL(location, url);
    }
    throw Object.assign(new Error('too many redirects'), { code: 'too_many_redirects' });
  }

  async function fetchPart(
    address: string,
    file: ModelFile,
    part: FileHandle,
    watch: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
  ): Promise<boolean> {
    const from = (await part.stat()).size;
    if (from === file.bytes) return true;
    const answer = await ask(address, from, watch.signal);
    const [, start, all] = /^bytes (?:(\d+)-\d+|\*)\/(\d+)/u.exec(headerOf(answer, 'content-range')) ?? [];
    const continues = answer.statusCode === 206 && Number(start) === from;
    if (!continues && answer.statusCode !== 200) {
      await answer.body.dump();
      if (answer.statusCode === 416 && Number(all) === from) return true;
      if (answer.statusCode === 416) await part.truncate(0);
      throw Object.assign(new Error('refused'), { code: `http_${answer.statusCode}` });
    }
    // A server that can't continue sends the whole file.
    if (!continues) await part.truncate(0);
    let at = continues ? from : 0;
    const told = continues ? Number(all) : Number(headerOf(answer, 'content-length'));
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      if (at + chunk.length > 1.2 * file.bytes) {
        await part.truncate(0);
        throw Object.assign(new Error('longer than it is'), { code: 'other_file' });
      }
      await part.write(chunk, 0, chunk.length, at);
      at += chunk.length;
      watch.onBytes(at);
    }
    return at === (told > 0 ? told : file.bytes);
  }

  async function getFile(file: ModelFile, path: string, watch: DownloadWatch, onBytes: (bytes: number) => void) {
    if ((await sizeOf(path)) > 0) return ok(null);
    const partPath = `${path}.part`;
    let last = makeFailure('download-interrupted', { code: 'not_asked' });
    for (const address of file.addresses) {
      for (let breaks = 0; breaks < mostBreaks; breaks += 1) {
        // Opened without truncating: what an earlier run brought is kept.
        const part = await open(partPath, 'a+', 0o600).then(async (created) => {
          await created.close();
          return open(partPath, 'r+');
        });
        const before = (await part.stat()).size;
        try {
          if (!(await fetchPart(address, file, part, { signal: watch.signal, onBytes }))) {
            last = makeFailure('download-interrupted', { code: 'download_cut' });
            if ((await part.stat()).size > before) breaks = 0;
            continue;
          }
        } catch (error) {
          if (watch.signal.aborted) return err(makeFailure('connection-slow', { code: 'cancelled', layer: 'local' }));
          const code = systemCode(error) || 'download_failed';
          if (isOfDisk(error, code)) throw error;
          last = /^(?:http_|other_|too_many)/u.test(code)
            ? makeFailure('download-interrupted', { code })
            : classifyBreak(code, file);
          if ((await part.stat()).size > before) breaks = 0;
          if (/^(?:http_4(?!16)|other_|too_many)/u.test(code)) break;
          continue;
        } finally {
          await part.close();
        }
        const read = await hashFile(partPath, watch.signal);
        if (watch.signal.aborted) return err(makeFailure('connection-slow', { code: 'cancelled', layer: 'local' }));
        if (!read.ok) return read;
        if (read.value.sha256 === file.sha256) {
          await rename(partPath, path);
          return ok(null);
        }
        await rm(partPath, { force: true });
        last = makeFailure('model-checksum', { code: 'other_checksum' });
        break;
      }
    }
    return err(last);
  }

  return {
    list: (): Promise<readonly ModelState[]> => Promise.all(models.map(stateOf)),
    async download(id: string, watch: DownloadWatch): Promise<Result<null>> {
      const model = modelOf(id);
      if (model === null) return err(makeFailure('model-missing', { code: 'no_such_model' }));
      return onDisk(async () => {
        await mkdir(join(folder, id), { recursive: true, mode: 0o700 });
        const { bytes, total } = await stateOf(model);
        const { bavail, bsize } = await statfs(folder);
        const [need, free] = [total - bytes + reserveBytes, bavail * bsize];
        if (free < need) return err(makeFailure('disk-space-short', { code: 'disk_full', params: { need, free } }));
        let done = 0;
        for (const [file, path] of filesOf(model)) {
          const before = done;
          const got = await getFile(file, path, watch, (here) => watch.onProgress(before + here, total));
          if (!got.ok) return got;
          done += file.bytes;
          watch.onProgress(done, total);
        }
        return ok(null);
      });
    },
    /** Those whose checksums are known, whatever they are called. */
    async add(
      paths: readonly string[],
    ): Promise<Result<{ readonly model: LocalModel | null; readonly found: readonly FoundFile[] }>> {
      const { signal } = new AbortController();
      const pathOf = new Map<string, string>();
      const found: FoundFile[] = [];
      for (const path of await modelFilesIn(paths)) {
        const read = await hashFile(path, signal);
        if (!read.ok) return read;
        const { sha256 } = read.value;
        pathOf.set(sha256, path);
        found.push({ name: basename(path), sha256, ...publishedAs(basename(path), sha256) });
      }
      const isFound = ({ network, vocabulary }: LocalModel) =>
        pathOf.has(network.sha256) && pathOf.has(vocabulary.sha256);
      const model = models.find(isFound) ?? null;
      if (model === null) return ok({ model, found });
      return onDisk(async () => {
        await mkdir(join(folder, model.id), { recursive: true, mode: 0o700 });
        for (const [file, path] of filesOf(model)) {
          await copyFile(pathOf.get(file.sha256) ?? '', `${path}.part`);
          // What was chosen may have changed since it was looked at.
          const copied = await hashFile(`${path}.part`, signal);
          if (!copied.ok) return copied;
          if (copied.value.sha256 !== file.sha256)
            return err(makeFailure('model-checksum', { code: 'other_checksum' }));
          await rename(`${path}.part`, path);
        }
        return ok({ model, found });
      });
    },
    async remove(id: string): Promise<void> {
      if (modelOf(id) !== null) await rm(join(folder, id), { recursive: true, force: true });
    },
  };
}

/** Rows whose words speak of the service; nobody is asked for a model but its host. */
const isHostAway = new Set(['offline', 'address-not-found', 'service-unreachable', 'service-timeout', 'tls-failed']);

function classifyBreak(code: string, { addresses: [first = ''] }: ModelFile): Failure {
  const failure = classify(
    { kind: 'network', code, phase: 'connecting', isSecure: true },
    { request: 'read', target: 'resource', serverNowMs: 0 },
  );
  return isHostAway.has(failure.kind)
    ? makeFailure('model-host-unreachable', { code: failure.code, params: { name: URL.parse(first)?.host ?? '' } })
    : { ...failure, layer: 'storage' };
}

export type ModelStore = ReturnType<typeof createModelStore>;

/** Where the files of a model that the app keeps are. They have these names only once they were checked. */
export const keptFiles = (folder: string, id: string): Pick<ModelFiles, 'networkPath' | 'vocabularyPath'> => ({
  networkPath: join(folder, id, 'network.onnx'),
  vocabularyPath: join(folder, id, 'vocabulary.txt'),
});

export const keptModel = (folder: string, model: LocalModel): ModelFiles => {
  const label = `${model.name} ${model.network.sha256.slice(0, 8)}`;
  return { ...keptFiles(folder, model.id), label, model };
};

/** The model in a folder with one `.onnx` file and one `.txt` file; null when there is none, or more than one. */
export async function modelInFolder(folder: string): Promise<ModelFiles | null> {
  const names = await readdir(folder).catch((): string[] => []);
  const [networks, vocabularies] = ['.onnx', '.txt'].map((ending) => names.filter((name) => name.endsWith(ending)));
  const [network] = networks ?? [];
  const [vocabulary] = vocabularies ?? [];
  if (network === undefined || vocabulary === undefined || networks?.length !== 1 || vocabularies?.length !== 1)
    return null;
  return {
    networkPath: join(folder, network),
    vocabularyPath: join(folder, vocabulary),
    label: basename(network, '.onnx'),
    model: null,
  };
}

export const modelFinder =
  ({ kept, chosen }: { readonly kept: string | null; readonly chosen: string | null }) =>
  async (language: SpeechLanguage): Promise<ModelFiles | null> => {
    if (chosen !== null) return modelInFolder(chosen);
    if (kept === null) return null;
    const isHere = (id: string) => Object.values(keptFiles(kept, id)).every((path) => existsSync(path));
    const present = new Set(localModels.map(({ id }) => id).filter(isHere));
    const model = modelForLanguage(present, language, totalmem());
    return model === null ? null : keptModel(kept, model);
  };

/** Seconds of work for a second of audio, by the id of the model, as measured on this computer. */
export type Factors = Readonly<Record<string, number>>;

const stored = z.record(z.string(), z.number().positive());
const pathIn = (folder: string): string => join(folder, 'factors.json');

export async function readFactors(folder: string): Promise<Factors> {
  try {
    return stored.parse(JSON.parse(await readFile(pathIn(folder), 'utf8')));
  } catch {
    return {};
  }
}

export async function keepFactor(folder: string, id: string, factor: number): Promise<void> {
  const part = `${pathIn(folder)}.part`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(part, JSON.stringify({ ...(await readFactors(folder)), [id]: factor }), { mode: 0o600 });
  await rename(part, pathIn(folder));
}
