import { onTestFinished, vi } from 'vitest';

/** An address of a recording that answers with ranges, until the test has finished. */
export function recordingAt(bytes: Uint8Array<ArrayBuffer>): string {
  vi.stubGlobal('fetch', (_url: string, { headers = {} }: { headers?: { range?: string } } = {}) => {
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/u.exec(headers.range ?? '') ?? [];
    const part = bytes.slice(Number(from), to === '' ? undefined : Number(to) + 1);
    const range = { 'content-range': `bytes ${from}-${to}/${String(bytes.length)}` };
    return Promise.resolve(new Response(part, { status: 206, headers: range }));
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return `recording-${String(Math.random())}`;
}
