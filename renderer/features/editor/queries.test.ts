import { expect, it, onTestFinished, vi } from 'vitest';
import type { StudioClient } from '../../bridge/client.ts';
import { forgetBegunPeaks } from '../../audio/load-peaks.ts';
import { ok } from '../../../shared/result/result.ts';
import { openTranscript } from './queries.ts';

it('a transcript that is left before main has answered reads no waveform', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    return new Promise(() => undefined);
  });
  onTestFinished(() => {
    forgetBegunPeaks();
    vi.unstubAllGlobals();
  });
  const detail = { mediaUrl: '/media/a', mediaToken: 'a', transcript: { durationMs: 1000, segments: [] }, rest: null };
  const studio = { request: () => Promise.resolve(ok(detail)) } as unknown as StudioClient;
  await expect(openTranscript(studio, 'a', AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
  expect(asked).toEqual([]);
  const opened = openTranscript(studio, 'a', new AbortController().signal);
  await expect(opened).resolves.toEqual(detail);
  expect(asked).toEqual(['/media/a/peaks']);
});
