import {
  cleanUpMessages,
  isVersionOf,
  type CleanUpFault,
  type ModelStyle,
} from '../../../shared/domain/dictation/clean-up.ts';
import { mostRewritingTokens, usualRewritingTokens } from '../../../shared/domain/dictation/rewriting.ts';
import { ok } from '../../../shared/result/result.ts';
import type { AssistantService } from '../assistant/assistant-service.ts';

export interface CleanUpWanted {
  readonly style: ModelStyle;
  readonly text: string;
  readonly maxTokens: number;
  /** Even if an earlier try with the same words may have been charged. */
  readonly sendsAgain: boolean;
  /** The user chose it for this phrase, and it is counted in the hour's spending already. */
  readonly isAdmitted: boolean;
  readonly signal: AbortSignal;
}

interface CleanUpOutcome {
  /** With a fault: it came and is no faithful version. */
  readonly written: string | null;
  readonly fault: CleanUpFault | null;
  readonly credits: Promise<string | null>;
}

export type CleanUpByModel = (wanted: CleanUpWanted) => Promise<CleanUpOutcome>;

const costKnownWithinMs = 10_000;

const unwritten = (fault: CleanUpFault): CleanUpOutcome => ({ written: null, fault, credits: Promise.resolve(null) });

export function createCleanUp(
  assistant: AssistantService,
  admits: (characters: number, most: string | null) => boolean,
) {
  const choose = (style: ModelStyle, text: string, maxTokens: number, signal?: AbortSignal) =>
    assistant.chooseModel(null, cleanUpMessages(style, text), maxTokens, signal);

  const write: CleanUpByModel = async ({ style, text, maxTokens, sendsAgain, isAdmitted, signal }) => {
    const chosen = await choose(style, text, maxTokens, signal);
    if (!chosen.ok) return unwritten(signal.aborted ? 'late' : 'failed');
    if (!isAdmitted && !admits(text.length, chosen.value.estimate)) return unwritten('limit');
    const asked = await assistant.ask({
      ...chosen.value,
      messages: cleanUpMessages(style, text),
      maxTokens,
      sendsAgain,
      onText: () => undefined,
      signal,
    });
    const { llmRequestId } = asked.ok ? asked.value : asked.error;
    const reported = asked.ok ? asked.value.usage.credits : null;
    const credits =
      reported === null
        ? assistant
            .lookUp(llmRequestId, AbortSignal.timeout(costKnownWithinMs))
            .then((status) => status?.credits ?? null)
        : Promise.resolve(reported);
    if (!asked.ok) return { written: null, fault: signal.aborted ? 'late' : 'failed', credits };
    const written = asked.value.text.trim();
    const isWhole = asked.value.finishReason !== 'length' && isVersionOf(written, text, style);
    return { written: written === '' ? null : written, fault: isWhole ? null : 'different', credits };
  };

  return {
    write,
    /** The most and a probable cost, in credits as decimal text; null: the prices are not known. */
    async cost(style: ModelStyle, characters: number) {
      const text = 'a'.repeat(characters);
      const most = await choose(style, text, mostRewritingTokens(characters));
      if (!most.ok) return most;
      const { model, estimate: credits } = most.value;
      const probable = await choose(style, text, usualRewritingTokens(characters));
      const likely = credits === null ? null : assistant.usualCost(credits);
      return ok({ model, credits, usual: likely ?? (probable.ok ? probable.value.estimate : null) });
    },
  };
}

export type CleanUp = ReturnType<typeof createCleanUp>;
