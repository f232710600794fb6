import { isMainThread, workerData } from 'node:worker_threads';

/** A thread loads nothing else: most of its memory would otherwise be the rest of the service. */
const threads: Readonly<Record<string, () => Promise<unknown>>> = {
  recogniser: () => import('../recogniser/recogniser-worker.ts'),
  'practice-sound': () => import('../practice/sound-worker.ts'),
};

if (isMainThread) {
  const { runPractice } = await import('./practice-service.ts');
  await runPractice(new URL(import.meta.url));
} else {
  const { role } = workerData as { readonly role: string };
  await threads[role]?.();
}
