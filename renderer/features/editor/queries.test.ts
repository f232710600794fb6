import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { StudioClient } from '../../bridge/client.ts';
import { forgetBegunPeaks } from '../../audio/load-peaks.ts';
import { ok } from '../../../shared/result/result.ts';
import { openTranscript } from './queries.ts';

/** Which waveforms were asked for, and whether they still are wanted. */
let asked: Map<string, AbortSignal | null | undefined>;
beforeEach(() => {
  asked = new Map();
  vi.stubGlobal('fetch', (url: string, { signal }: RequestInit) => {
    asked.set(url, signal);
    return new Promise(() => undefined);
  });
  onTestFinished(() => {
    forgetBegunPeaks();
    vi.unstubAllGlobals();
  });
});

const detailOf = (id: string, rest: { readonly token: string; readonly partCount: number } | null) => ({
  mediaUrl: `/media/${id}`,
  mediaToken: id,
  transcript: { durationMs: 1000, segments: [] },
  rest,
});

it('a long transcript that is left while it is read does not stop the waveform of the next one', async () => {
  const secondPart = Promise.withResolvers();
  const studio = {
    request: (method: string, { transcriptId: id }: { readonly transcriptId: string }) =>
      method === 'transcripts.readOn'
        ? secondPart.promise
        : Promise.resolve(ok(detailOf(id, id === 'long' ? { token: 'a', partCount: 1 } : null))),
  } as unknown as StudioClient;
  const left = new AbortController();
  const long = openTranscript(studio, 'long', left.signal);
  await vi.waitFor(() => expect(asked.has('/media/long/peaks')).toBe(true));
  left.abort(new Error('left'));
  await openTranscript(studio, 'next', new AbortController().signal);
  secondPart.resolve(ok({}));
  await expect(long).rejects.toThrow('left');
  expect([...asked].map(([url, signal]) => [url, signal?.aborted])).toEqual([
    ['/media/long/peaks', true],
    ['/media/next/peaks', false],
  ]);
});
