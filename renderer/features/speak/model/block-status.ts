import {
  requestIdentity,
  withTake,
  type SpeechBlock,
  type SpeechRequest,
} from '../../../../shared/domain/speech/blocks.ts';
import { isUnsentForNow } from '../../../../shared/domain/failures/network-fault.ts';
import { slotSlackMs, estimateMs, tempoOf } from '../../../../shared/domain/speech/speech-document.ts';
import { countCharacters } from '../../../../shared/domain/speech/split-text.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import type { ShownTake } from '../../../bridge/types.ts';
import type { SpeakState } from './speak-state.ts';

/** `changed`: its audio has other words, another voice or speed. `locked`: it keeps its audio. */
export type BlockState = 'ready' | 'new' | 'changed' | 'locked' | 'waiting' | 'generating' | 'failed';

export const isReady = (state: BlockState): state is 'ready' | 'locked' => state === 'ready' || state === 'locked';

export interface BlockStatus {
  readonly state: BlockState;
  readonly take: ShownTake | null;
  /** How much faster than it was spoken the take is heard. */
  readonly tempo: number;
  readonly failure: Failure | null;
  readonly characters: number;
}

const madeOf = (take: ShownTake | undefined): ShownTake | null =>
  take?.state === 'made' && take.mediaUrl !== null ? take : null;

export function blockStatus(
  block: SpeechBlock,
  request: SpeechRequest,
  known: Pick<SpeakState, 'takes' | 'byIdentity' | 'work'>,
): BlockStatus {
  const identity = requestIdentity(request);
  const take = block.takeId === null ? null : madeOf(known.takes.get(block.takeId));
  const tempo = take === null ? 1 : tempoOf(block, request, take);
  const kept = { take, tempo, failure: null, characters: 0 };
  if (block.isLocked && take !== null) return { ...kept, state: 'locked' };
  if (take?.identity === identity) return { ...kept, state: 'ready' };
  const same = known.byIdentity.get(identity);
  const made = madeOf(same);
  if (made !== null) return { ...kept, state: 'ready', take: made, tempo: 1 };
  if (take !== null && tempo !== 1 && take.identity === requestIdentity({ ...request, speed: take.speed }))
    return { ...kept, state: 'ready' };
  const work = known.work.get(block.id);
  const unmade = { ...kept, characters: countCharacters(request.text) };
  if (work !== undefined) return { ...unmade, state: work.kind, failure: work.kind === 'failed' ? work.failure : null };
  // Also one that was never answered and can't be repeated.
  if (same !== undefined && same.failure !== null && !isUnsentForNow(same.failure))
    return { ...unmade, state: 'failed', failure: same.failure };
  return { ...unmade, state: take !== null || block.takeIds.length > 0 ? 'changed' : 'new' };
}

/** Takes that arrived become the current ones of the blocks with their content, `chosenFor` also in place of another. */
export function withTakes(
  state: Pick<SpeakState, 'document' | 'requests' | 'takes' | 'byIdentity'>,
  came: readonly ShownTake[],
  chosenFor?: string,
) {
  const takes = new Map(state.takes);
  const byIdentity = new Map(state.byIdentity);
  for (const take of came) {
    takes.set(take.id, take);
    const isNewest = (byIdentity.get(take.identity)?.createdAtMs ?? 0) <= take.createdAtMs;
    if ((take.state === 'made' && isNewest) || byIdentity.get(take.identity)?.state !== 'made')
      byIdentity.set(take.identity, take);
  }
  const blocks = (state.document?.blocks ?? []).map((block, index) => {
    const request = state.requests[index];
    if (request === undefined || block.isLocked) return block;
    const identity = requestIdentity(request);
    const take = byIdentity.get(identity);
    const chosen = block.takeId === null ? undefined : takes.get(block.takeId);
    if (take?.state !== 'made') return block;
    // A new take of the same content becomes the current one.
    const isKept = chosen?.identity === identity && block.id !== chosenFor;
    return isKept || take.id === block.takeId ? block : withTake(block, take.id);
  });
  return { takes, byIdentity, blocks };
}

export function overlongMs({ slot }: SpeechBlock, status: BlockStatus | null): number {
  if (slot === null || slot === undefined || status === null || !isReady(status.state)) return 0;
  const overMs = (status.take?.durationMs ?? 0) / status.tempo - (slot.endMs - slot.startMs);
  return overMs > slotSlackMs ? overMs : 0;
}

const leastMeasuredMs = 5_000;

/** Characters per second at speed 1, measured from the takes; undefined while there is too little audio. */
export function measuredPace(takes: Iterable<ShownTake>): number | undefined {
  let characters = 0;
  let durationMs = 0;
  for (const take of takes) {
    if (take.durationMs === null) continue;
    characters += countCharacters(take.text);
    durationMs += take.durationMs * take.speed;
  }
  return durationMs < leastMeasuredMs ? undefined : (characters * 1000) / durationMs;
}

export const lengthOf = (
  { take, tempo, state }: BlockStatus,
  { text, speed }: SpeechRequest,
  perSecond: number | undefined,
): number => {
  const durationMs = take?.durationMs ?? null;
  if (take === null || durationMs === null) return estimateMs(countCharacters(text), speed, perSecond);
  if (isReady(state)) return durationMs / tempo;
  // The same words at another speed.
  return take.text === text ? (durationMs * take.speed) / speed : estimateMs(countCharacters(text), speed, perSecond);
};
