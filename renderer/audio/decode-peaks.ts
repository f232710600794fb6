import type { PeakChunk } from '../../shared/domain/audio/peak-builder.ts';
import type { Scope } from '../lib/scope.ts';

/** The single request to a peaks worker. */
export interface PeaksRequest {
  readonly url: string;
}

/** Reports of the worker: any number of `peaks`, then `done` or `failed`. */
export type PeaksReport =
  | { readonly kind: 'peaks'; readonly chunk: PeakChunk }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string };

/** A decoder that is silent for this long is stuck (some loop for ever on damaged files) and is terminated. */
const silentForMs = 30_000;

/** Has a worker of the page decode what main has no decoder for, until the scope ends. */
export function decodePeaks(scope: Scope, url: string, onReport: (report: PeaksReport) => void): void {
  const worker = new Worker(new URL('./peaks-worker.ts', import.meta.url), { type: 'module', name: 'peaks' });
  scope.add(() => {
    worker.terminate();
  });
  let forgetWatch = () => {};
  const watch = () => {
    forgetWatch();
    forgetWatch = scope.after(silentForMs, () => {
      report({ kind: 'failed', reason: 'The decoder stopped answering' });
    });
  };
  const report = (one: PeaksReport) => {
    if (scope.isDisposed) return;
    if (one.kind === 'peaks') watch();
    else {
      forgetWatch();
      worker.terminate();
    }
    onReport(one);
  };
  scope.listen<MessageEvent<PeaksReport>>(worker, 'message', ({ data }) => {
    report(data);
  });
  scope.listen<ErrorEvent>(worker, 'error', ({ message }) => {
    report({ kind: 'failed', reason: message });
  });
  watch();
  worker.postMessage({ url: new URL(url, document.baseURI).href } satisfies PeaksRequest);
}
