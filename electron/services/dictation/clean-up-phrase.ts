import {
  cleanUpMessages,
  isVersionOf,
  mostCleanUpTokens,
  type CleanUpFault,
  type ModelStyle,
} from '../../../shared/domain/dictation/clean-up.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { AssistantService, ChosenModel } from '../assistant/assistant-service.ts';

export interface CleanUpWanted {
  readonly style: ModelStyle;
  readonly text: string;
  /** Even if an earlier try with the same words may have been charged. */
  readonly sendsAgain: boolean;
  /** The user chose it for this phrase, and it is counted in the hour's spending already. */
  readonly isAdmitted: boolean;
  readonly signal: AbortSignal;
}

interface CleanUpOutcome {
  readonly written: string | null;
  readonly fault: CleanUpFault | null;
  readonly credits: Promise<string | null>;
}

export type CleanUpByModel = (wanted: CleanUpWanted) => Promise<CleanUpOutcome>;

const longestText = 'a'.repeat(600);
const costKnownWithinMs = 10_000;

const unwritten = (fault: CleanUpFault): CleanUpOutcome => ({ written: null, fault, credits: Promise.resolve(null) });

export function createCleanUp(assistant: AssistantService, admits: (characters: number) => boolean) {
  const choose = (style: ModelStyle, text: string, signal?: AbortSignal): Promise<Result<ChosenModel>> =>
    assistant.chooseModel(null, cleanUpMessages(style, text), mostCleanUpTokens, signal);

  const write: CleanUpByModel = async ({ style, text, sendsAgain, isAdmitted, signal }) => {
    if (!isAdmitted && !admits(text.length)) return unwritten('limit');
    const chosen = await choose(style, text, signal);
    if (!chosen.ok) return unwritten(signal.aborted ? 'late' : 'failed');
    const asked = await assistant.ask({
      ...chosen.value,
      messages: cleanUpMessages(style, text),
      maxTokens: mostCleanUpTokens,
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
    return isWhole ? { written, fault: null, credits } : { written: null, fault: 'different', credits };
  };

  return {
    write,
    cost: (style: ModelStyle): Promise<Result<ChosenModel>> => choose(style, longestText),
  };
}
