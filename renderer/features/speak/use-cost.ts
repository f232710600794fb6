import { useMemo } from 'react';
import { chargedCharacters, type SpeechRequest } from '../../../shared/domain/speech/blocks.ts';
import { pauseAfter } from '../../../shared/domain/speech/speech-document.ts';
import {
  blockStatus,
  isDoubtful,
  isOldVoice,
  isReady,
  lengthOf,
  measuredPace,
  type BlockState,
  type BlockStatus,
} from './model/block-status.ts';
import { useSpeakState } from './speak-context.tsx';

interface ShownBlock {
  readonly status: BlockStatus;
  readonly startMs: number;
  readonly lengthMs: number;
}

export function useBlocks(): readonly ShownBlock[] {
  const document = useSpeakState((state) => state.document);
  const requests = useSpeakState((state) => state.requests);
  const takes = useSpeakState((state) => state.takes);
  const byIdentity = useSpeakState((state) => state.byIdentity);
  const work = useSpeakState((state) => state.work);
  return useMemo(() => {
    if (document === null) return [];
    const pace = measuredPace(takes.values());
    const places: { readonly status: BlockStatus; readonly startMs: number; readonly endMs: number }[] = [];
    let atMs = 0;
    for (const [index, block] of document.blocks.entries()) {
      const request = requests[index];
      if (request === undefined) continue;
      const status = blockStatus(block, request, { document, takes, byIdentity, work });
      const startMs = Math.max(atMs, block.slot?.startMs ?? 0);
      const endMs = startMs + lengthOf(status, request, pace);
      places.push({ status, startMs, endMs });
      atMs = endMs + pauseAfter(block, document);
    }
    // The silence after the last sentence is not part of the text.
    return places.map(({ status, startMs, endMs }, index) => ({
      status,
      startMs,
      lengthMs: (places[index + 1]?.startMs ?? endMs) - startMs,
    }));
  }, [document, requests, takes, byIdentity, work]);
}

export const lengthOfAll = (blocks: readonly ShownBlock[]): number => {
  const last = blocks.at(-1);
  return last === undefined ? 0 : last.startMs + last.lengthMs;
};

/** The state of the whole text, and what updating it will cost. */
export function useCost() {
  const blocks = useBlocks();
  const requests = useSpeakState((state) => state.requests);
  return useMemo(() => {
    const countOf = (wanted: BlockState) => blocks.filter(({ status }) => status.state === wanted).length;
    const readyCount = blocks.filter(({ status }) => isReady(status.state)).length;
    const sent: SpeechRequest[] = [];
    let sendCount = 0;
    for (const [index, { status }] of blocks.entries()) {
      // What is on its way was sent already.
      if (isReady(status.state) || status.state === 'generating' || isDoubtful(status)) continue;
      sendCount += 1;
      sent.push(...requests.slice(index, index + 1));
    }
    return {
      readyCount,
      rewordedCount: blocks.filter(({ status }, index) => {
        const request = requests[index];
        return status.state === 'changed' && request !== undefined && !isOldVoice(status, request);
      }).length,
      underWayCount: countOf('generating'),
      doubtfulCount: blocks.filter(({ status }) => isDoubtful(status)).length,
      sendCount,
      billed: chargedCharacters(sent),
    };
  }, [blocks, requests]);
}
