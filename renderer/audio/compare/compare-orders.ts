import { Scope } from '../../lib/scope.ts';
import type { Mix } from './compare-measures.ts';
import type { CompareOrder, CompareReport } from './compare-worker.ts';

/** The last report of its own worker. Never answered when the scope ends before. */
export function runCompareWorker(
  scope: Scope,
  order: CompareOrder,
  onPart: (part: Extract<CompareReport, { readonly kind: 'peaks' | 'piece' }>, goOn: () => void) => void,
): Promise<CompareReport> {
  const { promise, resolve, reject } = Promise.withResolvers<CompareReport>();
  const worker = new Worker(new URL('./compare-worker.ts', import.meta.url), { type: 'module', name: 'compare' });
  scope.add(() => worker.terminate());
  scope.listen<ErrorEvent>(worker, 'error', ({ message }) => reject(new Error(message)));
  scope.listen<MessageEvent<CompareReport>>(worker, 'message', ({ data }) => {
    if (data.kind === 'peaks' || data.kind === 'piece') onPart(data, () => worker.postMessage('taken'));
    else if (data.kind === 'failed') reject(new Error(data.reason));
    else resolve(data);
  });
  worker.postMessage(order);
  return promise.finally(() => worker.terminate());
}

/** The worker makes each piece after the previous one was accepted. False: it failed. */
export async function renderMix(
  mix: Mix,
  take: (bytes: Uint8Array<ArrayBuffer>, share: number) => Promise<boolean>,
): Promise<boolean> {
  const scope = new Scope();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  runCompareWorker(scope, { kind: 'file', mix }, (part, goOn) => {
    if (part.kind === 'piece') void take(part.bytes, part.share).then((isTaken) => (isTaken ? goOn() : resolve(false)));
  }).then(
    () => resolve(true),
    () => resolve(false),
  );
  const isMixed = await promise;
  scope.dispose();
  return isMixed;
}
