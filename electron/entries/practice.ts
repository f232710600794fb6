import { isMainThread, workerData } from 'node:worker_threads';

/**
 * The modules of each kind of thread. A thread loads nothing else, because most of its memory would otherwise be the
 * rest of the service.
 */
const threads: Readonly<Record<string, () => Promise<unknown>>> = {
  recogniser: () => import('../recogniser/recogniser-worker.ts'),
  'practice-analysis': () => import('../practice/analysis/analysis-worker.ts'),
  'practice-document': () => import('../practice/llm/document-worker.ts'),
  'practice-isolation': () => import('../practice/isolation/isolation-worker.ts'),
  'practice-voice': () => import('../practice/clone/voice-worker.ts'),
};

if (isMainThread) {
  const { runPractice } = await import('./practice-service.ts');
  await runPractice(new URL(import.meta.url));
} else {
  const { role } = workerData as { readonly role: string };
  await threads[role]?.();
}
