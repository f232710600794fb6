import { useMemo } from 'react';
import { pauseAfter } from '../../../shared/domain/speech/speech-document.ts';
import { countCharacters, withoutMarks } from '../../../shared/domain/speech/split-text.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { blockStatus, lengthOf, measuredPace, type BlockStatus } from './model/block-status.ts';
import { useSpeakState } from './speak-context.tsx';

/** The state and the length of every block, in order. */
export function useBlocks(): readonly { readonly status: BlockStatus; readonly lengthMs: number }[] {
  const document = useSpeakState((state) => state.document);
  const requests = useSpeakState((state) => state.requests);
  const takes = useSpeakState((state) => state.takes);
  const byIdentity = useSpeakState((state) => state.byIdentity);
  const work = useSpeakState((state) => state.work);
  return useMemo(() => {
    const pace = measuredPace(takes.values());
    return (document?.blocks ?? []).flatMap((block, index) => {
      const request = requests[index];
      if (request === undefined) return [];
      const status = blockStatus(block, request, { takes, byIdentity, work });
      // The silence after the last sentence is not part of the text.
      const pauseMs = document === null || index === document.blocks.length - 1 ? 0 : pauseAfter(block, document);
      return [{ status, lengthMs: lengthOf(status, request, pace) + pauseMs }];
    });
  }, [document, requests, takes, byIdentity, work]);
}

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
    let totalMs = 0;
    for (const [index, { status, lengthMs }] of blocks.entries()) {
      totalMs += lengthMs;
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
