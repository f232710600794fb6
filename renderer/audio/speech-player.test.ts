import { afterEach, expect, it, vi } from 'vitest';
import { createSpeechPlayer } from './speech-player.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('each sentence whose audio cannot be read is told, not only the last', async () => {
  class SilentContext {
    readonly currentTime = 0;
    readonly state = 'running';
    close = async () => undefined;
  }
  vi.stubGlobal('AudioContext', SilentContext);
  vi.stubGlobal('fetch', async () => new Response(null, { status: 404 }));
  const player = createSpeechPlayer();
  player.start(['a', 'b'].map((id) => ({ id, url: `/media/${id}`, pauseMs: 0 })));
  await expect.poll(() => player.getState().failedIds).toEqual(['a', 'b']);
  player.stop();
});
