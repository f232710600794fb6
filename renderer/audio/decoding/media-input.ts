import { ALL_FORMATS, Input, type InputAudioTrack, UrlSource } from 'mediabunny';

const megabyte = 1024 * 1024;

/** Opens a recording for ranged reads; little is held in memory, and a dead address fails quickly. */
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

/** The whole second in the middle of a track, where two workers split it. */
export const middleOf = async (track: InputAudioTrack): Promise<number> =>
  Math.floor((await track.computeDuration()) / 2);
