import { ALL_FORMATS, Input, type InputAudioTrack, UrlSource } from 'mediabunny';

const megabyte = 1024 * 1024;

/** Opens a recording for reading by ranges; little is held in memory, and a dead address is given up soon. */
export function openMediaInput(url: string, maxCacheSize = 16 * megabyte): Input {
  return new Input({
    formats: ALL_FORMATS,
    source: new UrlSource(url, {
      maxCacheSize,
      getRetryDelay: (previousAttempts) => (previousAttempts < 2 ? 0.2 : null),
    }),
  });
}

/** The track that a player would play. */
export async function primaryTrack(input: Input): Promise<InputAudioTrack> {
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw new Error('The recording has no sound');
  return track;
}

/** The bytes of a recording in order; the network layer holds back what is not yet asked for. */
export async function* byteStream(url: string): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const response = await fetch(url);
  if (!response.ok || response.body === null) throw new Error(`The recording answered with ${response.status}`);
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
