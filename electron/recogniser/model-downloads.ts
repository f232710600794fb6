import { totalmem } from 'node:os';
import { hostOf } from '../../shared/domain/local-models.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import type { FoundFile, ModelState, ModelStore } from './model-store.ts';

interface Running {
  readonly controller: AbortController;
  readonly startedAtMs: number;
  /** Bytes that were here when it started, and that are here now. */
  readonly startBytes: number | null;
  readonly bytes: number;
  readonly done: Promise<void>;
}

export interface ModelDownloadsOptions {
  readonly store: ModelStore;
  readonly onChanged: () => void;
  readonly onHere: () => void;
  readonly now: () => number;
  readonly memoryBytes?: number;
}

const publishMs = 250;

/** Gets models for a window: a download goes on while pages come and go, and what came stays when the app quits. */
export function createModelDownloads(options: ModelDownloadsOptions) {
  const { store, onChanged, onHere, now, memoryBytes = totalmem() } = options;
  const running = new Map<string, Running>();
  const failures = new Map<string, Failure>();
  let refused: readonly FoundFile[] = [];
  let publishedAtMs = -Infinity;

  const note = (id: string, part: Partial<Running>): void => {
    const present = running.get(id);
    if (present !== undefined) running.set(id, { ...present, ...part });
  };

  const viewOf = ({ model, state, bytes, total, measuredFactor }: ModelState) => {
    const work = running.get(model.id);
    const came = work?.startBytes == null ? 0 : work.bytes - work.startBytes;
    const tookMs = work === undefined ? 0 : now() - work.startedAtMs;
    const isTooLarge = memoryBytes < model.leastMemoryBytes && state !== 'here';
    const { id, name, languages, licence, memoryBytes: needs, leastMemoryBytes, wordErrors, hasPunctuation } = model;
    return {
      id,
      name,
      languages: [...languages],
      licence,
      memoryBytes: needs,
      leastMemoryBytes,
      hasPunctuation,
      wordErrors: languages.flatMap((language) => {
        const [least, most] = wordErrors[language] ?? [];
        return least === undefined || most === undefined ? [] : [{ language, least, most }];
      }),
      source: hostOf(model),
      bytes: work?.startBytes == null ? bytes : work.bytes,
      totalBytes: total,
      bytesPerSecond: tookMs > 1000 && came > 0 ? (came / tookMs) * 1000 : null,
      measuredFactor,
      state:
        work === undefined
          ? isTooLarge
            ? ('too-little-memory' as const)
            : state
          : work.bytes >= total
            ? ('checking' as const)
            : ('downloading' as const),
      failure: failures.get(model.id) ?? null,
    };
  };

  const stop = async (id: string): Promise<void> => {
    const work = running.get(id);
    work?.controller.abort();
    await work?.done;
  };

  return {
    list: async () => (await store.list()).map(viewOf),
    refused: (): readonly FoundFile[] => refused,
    get(id: string): void {
      if (running.has(id)) return;
      const controller = new AbortController();
      failures.delete(id);
      refused = [];
      const onProgress = (bytes: number): void => {
        note(id, { bytes, ...(running.get(id)?.startBytes === null ? { startBytes: bytes } : {}) });
        if (now() - publishedAtMs < publishMs) return;
        publishedAtMs = now();
        onChanged();
      };
      const done = store
        .download(id, { signal: controller.signal, onProgress })
        .then((got) => {
          if (!got.ok && !controller.signal.aborted) failures.set(id, got.error);
          if (got.ok) onHere();
        })
        .finally(() => {
          running.delete(id);
          onChanged();
        });
      running.set(id, { controller, startedAtMs: now(), startBytes: null, bytes: 0, done });
      onChanged();
    },
    pause: stop,
    async remove(id: string): Promise<void> {
      await stop(id);
      failures.delete(id);
      await store.remove(id);
      onChanged();
    },
    async add(paths: readonly string[]): Promise<Result<{ readonly id: string | null; readonly foundCount: number }>> {
      failures.clear();
      refused = [];
      onChanged();
      const added = await store.add(paths);
      if (!added.ok) return added;
      const { model, found } = added.value;
      refused = model === null ? found : [];
      onChanged();
      if (model !== null) onHere();
      return ok({ id: model?.id ?? null, foundCount: found.length });
    },
    dismissRefused(): void {
      refused = [];
      onChanged();
    },
  };
}

export type ModelDownloads = ReturnType<typeof createModelDownloads>;
