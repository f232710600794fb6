import { useMemo } from 'react';
import { pauseAfter } from '../../../shared/domain/speech/speech-document.ts';
import { countCharacters, withoutMarks } from '../../../shared/domain/speech/split-text.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { blockStatus, lengthOf, measuredPace, type BlockStatus } from './model/block-status.ts';
import { useSpeakState } from './speak-context.tsx';

interface ShownBlock {
  readonly status: BlockStatus;
  /** When it is heard in the saved file. */
  readonly startMs: number;
  /** With the silence up to the next one. */
  readonly lengthMs: number;
}

/** The state and the place of every block, in order. */
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
      const status = blockStatus(block, request, { takes, byIdentity, work });
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

/** The state of the whole text, and what updating it will cost. The same words are charged once. */
export function useCost() {
  const t = useText();
  const formats = useFormats();
  const blocks = useBlocks();
  const requests = useSpeakState((state) => state.requests);
  const text = useSpeakState((state) => state.document?.text ?? '');
  return useMemo(() => {
    const charged = new Map<string, number>();
    let readyCount = 0;
    let failedCount = 0;
    let changedCount = 0;
    let underWayCount = 0;
    const totalMs = lengthOfAll(blocks);
    for (const [index, { status }] of blocks.entries()) {
      if (status.state === 'failed') failedCount += 1;
      if (status.state === 'changed') changedCount += 1;
      if (status.state === 'ready' || status.state === 'locked') readyCount += 1;
      // What is on its way was sent already.
      else if (status.state === 'generating') underWayCount += 1;
      else charged.set(JSON.stringify(requests[index]), status.characters);
    }
    return {
      characters: countCharacters(withoutMarks(text)),
      totalText: t(readyCount === blocks.length ? 'speak.exactly' : 'speak.about', { time: formats.duration(totalMs) }),
      totalMs,
      readyCount,
      failedCount,
      changedCount,
      underWayCount,
      sendCount: charged.size,
      billed: [...charged.values()].reduce((sum, count) => sum + count, 0),
    };
  }, [blocks, requests, text, t, formats]);
}
