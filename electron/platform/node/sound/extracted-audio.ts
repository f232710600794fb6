import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { localFailure } from '../../../../shared/domain/jobs/job-failures.ts';
import { headerDurationMs } from '../../../../shared/domain/media/duration.ts';
import { sniff, type MediaFormat } from '../../../../shared/domain/media/sniff.ts';
import {
  hidesLength,
  needsProbe,
  planSound,
  type ProbedMedia,
  type SoundPlan,
} from '../../../../shared/domain/media/sound-plan.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../../shared/result/result.ts';
import type { SoundPort } from '../../../services/media/sound-port.ts';
import { WorkThread } from '../../../threads/work-thread.ts';
import { hashFile } from '../hash-file.ts';
import { peekFile } from '../peek-file.ts';
import { libraryFailure } from '../storage-failure.ts';
import { convertSound } from './converter.ts';
import { audioWorkerRole, type SoundOutcome, type SoundRequest } from './sound-work.ts';

/** Name of a sound that was taken out: the content hash of its recording. */
const preparedName = /^[0-9a-f]{64}\.(m4a|ogg|mp3|flac|wav)$/;
const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

interface Looked {
  readonly format: MediaFormat;
  readonly plan: SoundPlan;
  readonly durationMs: number | null;
  readonly sizeBytes: number;
}

type Taken = Exclude<SoundPlan, { kind: 'as-is' | 'no-sound' }>;

/** Headers are in the first megabytes: what takes longer is made to take for ever. */
const longestProbeMs = 10_000;
/** So many files whose headers could not be read are remembered. */
const mostRemembered = 1000;

const newThread = (workerUrl: URL, more: { readonly silenceLimitMs?: number; readonly triesOnce?: boolean } = {}) =>
  new WorkThread<SoundRequest, SoundOutcome>({
    workerUrl,
    workerData: audioWorkerRole,
    // A sign comes four times a second while packets move; headers take no longer than this on any disk.
    silenceLimitMs: 30_000,
    lost: () => ({ kind: 'failed', system: null }),
    ...more,
  });

/**
 * The sounds of recordings that can't be sent as they are, in a folder of the library. `workerUrl`: a module that
 * serves `soundWorkerRole`, so that reading other people's files never holds up or takes down the program itself.
 */
export function openExtractedAudio(folder: string, workerUrl: URL): SoundPort {
  const prober = newThread(workerUrl, { silenceLimitMs: longestProbeMs, triesOnce: true });
  /** A file is looked at when it is added and when it is prepared; one that held the thread does so once. */
  const unreadable = new Set<string>();
  const pathOf = (name: string): string => {
    if (!preparedName.test(name)) throw new Error('not the name of a prepared sound');
    return join(folder, name);
  };
  /** Recordings of the same content are taken from one after another: the second finds what the first has made. */
  const underWay = new Map<string, Promise<unknown>>();
  async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    for (let other = underWay.get(name); other !== undefined; other = underWay.get(name)) await other;
    const own = work();
    underWay.set(
      name,
      own.catch(() => undefined),
    );
    try {
      return await own;
    } finally {
      underWay.delete(name);
    }
  }
  const exists = (path: string): Promise<boolean> =>
    stat(path).then(
      (found) => found.isFile() && found.size > 0,
      () => false,
    );

  const probe = async (path: string): Promise<ProbedMedia | null> => {
    const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
    const version = `${path}\0${size}\0${mtimeMs}`;
    if (unreadable.has(version)) return null;
    const found = await prober.run({ kind: 'probe', path });
    if (found.kind === 'probed') return found.media;
    if (unreadable.size < mostRemembered) unreadable.add(version);
    return null;
  };

  async function look(path: string): Promise<Result<Looked, Failure>> {
    const params = { name: basename(path) };
    const peek = await peekFile(path);
    if (!peek.ok) return err({ ...peek.error, params });
    const { head, tail, sizeBytes } = peek.value;
    const found = sniff(head);
    if (found.kind === 'not-media')
      return err(localFailure('E-211', { code: found.what === 'empty' ? 'empty_file' : 'not_audio', params }));
    const { format } = found;
    const told = headerDurationMs(format, head, tail, sizeBytes);
    const probed = needsProbe(format) || (told === null && hidesLength(format)) ? await probe(path) : null;
    const plan = planSound(format, probed);
    if (plan.kind === 'no-sound') return err(localFailure('E-211', { code: 'no_sound', params }));
    return ok({ format, plan, durationMs: told ?? probed?.durationMs ?? null, sizeBytes });
  }

  /** Writes the sound beside its place and names it when all of it is on the disk. */
  async function take(
    from: string,
    name: string,
    { format, plan, durationMs }: Looked & { readonly plan: Taken },
    signal: AbortSignal,
    onShare: (share: number) => void,
  ): Promise<Result<null, Failure>> {
    const params = { name: basename(from) };
    const unusable = (code: string): Result<never, Failure> => err(localFailure('E-211', { code, params }));
    const part = `${pathOf(name)}.part`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await open(part, 'w', 0o600).then((file) => file.close());
    try {
      const copied =
        plan.kind === 'copy' ? await copyInThread({ kind: 'copy', from, to: part, extension: plan.extension }) : null;
      if (copied?.kind === 'failed' && fullDisk.has(copied.system ?? ''))
        return err(libraryFailure({ code: copied.system }));
      if (signal.aborted) return err(localFailure('E-010', { code: 'cancelled', params }));
      if (copied?.kind !== 'copied') {
        const converted = await convertSound({ format, from, to: part, durationMs, signal, onShare });
        if (converted === 'cancelled') return err(localFailure('E-010', { code: 'cancelled', params }));
        if (converted === 'no-converter') return unusable('needs_converter');
        if (converted === 'no-sound') return unusable('no_sound');
        if (converted === 'failed') return unusable('not_convertible');
      }
      const file = await open(part, 'r+');
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, pathOf(name));
      return ok(null);
    } finally {
      await rm(part, { force: true });
    }

    async function copyInThread(request: SoundRequest): Promise<SoundOutcome> {
      const thread = newThread(workerUrl);
      const stop = () => void thread.close();
      signal.addEventListener('abort', stop, { once: true });
      try {
        return await thread.run(request, onShare);
      } finally {
        signal.removeEventListener('abort', stop);
        await thread.close();
      }
    }
  }

  return {
    pathOf,
    async look(path) {
      const looked = await look(path);
      return looked.ok
        ? ok({ plan: looked.value.plan, durationMs: looked.value.durationMs, sizeBytes: looked.value.sizeBytes })
        : looked;
    },
    async prepare(path, knownName, signal, onShare) {
      if (knownName !== null && (await exists(pathOf(knownName))))
        return ok({ path: pathOf(knownName), preparedName: knownName });
      const looked = await look(path);
      if (!looked.ok) return looked;
      const { plan } = looked.value;
      if (plan.kind === 'as-is' || plan.kind === 'no-sound') return ok({ path, preparedName: null });
      const content = await hashFile(path, signal);
      if (!content.ok) return content;
      const name = `${content.value.sha256}.${plan.extension}`;
      try {
        const taken = await inTurn(name, async () =>
          (await exists(pathOf(name))) ? ok(null) : take(path, name, { ...looked.value, plan }, signal, onShare),
        );
        return taken.ok ? ok({ path: pathOf(name), preparedName: name }) : taken;
      } catch (error) {
        return err(libraryFailure(error));
      }
    },
    close: () => prober.close(),
  };
}
