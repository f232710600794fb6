import { Scope } from '../../lib/scope.ts';
import { absoluteUrl } from '../samples.ts';
import type { MixOrder, MixReport, MixRequest } from './mix-worker.ts';

/** The worker makes each piece after the previous one was accepted. False: it failed. */
export async function renderMix(
  request: MixRequest,
  take: (bytes: Uint8Array<ArrayBuffer>, share: number) => Promise<boolean>,
): Promise<boolean> {
  const scope = new Scope();
  const worker = new Worker(new URL('./mix-worker.ts', import.meta.url), { type: 'module', name: 'mix' });
  scope.add(() => worker.terminate());
  const order = (message: MixOrder) => worker.postMessage(message);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  scope.listen(worker, 'error', () => resolve(false));
  scope.listen<MessageEvent<MixReport>>(worker, 'message', ({ data }) => {
    if (data.kind !== 'piece') {
      resolve(data.kind === 'done');
      return;
    }
    void take(data.bytes, data.share).then((isTaken) => {
      if (isTaken) order({ kind: 'taken' });
      else resolve(false);
    });
  });
  order({
    kind: 'begin',
    request: { ...request, original: absoluteUrl(request.original), isolated: absoluteUrl(request.isolated) },
  });
  const mixed = await promise;
  scope.dispose();
  return mixed;
}
