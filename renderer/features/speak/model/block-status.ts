import {
  requestIdentity,
  withTake,
  type SpeechBlock,
  type SpeechRequest,
} from '../../../../shared/domain/speech/blocks.ts';
import { slotSlackMs } from '../../../../shared/domain/speech/slots.ts';
import { tempoOf } from '../../../../shared/domain/speech/tempo.ts';
import { estimateMs } from '../../../../shared/domain/speech/speech-document.ts';
import { countCharacters } from '../../../../shared/domain/speech/split-text.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import type { ShownTake } from '../../../bridge/types.ts';
import type { BlockWork, SpeakState } from './speak-state.ts';

/**
 * `ready`: its audio exists. `new`: it was never generated. `changed`: its audio has other words or another voice, or a
 * speed that is too different. `locked`: it keeps its audio whatever changes.
 */
export type BlockState = 'ready' | 'new' | 'changed' | 'locked' | 'waiting' | 'generating' | 'failed';

export interface BlockStatus {
  readonly state: BlockState;
  /** The take that is played; null when there is none. */
  readonly take: ShownTake | null;
  /** How much faster than it was spoken the take is heard. */
  readonly tempo: number;
  readonly failure: Failure | null;
  /** What updating it will cost; 0 when nothing is sent. */
  readonly characters: number;
}

interface Known {
  readonly takes: ReadonlyMap<string, ShownTake>;
  /** By `requestIdentity`. */
  readonly byIdentity: ReadonlyMap<string, ShownTake>;
  readonly work: ReadonlyMap<string, BlockWork>;
}

const madeOf = (take: ShownTake | undefined): ShownTake | null =>
  take?.state === 'made' && take.mediaUrl !== null ? take : null;

/** The state of a block, from its request and the existing takes. */
export function blockStatus(block: SpeechBlock, request: SpeechRequest, known: Known): BlockStatus {
  const identity = requestIdentity(request);
  const take = block.takeId === null ? null : madeOf(known.takes.get(block.takeId));
  const tempo = take === null ? 1 : tempoOf(block, request, take);
  if (block.isLocked && take !== null) return { state: 'locked', take, tempo, failure: null, characters: 0 };
  if (take?.identity === identity) return { state: 'ready', take, tempo, failure: null, characters: 0 };
  const same = known.byIdentity.get(identity);
  const made = madeOf(same);
  if (made !== null) return { state: 'ready', take: made, tempo: 1, failure: null, characters: 0 };
  if (take !== null && tempo !== 1 && take.identity === requestIdentity({ ...request, speed: take.speed }))
    return { state: 'ready', take, tempo, failure: null, characters: 0 };
  const work = known.work.get(block.id);
  const characters = countCharacters(request.text);
  if (work !== undefined)
    return { state: work.kind, take, tempo, failure: work.kind === 'failed' ? work.failure : null, characters };
  // Also one that was never answered and can't be repeated.
  if (same !== undefined && same.failure !== null)
    return { state: 'failed', take, tempo, failure: same.failure, characters };
  const wasMade = take !== null || block.takeIds.length > 0;
  return { state: wasMade ? 'changed' : 'new', take, tempo, failure: null, characters };
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

/** How much longer a block is than its time; 0 when it fits, or has none. */
export function overlongMs({ slot }: SpeechBlock, status: BlockStatus | null): number {
  const isHeard = status?.state === 'ready' || status?.state === 'locked';
  if (slot === null || slot === undefined || !isHeard) return 0;
  const overMs = (status.take?.durationMs ?? 0) / status.tempo - (slot.endMs - slot.startMs);
  return overMs > slotSlackMs ? overMs : 0;
}

/** How much audio is needed to measure how fast a voice speaks. */
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

/** The length of a block, milliseconds: measured, or estimated from its words. */
export const lengthOf = (
  { take, tempo, state }: BlockStatus,
  { text, speed }: SpeechRequest,
  perSecond: number | undefined,
): number => {
  const durationMs = take?.durationMs ?? null;
  if (take === null || durationMs === null) return estimateMs(countCharacters(text), speed, perSecond);
  if (state === 'ready' || state === 'locked') return durationMs / tempo;
  // The same words at another speed.
  return take.text === text ? (durationMs * take.speed) / speed : estimateMs(countCharacters(text), speed, perSecond);
};
