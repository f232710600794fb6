import type { TimeSpan } from '../../shared/domain/transcript/transcript.ts';
import type { Scope } from '../lib/scope.ts';

/** Long enough not to click, short enough not to be audible as a fade. */
const fadeSeconds = 0.008;
/** How long before a stretch its jump is prepared: frames and timers of a busy window come late. */
const aheadMs = 250;

export interface SpanSkipper {
  /** In the time of the recording, ordered and disjoint. */
  readonly set: (spans: readonly TimeSpan[]) => void;
  /** To be called each frame while it plays. */
  readonly look: () => void;
}

/**
 * Skips stretches while an element plays: fades out before one, jumps over it, fades in after it. A stretch that the
 * user jumped into on purpose is played to its end. As long as there is nothing to skip, the element's audio is not
 * routed through Web Audio.
 */
export function createSpanSkipper(element: HTMLAudioElement, scope: Scope): SpanSkipper {
  let spans: readonly TimeSpan[] = [];
  let heard: TimeSpan | null = null;
  let output: { readonly context: AudioContext; readonly gain: AudioParam } | null = null;
  let cancel: (() => void) | null = null;
  const spanAt = (timeMs: number) => spans.find(({ startMs, endMs }) => startMs <= timeMs && timeMs < endMs) ?? null;

  const fade = (to: 0 | 1, inSeconds: number) => {
    if (output === null) return;
    const { context, gain } = output;
    const from = context.currentTime + inSeconds;
    gain.cancelScheduledValues(context.currentTime);
    gain.setValueAtTime(gain.value, from);
    gain.linearRampToValueAtTime(to, from + fadeSeconds);
  };
  const callOff = () => {
    cancel?.();
    cancel = null;
    fade(1, 0);
  };
  const connect = () => {
    const context = new AudioContext();
    const node = new GainNode(context);
    context.createMediaElementSource(element).connect(node).connect(context.destination);
    output = { context, gain: node.gain };
  };
  const look = () => {
    if (spans.length === 0 || element.paused || element.seeking || cancel !== null) return;
    const now = element.currentTime * 1000;
    const span = spans.find(({ endMs }) => endMs > now);
    if (span === undefined || span === heard) return;
    const inMs = Math.max(0, (span.startMs - now) / element.playbackRate);
    if (inMs > aheadMs) return;
    fade(0, Math.max(0, inMs / 1000 - fadeSeconds));
    cancel = scope.after(inMs, () => {
      cancel = null;
      if (!element.paused) element.currentTime = span.endMs / 1000;
    });
  };
  scope.listen(element, 'timeupdate', look);
  scope.listen(element, 'seeking', () => {
    heard = spanAt(element.currentTime * 1000);
    callOff();
  });
  scope.listen(element, 'pause', callOff);
  scope.listen(element, 'playing', () => {
    void output?.context.resume();
  });
  return {
    look,
    set(next) {
      spans = next;
      callOff();
      if (next.length > 0 && output === null) connect();
    },
  };
}
