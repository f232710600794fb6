import { classify } from '../../shared/domain/failures/classify.ts';
import { backoffMs } from '../../shared/domain/failures/decide-retry.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Logger } from '../../shared/domain/diagnostics/log-entry.ts';
import { sniff } from '../../shared/domain/media/sniff.ts';
import { judgeDownloadAddress } from '../../shared/domain/urls/judge-address.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import {
  sleep,
  systemClientClock,
  onDemand,
  defaultTransportLimits,
  type ClientClock,
  type AnswerHead,
  type TransportLimits,
  type WireOutcome,
  type BodySink,
} from './transport.ts';
import { guardedLookup, unsafeAddressCode, type Resolve, type ProxySource } from './proxy.ts';
import { randomBytes } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { asFilledText, asJsonObject, isJsonObject, pick, type JsonObject } from './values.ts';

export interface SignedDownload {
  /** Asks the service for a new address; called first and whenever an address has expired. Never creates anything. */
  readonly freshUrl: (signal: AbortSignal | undefined) => Promise<Result<SignedUrl>>;
  readonly target: string;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface DownloaderOptions {
  readonly proxyOf?: ProxySource;
  readonly log: Logger;
  readonly practicePort: () => number | null;
  readonly clock?: ClientClock;
  readonly random?: () => number;
  readonly limits?: Partial<TransportLimits>;
  readonly resolve?: Resolve;
}

export interface Downloader {
  download(request: SignedDownload): Promise<Result<{ readonly sizeBytes: number }>>;
  close(): Promise<void>;
}

const largestFileBytes = 2 * 1024 ** 3;
const mostHops = 3;
const mostFreshUrls = 5;
const mostDamaged = 2;
const mostBreaks = 5;
const worthwhileBytes = 256 * 1024;

type Step =
  | { readonly kind: 'whole' }
  | { readonly kind: 'stale'; readonly failure: Failure }
  | { readonly kind: 'broken'; readonly failure: Failure }
  | { readonly kind: 'damaged'; readonly failure: Failure }
  | { readonly kind: 'over'; readonly failure: Failure };

/**
 * The only way to use an address that the service signed. The address is judged, resolved once and requested without
 * credentials; redirects are followed one by one; the body goes to a part file, is resumed, and gets a new address when
 * the old one expires. The address never leaves these functions: failures are rebuilt without it.
 */
export function createDownloader(options: DownloaderOptions): Downloader {
  const { log, practicePort, clock = systemClientClock, random = Math.random } = options;
  const limits = { ...defaultTransportLimits, maxBodyBytes: 64 * 1024, ...options.limits };
  const transport = onDemand(async () => {
    const { createUndiciTransport } = await import('./transport-undici.ts');
    return createUndiciTransport(clock, limits, guardedLookup(options.resolve), options.proxyOf);
  });

  async function download(request: SignedDownload): Promise<Result<{ readonly sizeBytes: number }>> {
    const part = await openPart(request.target, request.maxBytes ?? largestFileBytes);
    if (!part.ok) return part;
    try {
      return await fetchWhole(request, part.value);
    } finally {
      await part.value.discard();
    }
  }

  async function fetchWhole(request: SignedDownload, part: PartFile): Promise<Result<{ readonly sizeBytes: number }>> {
    const partial: PartialFile = { part, etag: null, totalBytes: null };
    const left = { stale: mostFreshUrls, broken: mostBreaks, damaged: mostDamaged };
    let url: SignedUrl | null = null;
    for (let attempt = 1; ; attempt += 1) {
      if (url === null) {
        const fresh = await request.freshUrl(request.signal);
        if (!fresh.ok) return fresh;
        url = fresh.value;
      }
      const reachedBefore = part.sizeBytes();
      const step = await followed(url, partial, request.signal);
      if (step.kind === 'whole') {
        const failure = await part.finish();
        return failure === null ? ok({ sizeBytes: part.sizeBytes() }) : err(failure);
      }
      if (step.kind === 'over') return err(step.failure);
      // On a bad network a long file breaks off often, so a try that made progress does not count.
      if (part.sizeBytes() - reachedBefore >= worthwhileBytes) left.broken = mostBreaks;
      left[step.kind] -= 1;
      if (left[step.kind] < 0) return err(step.failure);
      if (step.kind === 'damaged') forget(partial);
      // After a broken connection the same address may be resumed; after anything else a new one is needed.
      if (step.kind !== 'broken') url = null;
      const waitMs = backoffMs({ attempt, patience: 'interactive', isThrottle: false, random });
      if (!(await sleep(clock, waitMs, request.signal))) return err(stopped());
    }
  }

  async function followed(signed: SignedUrl, partial: PartialFile, signal: AbortSignal | undefined): Promise<Step> {
    let address = signed.reveal();
    for (let hop = 0; hop <= mostHops; hop += 1) {
      const judged = judgeDownloadAddress(address, practicePort());
      if (!judged.ok) return unsafe(judged.error.replaceAll('-', '_'));
      const startedAtMs = clock.monotonic();
      const head: { value: AnswerHead | null } = { value: null };
      const seen = await (
        await transport.get()
      ).send({
        url: judged.value,
        method: 'GET',
        headers: downloadHeaders(partial),
        body: null,
        firstByteMs: 30_000,
        sinkBody: (found) => {
          head.value = found;
          return accepts(found, partial) ? partial.part.taker : null;
        },
        signal,
      });
      const location = seen.kind === 'answer' && seen.status >= 300 && seen.status < 400 && seen.headers['location'];
      const step = location ? null : judge(seen, partial);
      log.write({
        event: 'signed-download',
        level: step === null || step.kind === 'whole' ? 'info' : 'warn',
        ms: Math.round(clock.monotonic() - startedAtMs),
        bytes: partial.part.sizeBytes(),
        ...(seen.kind === 'answer' ? { status: seen.status } : {}),
        ...(step === null || step.kind === 'whole' ? {} : { code: step.failure.code, row: step.failure.row }),
      });
      if (step !== null) return step;
      const next = URL.parse(location || '', judged.value.href);
      if (next === null || next.protocol !== judged.value.protocol) return unsafe('other_scheme');
      address = next.href;
    }
    return unsafe('too_many_redirects');
  }

  return { download, close: async () => (await transport.asked())?.close() };
}

interface PartialFile {
  readonly part: PartFile;
  etag: string | null;
  totalBytes: number | null;
}

function forget(partial: PartialFile): void {
  partial.part.restart();
  partial.etag = null;
  partial.totalBytes = null;
}

/** All headers that are sent: no cookie, no credential, nothing about this app except its name. */
export function downloadHeaders({
  part,
  etag,
}: Pick<PartialFile, 'etag'> & { part: Pick<PartFile, 'sizeBytes'> }): Readonly<Record<string, string>> {
  const from = part.sizeBytes();
  const isResumed = from > 0 && etag !== null;
  return {
    accept: 'audio/*, application/octet-stream;q=0.9',
    'user-agent': 'OvozStudio',
    ...(isResumed ? { range: `bytes=${from}-`, 'if-range': etag } : {}),
  };
}

/** Whether the body continues exactly where the part ends; a complete body restarts the part. */
function accepts({ status, contentType, headers }: AnswerHead, partial: PartialFile): boolean {
  if (!mayBeAudio(contentType)) return false;
  if (status === 206) {
    const range = /^bytes (\d+)-\d+\/(\d+)$/u.exec(headers['content-range'] ?? '');
    return Number(range?.[1]) === partial.part.sizeBytes() && Number(range?.[2]) === partial.totalBytes;
  }
  if (status !== 200) return false;
  forget(partial);
  const length = headers['content-length'];
  partial.totalBytes = length === undefined ? null : Number(length);
  const { etag = '' } = headers;
  // A weak ETag does not promise the same bytes.
  partial.etag = etag.startsWith('"') ? etag : null;
  return true;
}

function judge(seen: WireOutcome, partial: PartialFile): Step {
  switch (seen.kind) {
    case 'taker':
      return { kind: 'over', failure: makeFailure('disk-space-short', { code: 'not_kept' }) };
    case 'body':
      return { kind: 'over', failure: makeFailure('request-invalid', { code: 'no_body_expected' }) };
    case 'network':
      if (seen.code === 'cancelled') return { kind: 'over', failure: stopped() };
      if (seen.code === unsafeAddressCode) return unsafe(unsafeAddressCode);
      return {
        kind: 'broken',
        failure: { ...classify(seen, { request: 'read', target: 'resource', serverNowMs: 0 }), layer: 'storage' },
      };
    case 'answer':
      break;
  }
  const { status } = seen;
  const facts = { status, envelope: 'none' } as const;
  // A body without a sink is read only far enough to recognise it; only a file can be too large.
  if (seen.isOversize && seen.isTaken)
    return { kind: 'over', failure: makeFailure('download-damaged', { ...facts, code: 'response_too_large' }) };
  if (seen.isTaken && seen.isTruncated)
    return { kind: 'broken', failure: makeFailure('download-interrupted', { ...facts, code: 'download_cut' }) };
  if (seen.isTaken) return isWhole(partial) ? { kind: 'whole' } : damaged(status);
  if (status === 416 || status === 206) return { kind: 'damaged', failure: makeFailure('download-restarted', facts) };
  if (status >= 200 && status < 300) return damaged(status);
  if (status === 429 || status >= 500)
    return { kind: 'broken', failure: makeFailure('download-interrupted', { ...facts, code: `http_${status}` }) };
  return { kind: 'stale', failure: makeFailure('download-expired', { ...facts, code: `http_${status}` }) };
}

const isWhole = ({ part, totalBytes }: PartialFile): boolean =>
  (totalBytes === null || part.sizeBytes() === totalBytes) && sniff(part.head()).kind === 'media';

const damaged = (status: number): Step => ({
  kind: 'damaged',
  failure: makeFailure('download-damaged', { status, code: 'not_the_sound' }),
});

const unsafe = (code: string): Step => ({ kind: 'over', failure: makeFailure('download-unsafe', { code }) });
const stopped = (): Failure => makeFailure('connection-slow', { code: 'cancelled', layer: 'local' });

/** Whatever a server calls it except text and documents; the bytes decide. */
export const mayBeAudio = (contentType: string): boolean =>
  !/^\s*(?:text|multipart)\/|\b(?:html|xml|json)\b/iu.test(contentType);

const headBytes = 32 * 1024;

const notWritable = { code: 'target_not_writable' } as const;

/** `{name}.{random}.part` in the folder of `target`, new, readable by its owner only. */
export async function openPart(target: string, maxBytes: number, start?: Uint8Array): Promise<Result<PartFile>> {
  const path = join(dirname(target), `${basename(target)}.${randomBytes(6).toString('hex')}.part`);
  let part: PartFile | null = null;
  try {
    part = partOf(await open(path, 'wx', 0o600), path, target, maxBytes);
    if (start !== undefined) await part.taker.write(start);
    return ok(part);
  } catch {
    await part?.discard();
    return err(makeFailure('disk-space-short', notWritable));
  }
}

function partOf(file: FileHandle, path: string, target: string, maxBytes: number) {
  let size = 0;
  let head = Buffer.alloc(0);
  let isOpen = true;
  const shut = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await file.close();
  };
  return {
    taker: {
      maxBytes,
      async write(chunk) {
        if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
        const at = size;
        size += chunk.length;
        await writeAll(file, chunk, at);
      },
    } satisfies BodySink,
    sizeBytes: (): number => size,
    head: (): Buffer => head,
    restart(): void {
      size = 0;
      head = Buffer.alloc(0);
    },
    /** `start` replaces as many first bytes, for a header that contains a length. */
    async finish(start?: Uint8Array | null): Promise<Failure | null> {
      try {
        if (start) {
          await writeAll(file, start, 0);
          head = Buffer.concat([start, head.subarray(start.length)]);
        }
        await file.truncate(size);
        await file.sync();
        await shut();
        await rename(path, target);
        await syncFolder(dirname(target));
        return null;
      } catch {
        return makeFailure('disk-space-short', notWritable);
      }
    },
    async discard(): Promise<void> {
      await shut().catch(() => undefined);
      await rm(path, { force: true });
    },
  };
}

export type PartFile = ReturnType<typeof partOf>;

async function writeAll(file: FileHandle, chunk: Uint8Array, from: number): Promise<void> {
  for (let at = 0; at < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, at, chunk.length - at, from + at);
    at += bytesWritten;
  }
}

/** Some systems can't open a folder to flush it; there the rename alone has to do. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Nothing more can be done for it.
  }
}

/**
 * An address that the service signed. It does not print itself and is accepted only by the guarded download, so that it
 * can't reach a log, a database, the page, or a request that carries a key.
 */
export class SignedUrl {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** For the guarded download alone. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[signed address]';
  }

  toJSON(): string {
    return '[signed address]';
  }
}

const longestAddress = 8192;

/** The address to download from, by any usual name (assumptions: signed-address); null when there is none yet. */
export function readSignedUrl(source: JsonObject): SignedUrl | null {
  const direct = pick(source, ['audio_url', 'download_url', 'url', 'audio_path'], asFilledText);
  const inner = pick(source, ['audio', 'download', 'file', 'export'], asJsonObject);
  const value =
    direct ?? (isJsonObject(inner) ? pick(inner, ['url', 'download_url', 'audio_url'], asFilledText) : undefined);
  return value !== undefined && value.length <= longestAddress ? new SignedUrl(value) : null;
}
