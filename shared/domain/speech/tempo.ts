import type { SpeechBlock, SpeechDefaults } from './blocks.ts';

/** Beyond half and twice its speed audio doesn't sound like the voice any more. */
const mostTempo = 2;

/**
 * How much faster than it was spoken a take is heard, so that a changed speed costs nothing: 1 where its sentence is
 * locked, or where the difference is too great for this computer and has to be spoken anew.
 */
export function tempoOf(
  { isLocked, speed }: Pick<SpeechBlock, 'isLocked' | 'speed'>,
  defaults: Pick<SpeechDefaults, 'speed'>,
  take: { readonly speed: number },
): number {
  const tempo = (speed ?? defaults.speed) / take.speed;
  return isLocked || tempo > mostTempo || tempo < 1 / mostTempo ? 1 : tempo;
}
