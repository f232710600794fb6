import { ALL_FORMATS, Input, type InputAudioTrack, UrlSource } from 'mediabunny';

/** Opens a recording for reading by ranges; little is held in memory, and a dead address is given up soon. */
export function openMediaInput(url: string): Input {
  return new Input({
    formats: ALL_FORMATS,
    source: new UrlSource(url, {
      maxCacheSize: 16 * 1024 * 1024,
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
