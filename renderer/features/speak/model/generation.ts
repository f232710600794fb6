import type { StoreApi } from 'zustand/vanilla';
import { foreignBlocks, type SpeechRequest } from '../../../../shared/domain/speech/blocks.ts';
import { pauseAfter } from '../../../../shared/domain/speech/speech-document.ts';
import type { SpeechPart, SpeechPlayer } from '../../../audio/speech-player.ts';
import type { StudioClient } from '../../../bridge/client.ts';
import type { ShownTake } from '../../../bridge/types.ts';
import { blockStatus, type BlockStatus } from './block-status.ts';
import type { BeginOptions, BlockWork, SpeakState } from './speak-state.ts';

/** A block to be heard. */
export interface BlockOrder {
  readonly blockId: string;
  readonly request: SpeechRequest;
  readonly status: BlockStatus;
  readonly pauseMs: number;
  /** Its start, where it has a time of its own. */
  readonly startMs: number | null;
  /** Which voice reads its language is not chosen yet. */
  readonly isOpen: boolean;
}

/** The blocks from one on, as many as are wanted. */
export function ordersFrom(state: SpeakState, from: number, count: number): readonly BlockOrder[] {
  const { document, requests } = state;
  if (document === null) return [];
  const open = new Set(foreignBlocks(document.blocks, document.defaults).flatMap(({ ids }) => ids));
  return document.blocks.slice(from, from + count).flatMap((block, offset) => {
    const request = requests[from + offset];
    if (request === undefined) return [];
    const status = blockStatus(block, request, state);
    const pauseMs = pauseAfter(block, document);
    const startMs = block.slot?.startMs ?? null;
    return [{ blockId: block.id, request, status, pauseMs, startMs, isOpen: open.has(block.id) }];
  });
}

export const isMissing = ({ status }: BlockOrder, { isNewTake }: BeginOptions) =>
  isNewTake === true || (status.state !== 'ready' && status.state !== 'locked');

/** Whether something would be sent of which it is still open which voice reads it. */
export const hasOpenQuestion = (orders: readonly BlockOrder[], options: BeginOptions): boolean =>
  orders.some((order) => order.isOpen && isMissing(order, options));

const partOf = ({ blockId, status, pauseMs, startMs }: BlockOrder, isAwaited: boolean): SpeechPart => ({
  id: blockId,
  url: isAwaited ? null : (status.take?.mediaUrl ?? null),
  tempo: status.tempo,
  pauseMs,
  startMs,
});

interface Parts {
  readonly studio: StudioClient;
  readonly player: SpeechPlayer;
  readonly store: StoreApi<SpeakState>;
  /** `chosenFor`: the block whose current take they become. */
  readonly addTakes: (takes: readonly ShownTake[], chosenFor: string) => void;
}

/** Orders missing audio and passes it to the player while it arrives, and plays what exists. */
export function createGeneration({ studio, player, store, addTakes }: Parts) {
  /** Stops the current order from sending more. */
  let endOrder: (() => void) | null = null;
  let number = 0;
  /** The order that is played while it arrives. */
  let heard = 0;

  const setWork = (blockId: string, work: BlockWork | null) => {
    const next = new Map(store.getState().work);
    if (work === null) next.delete(blockId);
    else next.set(blockId, work);
    store.setState({ work: next });
  };
  /** Unsent blocks are no longer waited for; sent ones still arrive, and are paid for. */
  const endWaiting = () => {
    const next = new Map([...store.getState().work].filter(([, work]) => work.kind !== 'waiting'));
    store.setState({ work: next, isGenerating: false });
  };

  const order = async (missing: readonly BlockOrder[], options: BeginOptions) => {
    number += 1;
    const own = number;
    heard = own;
    const isCurrent = () => own === number;
    const isHeard = () => own === heard;
    const sent = new Set<string>();
    store.setState({
      isGenerating: true,
      orderFailure: null,
      work: new Map([
        ...[...store.getState().work].filter(([, work]) => work.kind === 'generating'),
        ...missing.map(({ blockId }): [string, BlockWork] => [blockId, { kind: 'waiting' }]),
      ]),
    });
    const opened = await studio.open('speak.generate', {
      orders: missing.map(({ blockId, request }) => ({ blockId, request })),
      isNewTake: options.isNewTake === true,
      sendsAgain: options.sendsAgain === true,
    });
    if (!opened.ok) {
      if (!isCurrent()) return;
      if (isHeard()) for (const { blockId } of missing) player.finish(blockId, null);
      endWaiting();
      store.setState({ orderFailure: opened.error });
      return;
    }
    const stream = opened.value;
    if (isCurrent()) endOrder = stream.finish;
    else stream.finish();
    const left = new Set(missing.map(({ blockId }) => blockId));
    // A stopped order is read to its end: what it had sent is charged, so it is kept.
    for await (const message of stream.incoming) {
      const { blockId } = message;
      switch (message.kind) {
        case 'begun':
          sent.add(blockId);
          setWork(blockId, { kind: 'generating' });
          break;
        case 'sound':
          if (isHeard()) player.push(blockId, message.pcm);
          break;
        case 'made':
          left.delete(blockId);
          sent.delete(blockId);
          setWork(blockId, null);
          addTakes([message.take], blockId);
          if (isHeard()) player.finish(blockId, message.take.mediaUrl);
          break;
        case 'failed':
          left.delete(blockId);
          sent.delete(blockId);
          setWork(blockId, { kind: 'failed', failure: message.failure });
          if (isHeard()) player.finish(blockId, null);
          break;
      }
    }
    const ended = await stream.ended;
    for (const blockId of sent) setWork(blockId, null);
    if (!isCurrent()) return;
    endOrder = null;
    if (isHeard()) for (const blockId of left) player.finish(blockId, null);
    endWaiting();
    if (!ended.ok) store.setState({ orderFailure: ended.error });
  };

  const halt = () => {
    number += 1;
    heard = 0;
    endOrder?.();
    endOrder = null;
    endWaiting();
  };

  return {
    begin(blocks: readonly BlockOrder[], options: BeginOptions = {}) {
      halt();
      const missing = blocks.filter((one) => isMissing(one, options));
      player.start(blocks.map((one) => partOf(one, isMissing(one, options))));
      void order(missing, options);
    },
    /** Plays what exists of these blocks, `fromMs` into the first. What was ordered before is still received. */
    play(blocks: readonly BlockOrder[], fromMs: number) {
      heard = 0;
      if (blocks.length === 0) player.stop();
      else
        player.start(
          blocks.map((one) => partOf(one, false)),
          fromMs,
        );
    },
    /** Sends nothing more and stops playback; what was sent is kept when it arrives. */
    stop() {
      halt();
      player.stop();
    },
  };
}
