import { Scope } from '../../../lib/scope.ts';

/** Enough for a strip on a dense screen. */
const height = 72;

/**
 * Draws a picture of the middle of each equal part of a video, one after the other and only while the page has time;
 * `onNone` is called when it has none that can be shown.
 */
export function drawFilm(
  url: string,
  seconds: number,
  canvases: readonly HTMLCanvasElement[],
  onNone: () => void,
): () => void {
  const scope = new Scope();
  const video = document.createElement('video');
  let at = -1;
  const next = () => {
    at += 1;
    if (at < canvases.length) video.currentTime = ((at + 0.5) / canvases.length) * seconds;
    else scope.dispose();
  };
  scope.add(() => {
    video.removeAttribute('src');
    video.load();
  });
  scope.listen(video, 'error', onNone);
  scope.listen(video, 'loadedmetadata', () => {
    if (video.videoWidth === 0) onNone();
    else next();
  });
  scope.listen(video, 'seeked', () => {
    const canvas = canvases[at];
    if (canvas === undefined) return;
    canvas.height = height;
    canvas.width = Math.round((height * video.videoWidth) / video.videoHeight);
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
    const asked = requestIdleCallback(next);
    scope.add(() => cancelIdleCallback(asked));
  });
  video.muted = true;
  video.preload = 'metadata';
  video.src = url;
  return () => scope.dispose();
}
