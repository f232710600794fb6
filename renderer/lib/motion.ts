/** Whether things should jump instead of move: by the setting of the app (on `<html>`) or by the system. */
export const isMotionReduced = (): boolean =>
  document.documentElement.dataset['motion'] === 'reduce' || matchMedia('(prefers-reduced-motion: reduce)').matches;
