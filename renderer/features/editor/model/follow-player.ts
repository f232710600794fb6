import { followAudio } from '../../../../shared/domain/media/follow-picture.ts';
import type { Player } from '../../../audio/player.ts';
import { Scope } from '../../../lib/scope.ts';

const lookEveryMs = 200;

/** A muted picture follows the audio until it is let go: to where it is sought, and at its pace. */
export function followPlayer(picture: HTMLVideoElement, player: Player): () => void {
  const scope = new Scope();
  const look = () => {
    // A seek under way is over soon, and then it is looked again: many in a row cost one.
    if (picture.readyState === HTMLMediaElement.HAVE_NOTHING || picture.seeking) return;
    const { rate } = player.getState();
    const lengthMs = Number.isFinite(picture.duration) ? picture.duration * 1000 : Infinity;
    const audioMs = Math.min(player.timeMs(), lengthMs);
    const isPlaying = !player.element.paused && audioMs < lengthMs;
    const step = followAudio(audioMs, picture.currentTime * 1000, { isPlaying, rate });
    if (step.kind === 'seek') picture.currentTime = step.toMs / 1000;
    else if (Math.abs(picture.playbackRate - step.rate) > 0.01) picture.playbackRate = step.rate;
    if (isPlaying && picture.paused) picture.play().catch(() => undefined);
    else if (!isPlaying && !picture.paused) picture.pause();
  };
  scope.add(player.onSeek(look));
  scope.add(player.subscribe(look));
  for (const event of ['loadedmetadata', 'seeked']) scope.listen(picture, event, look);
  scope.every(lookEveryMs, () => {
    if (!player.element.paused) look();
  });
  look();
  return () => scope.dispose();
}
