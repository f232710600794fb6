import {
  requestIdentity,
  withTake,
  type SpeechBlock,
  type SpeechDefaults,
  type SpeechRequest,
} from '../../../../shared/domain/speech/blocks.ts';
import { isUnsentForNow } from '../../../../shared/domain/failures/network-fault.ts';
import { slotSlackMs, estimateMs, tempoOf } from '../../../../shared/domain/speech/speech-document.ts';
import { countCharacters } from '../../../../shared/domain/speech/split-text.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import type { ShownTake } from '../../../bridge/types.ts';
import type { SpeakState } from './speak-state.ts';

/** `changed`: its audio has other words or another voice. `locked`: it keeps its audio. */
export type BlockState = 'ready' | 'new' | 'changed' | 'locked' | 'waiting' | 'generating' | 'failed';

export const isReady = (state: BlockState): state is 'ready' | 'locked' => state === 'ready' || state === 'locked';

/** It may be charged already: only a button that says so sends it again. */
export const isDoubtful = ({ failure }: Pick<BlockStatus, 'failure'>): boolean => failure?.kind === 'job-not-found';

/** Whether it has the words of its audio, and only another voice. */
export const isOldVoice = ({ state, take }: BlockStatus, { text }: Pick<SpeechRequest, 'text'>): boolean =>
  state === 'changed' && take?.text === text;

export interface BlockStatus {
  readonly state: BlockState;
  readonly take: ShownTake | null;
  /** How much faster than it was spoken it is heard. */
  readonly tempo: number;
  readonly failure: Failure | null;
  readonly characters: number;
}

const madeOf = (take: ShownTake | undefined): ShownTake | null =>
  take?.state === 'made' && take.mediaUrl !== null ? take : null;

const isOf = (take: ShownTake, request: SpeechRequest): boolean =>
  take.identity === requestIdentity({ ...request, speed: take.speed });

/** Audio that was once asked for at another speed is still that of the same words. */
const identitiesOf = (
  { speed }: Pick<SpeechBlock, 'speed'>,
  request: SpeechRequest,
  defaults: Pick<SpeechDefaults, 'speed'>,
): readonly string[] => [
  ...new Set([request.speed, speed ?? defaults.speed].map((one) => requestIdentity({ ...request, speed: one }))),
];

/** A request that was sent at another speed and not answered goes on as it was: a second one may be charged, too. */
export function requestToSend(
  block: Pick<SpeechBlock, 'speed'>,
  request: SpeechRequest,
  known: Pick<SpeakState, 'byIdentity' | 'document'>,
): SpeechRequest {
  const identities = identitiesOf(block, request, known.document?.defaults ?? request);
  const unanswered = identities
    .flatMap((identity) => known.byIdentity.get(identity) ?? [])
    .find(({ state }) => state === 'asked');
  return unanswered === undefined ? request : { ...request, speed: unanswered.speed };
}

export function blockStatus(
  block: SpeechBlock,
  request: SpeechRequest,
  known: Pick<SpeakState, 'takes' | 'byIdentity' | 'work' | 'document'>,
): BlockStatus {
  const defaults = known.document?.defaults ?? { speed: 1 };
  const heard = (take: ShownTake | null) => ({
    take,
    tempo: tempoOf(block, defaults, take ?? request),
    failure: null,
    characters: 0,
  });
  const take = block.takeId === null ? null : madeOf(known.takes.get(block.takeId));
  if (block.isLocked && take !== null) return { ...heard(take), state: 'locked' };
  if (take !== null && isOf(take, request)) return { ...heard(take), state: 'ready' };
  const same = identitiesOf(block, request, defaults).flatMap((identity) => known.byIdentity.get(identity) ?? []);
  const earlier = block.takeIds
    .flatMap((id) => madeOf(known.takes.get(id)) ?? [])
    .findLast((one) => isOf(one, request));
  const made = same.flatMap((one) => madeOf(one) ?? [])[0] ?? earlier;
  if (made !== undefined) return { ...heard(made), state: 'ready' };
  const work = known.work.get(block.id);
  const unmade = { ...heard(take), characters: countCharacters(request.text) };
  if (work !== undefined) return { ...unmade, state: work.kind, failure: work.kind === 'failed' ? work.failure : null };
  // Also one that was never answered and can't be repeated.
  const failure = same.find((one) => one.failure !== null)?.failure ?? null;
  if (failure !== null && !isUnsentForNow(failure)) return { ...unmade, state: 'failed', failure };
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
    const take = identitiesOf(block, request, state.document?.defaults ?? request)
      .map((identity) => byIdentity.get(identity))
      .find((one) => one?.state === 'made');
    const chosen = block.takeId === null ? undefined : takes.get(block.takeId);
    if (take === undefined) return block;
    // A new take of the same content becomes the current one.
    const isKept = chosen !== undefined && isOf(chosen, request) && block.id !== chosenFor;
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
  { text }: Pick<SpeechRequest, 'text'>,
  perSecond: number | undefined,
): number =>
  take !== null && take.durationMs !== null && isReady(state)
    ? take.durationMs / tempo
    : estimateMs(countCharacters(text), tempo * (take?.speed ?? 1), perSecond);
