import type { Studio } from './studio.ts';

/** Everything a page has in its memory as one text, after garbage collection. */
export async function readHeap({ app, page }: Pick<Studio, 'app' | 'page'>): Promise<string> {
  // The page stands still meanwhile, on a slow machine for so long that the app would end it as one that hangs.
  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.removeAllListeners('unresponsive');
  });
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return chunks.join('');
}
